import { McproveError } from '../errors.ts';
import type { Call, Discrepancy } from '../record.ts';
import type { ExpectedCall, MatchOptions, Route, RouteEntry } from '../suite/model.ts';
import { matchesTool } from '../suite/toolName.ts';
import { arrange } from './arrange.ts';
import { addBit, type Bits, countBits, emptyBits, hasBit } from './bits.ts';
import { discrepanciesOf, exceeds } from './discrepancies.ts';
import { type FitRules, fitOf } from './fit.ts';
import type { Offer } from './neverOffered.ts';
import { createPatterns, type Patterns } from './patterns.ts';

/** What a match needs to know beyond the calls. */
export interface MatchContext extends Offer {
  /** False where tools do not run (`execute: false`): then nothing is asked of a call's outcome. */
  requireSuccess: boolean;
  /** Keeps compiled patterns between matches. */
  patterns?: Patterns;
}

export interface RouteResult {
  /** `notMeasured`: the record does not hold a result that would decide it. */
  outcome: 'passed' | 'failed' | 'notMeasured';
  /** Also the extras that do not count. */
  discrepancies: Discrepancy[];
  /** Pointer of the expected call, id of the call that meets it; in authored order, optional ones last. */
  met: { at: string; call: string }[];
  /** Ids of the calls whose missing result leaves it open. */
  undecided: string[];
}

/**
 * Compares the calls of a trial with an expected route.
 *
 * Order `any` is a maximum bipartite matching, `inOrder` a longest common subsequence, `exact` position by position.
 * Alternative routes are tried in authored order: the first that passes counts, else the one with the fewest discrepancies.
 *
 * @param calls those of the model, in the order in which they were made
 * @throws McproveError GRADE001 and GRADE002 for matchers that cannot be used, GRADE003 for more than 64 alternative routes
 */
export function matchCalls(
  route: Route,
  calls: readonly Call[],
  match: MatchOptions,
  context: MatchContext,
): RouteResult {
  const judged = calls.filter((call) => !match.ignoreTools.some((tool) => matchesTool(tool, call.server, call.tool)));
  const rules: FitRules = {
    arguments: match.arguments,
    requireSuccess: context.requireSuccess,
    patterns: context.patterns ?? createPatterns(),
  };
  const fits = new FitTable(judged, rules);
  let best: RouteResult | null = null;
  for (const alternative of alternatives(route.expected)) {
    const result = matchRoute(alternative, judged, match, rules, context, fits);
    if (best === null || isBetter(result, best)) best = result;
    if (best.outcome === 'passed') break;
  }
  return best ?? { outcome: 'passed', discrepancies: [], met: [], undecided: [] };
}

function isBetter(result: RouteResult, best: RouteResult): boolean {
  const rank = { passed: 0, notMeasured: 1, failed: 2 };
  const better = rank[result.outcome] - rank[best.outcome];
  return better < 0 || (better === 0 && weight(result) < weight(best));
}

function weight({ discrepancies }: RouteResult): number {
  return discrepancies.filter(counts).length;
}

/** False for an extra call that is allowed: shown, not held against the trial. */
export function counts(discrepancy: Discrepancy): boolean {
  return discrepancy.kind !== 'extra' || discrepancy.counts;
}

const MOST_ROUTES = 64;

/** Every choice from every `anyOf`, the first one's varying slowest. */
function alternatives(entries: readonly RouteEntry[]): ExpectedCall[][] {
  let routes: ExpectedCall[][] = [[]];
  for (const entry of entries) {
    const choices = 'anyOf' in entry ? entry.anyOf : [[entry]];
    if (routes.length * choices.length > MOST_ROUTES) {
      throw new McproveError('GRADE003', `the route has more than ${MOST_ROUTES} alternatives`);
    }
    routes = routes.flatMap((route) => choices.map((choice) => [...route, ...choice]));
  }
  return routes;
}

/** Which calls meet which expected ones, worked out once for all alternatives. */
class FitTable {
  readonly #rows = new Map<ExpectedCall, { sure: Bits; possible: Bits }>();
  readonly #calls: readonly Call[];
  readonly #rules: FitRules;

  constructor(calls: readonly Call[], rules: FitRules) {
    this.#calls = calls;
    this.#rules = rules;
  }

  /** `possible` adds the calls that fit but for a result that the record does not hold. */
  row(expected: ExpectedCall): { sure: Bits; possible: Bits } {
    const known = this.#rows.get(expected);
    if (known !== undefined) return known;
    const sure = emptyBits(this.#calls.length);
    const possible = emptyBits(this.#calls.length);
    this.#calls.forEach((call, index) => {
      const found = fitOf(expected, call, this.#rules);
      if (found === 'no') return;
      addBit(possible, index);
      if (found === 'yes') addBit(sure, index);
    });
    const row = { sure, possible };
    this.#rows.set(expected, row);
    return row;
  }
}

function matchRoute(
  expected: readonly ExpectedCall[],
  calls: readonly Call[],
  match: MatchOptions,
  rules: FitRules,
  offer: Offer,
  fits: FitTable,
): RouteResult {
  // `calls: none` passes only when nothing was called, whatever may be left over elsewhere.
  const extras = expected.length === 0 ? 'forbid' : match.extras;
  const rows = expected.map((each) => fits.row(each));
  const run = (kind: 'sure' | 'possible'): RouteResult => {
    const arrangement = arrange(
      expected,
      rows.map((row) => row[kind]),
      calls.length,
      match.order,
    );
    const discrepancies = discrepanciesOf(arrangement, calls, { order: match.order, extras }, rules, offer);
    const met = [...arrangement.required, ...arrangement.optional].flatMap(({ expected: { at }, call }) => {
      const id = calls[call]?.id;
      return id === undefined ? [] : [{ at, call: id }];
    });
    return { outcome: discrepancies.some(counts) ? 'failed' : 'passed', discrepancies, met, undecided: [] };
  };

  const pessimistic = run('sure');
  const open = openCalls(rows, calls);
  if (open.length === 0) return pessimistic;
  if (match.order === 'any' && surelyTooMany(expected, rows, calls.length)) return pessimistic;
  // What fails even when every open call is taken as fitting fails for certain. Only a full `count` may fail for that reason.
  const optimistic = run('possible');
  const leftOver = optimistic.discrepancies.filter(({ kind }) => kind === 'extra').length;
  const unmet = optimistic.discrepancies.length > leftOver;
  if (unmet || exceeds(leftOver, match.order === 'exact' ? 'forbid' : extras)) return optimistic;
  const settled = optimistic.outcome === 'passed' && pessimistic.outcome === 'passed';
  if (settled && !(match.order === 'any' && perhapsTooMany(expected, rows))) return pessimistic;
  return { ...pessimistic, outcome: 'notMeasured', undecided: open };
}

interface Fits {
  sure: Bits;
  /** These, and the calls that fit but for a result that the record does not hold. */
  possible: Bits;
}

/** Are there more calls that fit an expected one, and nothing else, than it may have? */
function surelyTooMany(expected: readonly ExpectedCall[], rows: readonly Fits[], total: number): boolean {
  return expected.some(({ count }, index) => {
    if (count === null) return false;
    const own = Array.from({ length: total }, (_, call) => call).filter((call) =>
      rows.every(({ sure, possible }, other) => hasBit(other === index ? sure : possible, call) === (other === index)),
    );
    return own.length > count.max;
  });
}

/** Could an expected call get more than it may have, if some of the open calls fit it? */
function perhapsTooMany(expected: readonly ExpectedCall[], rows: readonly Fits[]): boolean {
  return expected.some(({ count }, index) => {
    const row = rows[index];
    if (count === null || row === undefined) return false;
    const possible = countBits(row.possible);
    return possible > count.max && possible > countBits(row.sure);
  });
}

function openCalls(rows: readonly { sure: Bits; possible: Bits }[], calls: readonly Call[]): string[] {
  const isOpen = (index: number): boolean =>
    rows.some(({ sure, possible }) => hasBit(possible, index) && !hasBit(sure, index));
  return calls.filter((_, index) => isOpen(index)).map((call) => call.id);
}
