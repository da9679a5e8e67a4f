import type { Cell, PlannedTrial } from '../record.ts';
import type { Case, MatchOptions, Suite } from '../suite/model.ts';
import { cellName } from './cellName.ts';
import { isCi } from './facts.ts';
import { emptySelection, noModel, onlyInCi, onlySkipped, rangeWithoutAnyOrder, tooManyTrials } from './planError.ts';
import type { Plan, PlanEnvironment, PlannedCell } from './planned.ts';
import { cellFilter, type Selection, selectsCase, selectsCell } from './selection.ts';
import { skipReason } from './skipReason.ts';

/** Trials that a run may hold without being asked for so many. */
const MOST_TRIALS = 10_000;

/** What to change for this one run. */
export interface Overrides {
  /** Trials of every cell, from 1; a trace is read once whatever is asked. */
  trials?: number;
  /** Lies over `match` of every case. */
  match?: Partial<MatchOptions>;
  /** Instead of the suite's models. */
  models?: readonly string[];
  /** Allows more than 10,000 trials. */
  manyTrials?: boolean;
}

/**
 * Lists every trial of a run before anything starts. A trial's id is its cell's name and its number, `get-weather#2`:
 * unique in the suite and the same on every machine that plans the same suite with the same models.
 *
 * @throws McproveError PLAN001 to PLAN008, each of them a mistake in what was asked for: nothing is selected, everything is
 *   skipped, no model, too many trials
 */
export function planRun(suite: Suite, selection: Selection, overrides: Overrides, environment: PlanEnvironment): Plan {
  const focused = suite.cases.filter((testCase) => testCase.only);
  if (focused[0] !== undefined && isCi(environment.env)) throw onlyInCi(suite, focused[0]);
  const models = modelsOf(suite, overrides);
  const cases = (focused.length > 0 ? focused : suite.cases)
    .filter((testCase) => selectsCase(selection, testCase))
    .map((testCase) => withOverrides(testCase, overrides, suite));

  const { cells: patterns } = selection;
  const filter = patterns === undefined ? null : cellFilter(patterns, [...cellsOf(suite, suite.cases, models)]);
  const selected: PlannedCell[] = [];
  const skipped: { cell: string; reason: string }[] = [];
  let count = 0;
  for (const planned of cellsOf(suite, cases, models)) {
    if (!selectsCell(selection, planned.cell, filter?.fits(planned) !== false)) continue;
    const reason = skipReason(planned.case, planned.cell.model, environment);
    if (reason !== null) {
      skipped.push({ cell: planned.name, reason });
      continue;
    }
    count += planned.trials;
    // Counting goes on for the message; nothing more is kept.
    if (count <= MOST_TRIALS || overrides.manyTrials === true) selected.push(planned);
  }
  if (count > MOST_TRIALS && overrides.manyTrials !== true) throw tooManyTrials(suite, count, MOST_TRIALS);
  if (selected.length === 0) {
    if (skipped.length > 0) throw onlySkipped(suite, skipped);
    throw emptySelection(suite, selection, [...cellsOf(suite, suite.cases, models)], focused.length > 0);
  }
  return {
    models,
    cells: selected,
    trials: selected.flatMap(trialsOf),
    skipped,
    unmatched: filter?.unmatched ?? [],
  };
}

/** Every cell of a suite, whatever is selected. @throws McproveError PLAN005 where there is no model */
export function suiteCells(suite: Suite, overrides: Overrides): Cell[] {
  return [...cellsOf(suite, suite.cases, modelsOf(suite, overrides))].map(({ cell }) => cell);
}

function modelsOf(suite: Suite, overrides: Overrides): string[] {
  const asked = overrides.models ?? suite.models?.map((model) => model.id);
  if (asked !== undefined && asked.length > 0) return [...new Set(asked)];
  const prompts = suite.cases.filter((testCase) => testCase.subject.kind === 'prompt');
  if (prompts.length === 0) return [];
  const unscripted = prompts.find((testCase) => testCase.script === null);
  if (unscripted !== undefined) throw noModel(suite, unscripted);
  return ['scripted'];
}

function withOverrides(testCase: Case, overrides: Overrides, suite: Suite): Case {
  const { trials, match } = overrides;
  if (trials === undefined && match === undefined) return testCase;
  const changed: Case = { ...testCase, trials: trials ?? testCase.trials, match: { ...testCase.match, ...match } };
  if (changed.match.order !== 'any' && testCase.match.order === 'any') refuseRanges(suite, changed);
  return changed;
}

/** A number of calls that is a range has no place in an order; the reader refuses it in a file, so here too. */
function refuseRanges(suite: Suite, testCase: Case): void {
  for (const entry of testCase.route?.expected ?? []) {
    const calls = 'anyOf' in entry ? entry.anyOf.flat() : [entry];
    const ranged = calls.find(({ count }) => count !== null && count.min !== count.max);
    if (ranged !== undefined) throw rangeWithoutAnyOrder(suite, testCase, ranged.at);
  }
}

function* cellsOf(suite: Suite, cases: readonly Case[], models: readonly string[]): Generator<PlannedCell> {
  for (const testCase of cases) {
    const isAsked = testCase.subject.kind === 'prompt';
    for (const model of isAsked ? models : [null]) {
      const cell: Cell = { case: testCase.id, row: null, variant: null, model };
      yield {
        cell,
        name: cellName(cell, models.length > 1),
        case: testCase,
        trials: testCase.subject.kind === 'trace' ? 1 : testCase.trials,
        bar: testCase.pass ?? suite.pass.bar,
      };
    }
  }
}

function trialsOf({ cell, name, trials }: PlannedCell): PlannedTrial[] {
  return Array.from({ length: trials }, (_, index) => {
    const number = index + 1;
    return { id: `${name}#${number}`, cell, cellName: name, number };
  });
}
