/** Mistakes in what was asked for, found while planning: nothing has been started. */
import { McproveError, type SourceRange } from '../errors.ts';
import type { Case, Suite } from '../suite/model.ts';
import { nearest } from '../suite/nearest.ts';
import type { RunCode } from './codes.ts';
import type { PlannedCell } from './planned.ts';
import { cellFilter, type Selection } from './selection.ts';

const NAMES_SHOWN = 5;

/** Which part of the selection left nothing over. */
export function emptySelection(
  suite: Suite,
  selection: Selection,
  all: readonly PlannedCell[],
  isFocused: boolean,
): McproveError {
  const focus = isFocused ? ' Cases marked `only` leave out all others.' : '';
  const { cells, tags, failedOf } = selection;
  if (cells !== undefined && !all.some(cellFilter(cells, all).fits)) {
    return mistake('PLAN001', `no cell of ${suite.name} fits ${quoted(cells)}`, {
      hint: nearestCells(cells, all),
    });
  }
  const hasTag = (testCase: Case) => testCase.tags.some((tag) => tags?.includes(tag));
  if (tags !== undefined && !suite.cases.some(hasTag)) {
    const known = [...new Set(suite.cases.flatMap((testCase) => testCase.tags))];
    const hint = known.length === 0 ? 'Its cases have no tags.' : `Its tags: ${quoted(known)}.`;
    return mistake('PLAN002', `no case of ${suite.name} has the tag ${quoted(tags)}`, { hint });
  }
  if (failedOf?.every(({ passed }) => passed) === true) {
    return mistake('PLAN003', `every cell of ${suite.name} that was run passed the last time`, {
      hint: 'Run it without --failed.',
    });
  }
  return mistake('PLAN001', `no cell of ${suite.name} fits all that was asked for`, {
    hint: `Leave out -t, --tag or --failed.${focus}`,
  });
}

function nearestCells(patterns: readonly string[], all: readonly PlannedCell[]): string {
  const ids = [...new Set(all.flatMap(({ cell, name }) => [name, cell.case]))];
  const names = [...new Set([...ids, ...all.map((planned) => planned.case.name)])];
  const close = patterns.flatMap((pattern) => nearest(pattern, names) ?? holding(pattern, all));
  return close.length > 0 ? `Did you mean ${quoted(close)}?` : `Its cells: ${quoted(ids)}.`;
}

/** Ids of the cases in whose id or name a text stands, in whatever case. */
function holding(text: string, all: readonly PlannedCell[]): string[] {
  const part = text.replaceAll('*', '').toLowerCase();
  if (part === '') return [];
  const cases = all.filter((planned) => `${planned.cell.case}\n${planned.case.name}`.toLowerCase().includes(part));
  return [...new Set(cases.map(({ cell }) => cell.case))];
}

/** PLAN004: on CI, `only` would silently turn the other cases off. */
export function onlyInCi(suite: Suite, testCase: Case): McproveError {
  return mistake('PLAN004', `case "${testCase.id}" is marked \`only\`, which is refused where CI is set`, {
    hint: 'Remove `only`.',
    range: suite.locate(`${testCase.at}/only`, { key: true }),
  });
}

export function noModel(suite: Suite, testCase: Case): McproveError {
  return mistake('PLAN005', `no model for case "${testCase.id}"`, {
    hint: 'Name one under `models:` in the suite or with --model, or give the case a `script`, as `mcprove init` does.',
    range: suite.locate(testCase.at),
  });
}

export function tooManyTrials(suite: Suite, count: number, limit: number): McproveError {
  const [found, most] = [count, limit].map((figure) => figure.toLocaleString('en'));
  return mistake('PLAN006', `${suite.name} plans ${found} trials; the limit is ${most}`, {
    hint: 'Select fewer cells or models, ask for fewer trials, or run it with --many-trials.',
  });
}

export function onlySkipped(suite: Suite, skipped: readonly { cell: string; reason: string }[]): McproveError {
  const reasons = new Map<string, number>();
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const shown = [...reasons].slice(0, NAMES_SHOWN).map(([reason, count]) => `${count} × ${reason}`);
  return mistake('PLAN007', `every selected cell of ${suite.name} is skipped: ${shown.join('; ')}`, {
    hint: 'Run it where nothing is skipped, or select other cells.',
  });
}

/** PLAN008: the order was changed for this run, and a case has a range that only `order: any` can count. */
export function rangeWithoutAnyOrder(suite: Suite, testCase: Case, at: string): McproveError {
  const message = `case "${testCase.id}" expects a range of calls, which the order ${testCase.match.order} cannot count`;
  return mistake('PLAN008', message, {
    hint: 'Leave out --match order for this suite, or give an exact `count`.',
    range: suite.locate(`${at}/count`),
  });
}

function mistake(code: RunCode, message: string, more: { hint: string; range?: SourceRange }): McproveError {
  return new McproveError(code, message, more);
}

function quoted(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `"${name}"`);
  return names.length > NAMES_SHOWN ? `${shown.join(', ')} and ${names.length - NAMES_SHOWN} more` : shown.join(', ');
}
