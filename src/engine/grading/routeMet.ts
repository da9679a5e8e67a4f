import { McproveError } from '../errors.ts';
import type { Call, OfferedTool } from '../record.ts';
import type { Case } from '../suite/model.ts';
import { matchCalls } from './route.ts';

/**
 * Whether the calls made so far are all that the route of a case asks for: the moment at which `execute: untilExpected` ends
 * a trial. Never for a case without a route, for one in which nothing may be called, or for a route that cannot be compared (grading says why).
 */
export function routeMet(
  { route, match, execute }: Case,
  calls: readonly Call[],
  seen: { offered: readonly OfferedTool[]; toolListChanged: boolean },
): boolean {
  if (route === null || route.expected.length === 0) return false;
  try {
    const found = matchCalls(route, calls, match, { ...seen, requireSuccess: execute !== false });
    return found.discrepancies.every(({ kind }) => kind === 'extra');
  } catch (error) {
    if (error instanceof McproveError) return false;
    throw error;
  }
}
