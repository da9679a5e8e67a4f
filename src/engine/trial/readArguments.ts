import type { Json } from '../record.ts';
import { isObject } from '../servers/isObject.ts';
import { parseFinite } from '../servers/parseFinite.ts';
import { MAX_NESTING, nestingOf } from './nesting.ts';

/** `problem` is set where no server can be sent these arguments; `value` is then what came, as it came. */
export type ReadArguments = { value: Json; problem: string | null };

/**
 * The arguments of a call as a model wrote them. Nothing is repaired, for a repair would change what is measured; only
 * no text at all means no arguments, as models write it for tools that take none.
 */
export function readArguments(text: string): ReadArguments {
  if (text.trim() === '') return { value: {}, problem: null };
  if (nestingOf(text) > MAX_NESTING) {
    return { value: text, problem: `the arguments are nested deeper than ${MAX_NESTING} levels` };
  }
  let value: Json;
  try {
    value = parseFinite(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { value: text, problem: `the arguments are not JSON: ${error.message}` };
  }
  if (!isObject(value)) {
    const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
    return { value, problem: `the arguments must be a JSON object; found ${found}` };
  }
  return { value, problem: null };
}
