import type { Json } from '../record.ts';

/**
 * True for an expectation of a text that, once met by the beginning of the text, is met whatever follows. Only such a one
 * passes on a text that was cut off: finding something proves presence, and nothing proves absence there.
 */
export function provesPresence(expected: Json): boolean {
  if (typeof expected === 'string') return expected === '$any' || expected === '$string';
  if (expected === null || typeof expected !== 'object' || Array.isArray(expected)) return false;
  const operators = Object.keys(expected);
  return operators.length > 0 && operators.every((operator) => growsWith(operator, expected[operator] ?? null));
}

function growsWith(operator: string, operand: Json): boolean {
  switch (operator) {
    case '$contains':
    case '$startsWith':
      return true;
    case '$matches':
      return typeof operand === 'string' && !minds(operand);
    case '$size':
      return operand !== null && typeof operand === 'object' && !Object.hasOwn(operand, 'max');
    case '$anyOf':
    case '$allOf':
      return Array.isArray(operand) && operand.every(provesPresence);
    case '$partial':
    case '$exact':
      return provesPresence(operand);
    default:
      return false;
  }
}

/** Does a pattern mind what comes after what it finds: the end of text or line, a word's edge? */
function minds(pattern: string): boolean {
  return /\$|\\[zZbB]/.test(pattern);
}

/** The same for a pattern of its own. */
export function patternProvesPresence(pattern: string): boolean {
  return !minds(pattern);
}
