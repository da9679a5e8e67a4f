/** Small makers of what grading reads, with the defaults that most rows of a table want. */
import type { Call, CallResult, Json } from '../../../src/engine/record.ts';
import type { ExpectedCall, MatchOptions, Route, RouteEntry } from '../../../src/engine/suite/model.ts';

export const MATCH: MatchOptions = { arguments: 'partial', order: 'any', extras: 'allow', ignoreTools: [] };

export function call(tool: string, args: Json = {}, more: Partial<Call> = {}): Call {
  return {
    id: tool,
    by: 'model',
    server: 'files',
    tool,
    arguments: args,
    mocked: false,
    argumentsValid: null,
    resultValid: null,
    startMs: 0,
    durationMs: 10,
    ...more,
  };
}

/** Calls with the ids `c0`, `c1`, … */
export function numbered(calls: readonly Call[]): Call[] {
  return calls.map((each, index) => ({ ...each, id: `c${index}` }));
}

export function result(text: string, more: Partial<CallResult> = {}): CallResult {
  return { content: [{ type: 'text', text }], isError: false, bytes: text.length, cut: false, ...more };
}

type Written = string | { [key: string]: unknown };

/** A route in the syntax of a suite file. */
export function route(calls: 'none' | readonly Written[], at = '/cases/0/calls'): Route {
  if (calls === 'none') return { at, expected: [] };
  return { at, expected: calls.map((each, index) => entry(each, `${at}/${index}`)) };
}

function entry(written: Written, at: string): RouteEntry {
  if (typeof written === 'string' || !('anyOf' in written)) return expectedCall(written, at);
  const choices = (written.anyOf as (Written | Written[])[]).map((choice, index) =>
    [choice].flat().map((each, position) => expectedCall(each, `${at}/anyOf/${index}/${position}`)),
  );
  return { at, anyOf: choices };
}

function expectedCall(written: Written, at: string): ExpectedCall {
  if (typeof written === 'string') return { at, tool: written, count: null };
  if (!('tool' in written)) {
    const [[tool, args] = ['', {}]] = Object.entries(written);
    return { at, tool, arguments: args as Json, count: null };
  }
  const { tool, arguments: args, count, result: outcome } = written;
  return {
    at,
    tool: tool as string,
    ...(args === undefined ? {} : { arguments: args as Json }),
    count: typeof count === 'number' ? { min: count, max: count } : ((count as ExpectedCall['count']) ?? null),
    ...(outcome === undefined ? {} : { result: { at: `${at}/result`, ...(outcome as object) } }),
  };
}
