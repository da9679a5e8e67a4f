import { McproveError } from '../errors.ts';
import type { Difference, Json } from '../record.ts';
import type { Patterns } from './patterns.ts';

/** `partial`: objects may hold more keys than expected, at every depth. `exact`: they may not. */
export type Mode = 'partial' | 'exact';

/** What a comparison is after: whether there is a difference, how many there are, or what they are. */
export interface Search {
  readonly patterns: Patterns;
  /** Go on after a difference. */
  readonly exhaustive: boolean;
  /** Of the whole comparison, also of the searches within it. */
  readonly budget: Budget;
  count: number;
  /** Null where nobody asks what they are; then paths are not worked out either. */
  readonly found: Difference[] | null;
}

/** @returns whether the value matches; what differs goes to `search` */
export type Comparison = (
  expected: Json,
  actual: Json | undefined,
  mode: Mode,
  path: string,
  search: Search,
) => boolean;

/** How many values may still be compared. */
export interface Budget {
  left: number;
}

/** Values compared in one comparison, at most: some seconds of work. Nested matchers multiply their work at each level. */
const MOST_COMPARED = 5_000_000;

export function newBudget(): Budget {
  return { left: MOST_COMPARED };
}

/** @throws McproveError GRADE004 when too many values were compared */
export function spend(budget: Budget): void {
  budget.left -= 1;
  if (budget.left < 0)
    throw new McproveError('GRADE004', 'comparing takes too much work: matchers are nested too widely');
}

/** A search that ends at the first difference and keeps nothing. */
export function quietSearch(patterns: Patterns, budget: Budget): Search {
  return { patterns, exhaustive: false, budget, count: 0, found: null };
}

/** How many differences of one comparison are kept; all are counted. */
const KEPT = 100;

/** Notes a difference. @returns false, the answer of a comparison that refuses */
export function refuse(
  search: Search,
  path: string,
  matcher: string,
  expected: Json | undefined,
  actual: Json | undefined,
): false {
  search.count += 1;
  if (search.found !== null && search.found.length < KEPT) {
    const difference: Difference = { path, matcher };
    if (expected !== undefined) difference.expected = expected;
    if (actual !== undefined) difference.actual = actual;
    search.found.push(difference);
  }
  return false;
}
