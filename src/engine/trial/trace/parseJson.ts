import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Json } from '../../record.ts';
import { parseFinite } from '../../servers/parseFinite.ts';
import type { Lines } from '../../suite/lines.ts';
import { MAX_NESTING, nestingOf } from '../nesting.ts';
import { errorAt } from './traceError.ts';

/**
 * Parses one JSON value of a trace.
 *
 * @throws McproveError TRACE003, at the place, when it is no JSON or nested too deeply
 */
export function parseJson(trace: Lines, { from, to } = { from: 0, to: trace.text.length }): Json {
  const text = trace.text.slice(from, to);
  if (nestingOf(text) > MAX_NESTING) {
    throw errorAt(trace, 'TRACE003', from, `nesting deeper than ${MAX_NESTING} levels`);
  }
  try {
    return parseFinite(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const errors: ParseError[] = [];
    parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    const [first] = errors;
    const what = first === undefined ? error.message : spaced(printParseErrorCode(first.error));
    throw errorAt(trace, 'TRACE003', from + (first?.offset ?? 0), `not valid JSON: ${what}`);
  }
}

/** `CommaExpected` → `comma expected` */
function spaced(code: string): string {
  return code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
