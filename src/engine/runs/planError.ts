/** Mistakes in what was asked for, found while planning: nothing has been started. */
import { McproveError } from '../errors.ts';
import type { Case, Suite } from '../suite/model.ts';
import { nearest } from '../suite/nearest.ts';
import type { PlannedCell } from './plan.ts';
import { fitsCell, type Selection } from './selection.ts';

const namesShown = 5;

/** Which part of the selection left nothing over. */
export function emptySelection(
  suite: Suite,
  selection: Selection,
  all: readonly PlannedCell[],
  isFocused: boolean,
): McproveError {
  const focus = isFocused ? ' Cases marked `only` leave out all others.' : '';
  const { cells, tags, failedOf } = selection;
  if (cells !== undefined && !all.some(({ cell, name }) => cells.some((pattern) => fitsCell(pattern, cell, name)))) {
    return new McproveError('PLAN001', `no cell of ${suite.name} fits ${quoted(cells)}`, {
      hint: nearestCells(cells, all),
    });
  }
  const hasTag = (testCase: Case) => testCase.tags.some((tag) => tags?.includes(tag));
  if (tags !== undefined && !suite.cases.some(hasTag)) {
    const known = [...new Set(suite.cases.flatMap((testCase) => testCase.tags))];
    const hint = known.length === 0 ? 'Its cases have no tags.' : `Its tags: ${quoted(known)}.`;
    return new McproveError('PLAN002', `no case of ${suite.name} has the tag ${quoted(tags)}`, { hint });
  }
  if (failedOf !== undefined && failedOf.length === 0) {
    return new McproveError('PLAN003', `the last run of ${suite.name} has no failed or errored cell`, {
      hint: 'Run it without --failed.',
    });
  }
  return new McproveError('PLAN001', `no cell of ${suite.name} fits all that was asked for`, {
    hint: `Leave out -t, --tag or --failed.${focus}`,
  });
}

function nearestCells(patterns: readonly string[], all: readonly PlannedCell[]): string {
  const names = [...new Set(all.flatMap(({ cell, name }) => [name, cell.case]))];
  const close = patterns.map((pattern) => nearest(pattern, names)).filter((name) => name !== undefined);
  return close.length > 0 ? `Did you mean ${quoted(close)}?` : `Its cells: ${quoted(names)}.`;
}

/** PLAN004: on CI, `only` would silently turn the other cases off. */
export function onlyInCi(suite: Suite, testCase: Case): McproveError {
  return new McproveError('PLAN004', `case "${testCase.id}" is marked \`only\`, which is refused where CI is set`, {
    hint: 'Remove `only`.',
    range: suite.locate(`${testCase.at}/only`, { key: true }),
  });
}

export function noModel(suite: Suite, testCase: Case): McproveError {
  return new McproveError('PLAN005', `no model for case "${testCase.id}"`, {
    hint: 'Name one under `models:` in the suite or with --model, or give the case a `script`.',
    range: suite.locate(testCase.at),
  });
}

export function tooManyTrials(suite: Suite, count: number, limit: number): McproveError {
  const [found, most] = [count, limit].map((figure) => figure.toLocaleString('en'));
  return new McproveError('PLAN006', `${suite.name} plans ${found} trials; the limit is ${most}`, {
    hint: 'Select fewer cells or models, ask for fewer trials, or confirm that so many are meant.',
  });
}

export function onlySkipped(suite: Suite, skipped: readonly { cell: string; reason: string }[]): McproveError {
  const reasons = new Map<string, number>();
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const shown = [...reasons].slice(0, namesShown).map(([reason, count]) => `${count} × ${reason}`);
  return new McproveError('PLAN007', `every selected cell of ${suite.name} is skipped: ${shown.join('; ')}`, {
    hint: 'Run it where nothing is skipped, or select other cells.',
  });
}

/** PLAN008: the order was changed for this run, and a case has a range that only `order: any` can count. */
export function rangeWithoutAnyOrder(suite: Suite, testCase: Case, at: string): McproveError {
  const message = `case "${testCase.id}" expects a range of calls, which the order ${testCase.match.order} cannot count`;
  return new McproveError('PLAN008', message, {
    hint: 'Leave out --match order for this suite, or give an exact `count`.',
    range: suite.locate(`${at}/count`),
  });
}

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map((name) => `"${name}"`);
  return names.length > namesShown ? `${shown.join(', ')} and ${names.length - namesShown} more` : shown.join(', ');
}
