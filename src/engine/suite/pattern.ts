import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import type { Code } from './codes.ts';
import { hasPlaceholder, parseTemplate } from './placeholders.ts';
import { quoted } from './quote.ts';

export interface PatternProblem {
  code: Code;
  message: string;
  hint?: string;
}

/** Patterns that have been found good. Bounded; a suite repeats a few of them in many cases. */
const good = new Set<string>();
const MOST_REMEMBERED = 1000;

/** What is wrong with an RE2 pattern; placeholders in it stand for any text. */
export function patternProblem(pattern: string): PatternProblem | undefined {
  if (good.has(pattern)) return undefined;
  try {
    RE2JS.compile(withoutPlaceholders(pattern));
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return explain(error, pattern);
    if (error instanceof RE2JSException)
      return { code: 'SUITE009', message: `not a regular expression: ${error.message}` };
    throw error;
  }
  if (good.size >= MOST_REMEMBERED) good.clear();
  good.add(pattern);
  return undefined;
}

function withoutPlaceholders(pattern: string): string {
  if (!hasPlaceholder(pattern)) return pattern;
  return parseTemplate(pattern)
    .map((part) => (part.kind === 'text' ? part.text : 'x'))
    .join('');
}

const LOOK_AROUND = /^\(\?<?[=!]/;
const BACK_REFERENCE = /^\\[1-9k]/;

function explain(error: RE2JSSyntaxException, pattern: string): PatternProblem {
  const found = error.getPattern() ?? '';
  const around = LOOK_AROUND.exec(found)?.[0];
  if (around !== undefined) {
    const message = `${JSON.stringify(around)} is look-around, which the linear-time engine (RE2) does not have`;
    return { code: 'SUITE010', message, hint: `Write two patterns: ${asTwoPatterns(pattern, around)}.` };
  }
  if (BACK_REFERENCE.test(found)) {
    const message = `${JSON.stringify(found)} is a back-reference, which the linear-time engine (RE2) does not have`;
    const hint =
      'Write the repeated part out, or combine patterns: $allOf: [{ $matches: … }, { $not: { $matches: … } }].';
    return { code: 'SUITE010', message, hint };
  }
  const where = found === '' || found === pattern ? '' : ` at ${JSON.stringify(found)}`;
  return { code: 'SUITE009', message: `not a regular expression: ${error.getDescription()}${where}` };
}

/** What look-around asks for besides, as a pattern of its own. */
function asTwoPatterns(pattern: string, around: string): string {
  const start = pattern.indexOf(around);
  const end = closingOf(pattern, start);
  const inner = quoted(end < 0 ? '…' : pattern.slice(start + around.length, end));
  const rest = quoted(end < 0 ? '…' : pattern.slice(0, start) + pattern.slice(end + 1));
  const second = around.endsWith('!') ? `{ $not: { $matches: ${inner} } }` : `{ $matches: ${inner} }`;
  return `$allOf: [{ $matches: ${rest} }, ${second}]`;
}

function closingOf(pattern: string, start: number): number {
  let depth = 0;
  for (let at = start; at >= 0 && at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (character === ')' && depth === 0) return at;
  }
  return -1;
}
