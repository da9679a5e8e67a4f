import type { Json } from '../record.ts';
import { holdsLiteral } from '../suite/matchers.ts';

/** How values are written into a sentence. */
export interface Write {
  plain(value: Json): string;
  /** In which `$string` is a matcher and no text. */
  expected(value: Json): string;
}

/**
 * What a matcher wanted, in the suite's own words: `$gte 3`, `$string`, and a plain value as itself.
 *
 * @param matcher of a difference: an operator, a type word, `equals` or `exact`
 */
export function matcherWords(matcher: string, expected: Json, write: Write): string {
  if (expected === matcher) return matcher;
  const operand = operandOf(matcher, expected);
  const written = holdsLiteral(matcher) ? write.plain(operand) : write.expected(operand);
  return matcher.startsWith('$') && matcher !== '$eq' ? `${matcher} ${written}` : written;
}

/** A difference may carry the operand, or the matcher as it stands in the suite. */
function operandOf(matcher: string, expected: Json): Json {
  if (expected === null || typeof expected !== 'object' || Array.isArray(expected)) return expected;
  const inner = Object.hasOwn(expected, matcher) ? expected[matcher] : undefined;
  return inner !== undefined && Object.keys(expected).length === 1 ? inner : expected;
}
