/** Shorthand for matching tables: routes as in a suite, calls as short texts, discrepancies as short texts. */
import { type MatchContext, matchCalls, type RouteResult } from '../../../src/engine/grading/index.ts';
import type { Call, Discrepancy, Json } from '../../../src/engine/record.ts';
import type { MatchOptions } from '../../../src/engine/suite/model.ts';
import { call, MATCH, numbered, route } from './build.ts';

export type Written = Parameters<typeof route>[0];

const CONTEXT: MatchContext = { offered: [], toolListChanged: false, requireSuccess: true };

export function match(
  calls: Written,
  actual: readonly Call[],
  options: Partial<MatchOptions> = {},
  context: Partial<MatchContext> = {},
): RouteResult {
  return matchCalls(route(calls, '/calls'), numbered(actual), { ...MATCH, ...options }, { ...CONTEXT, ...context });
}

/** `missing /calls/0`, `extra c1`, `allowed c1`, `outOfOrder /calls/0 c1`, `mismatch /calls/0 c1 /q`. */
export function told(discrepancies: readonly Discrepancy[]): string[] {
  return discrepancies.map(toldOne);
}

function toldOne(found: Discrepancy): string {
  switch (found.kind) {
    case 'missing':
      return `missing ${found.at}${found.refused === undefined ? '' : ` refused ${found.refused.call}`}`;
    case 'extra':
      return `${found.counts ? 'extra' : 'allowed'} ${found.call}`;
    case 'outOfOrder':
      return `outOfOrder ${found.at} ${found.call}`;
    case 'argumentMismatch':
      return `mismatch ${found.at} ${found.call} ${found.differences.map(({ path }) => path).join(' ')}`;
  }
}

/** `t` for a call of t, `t:x` for one with `{ q: x }`. */
export function written(calls: string): { tool: string; args: { [key: string]: Json } }[] {
  return calls
    .split(' ')
    .filter((each) => each !== '')
    .map((each) => {
      const [tool = '', value] = each.split(':');
      return { tool, args: value === undefined ? {} : { q: value } };
    });
}

export function matchWritten(expected: string, actual: string, options: Partial<MatchOptions> = {}): RouteResult {
  return match(
    written(expected).map(({ tool, args }) => ({ [tool]: args })),
    written(actual).map(({ tool, args }) => call(tool, args)),
    options,
  );
}
