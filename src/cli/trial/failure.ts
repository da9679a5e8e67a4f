/** Why a trial did not pass, down to the argument: what broke, where the suite asked for it, what came instead. */
import {
  type Check,
  type Discrepancy,
  describeCheck,
  describeDiscrepancy,
  inlineJson,
  type Trial,
  visible,
  visibleLine,
} from '../../engine/index.ts';
import { hanging, indent, inset, type Page } from '../text/page.ts';
import type { Places } from '../text/places.ts';
import { truncate, wrap } from '../text/width.ts';
import { callLines, callsOf } from './calls.ts';
import { causeOf, chainLines } from './chain.ts';
import { differenceLines, expectedAndActual } from './differences.ts';
import { promptOf } from './subject.ts';

/** Discrepancies of one check that are explained in full. */
const EXPLAINED = 8;

/** All but the heading, which names the cell. */
export function failureLines(trial: Trial, places: Places, page: Page): string[] {
  const broken = trial.checks.filter(isBroken);
  const lines = [...summary(trial, page)];
  for (const check of broken) lines.push('', ...checkLines(check, trial, places, page));
  const advisory = trial.checks.filter((check) => check.role === 'advisory' && check.outcome === 'failed');
  if (advisory.length > 0) lines.push('');
  for (const check of advisory) {
    lines.push(...hanging('advisory  ', `${describeCheck(check)} (${places.name(check.at)})`, page, page.ink.dim));
  }
  return lines;
}

/** A required check that did not come out well. */
export function isBroken(check: Check): boolean {
  return check.role === 'required' && (check.outcome === 'failed' || check.outcome === 'notMeasured');
}

/** What was asked, how far it came, and why no further. */
function summary(trial: Trial, page: Page): string[] {
  const prompt = trial.verdict === 'failed' ? promptOf(trial) : null;
  const asked = prompt === null ? [] : [page.ink.dim(truncate(`prompt: ${visibleLine(prompt)}`, page.columns))];
  return [...asked, ...chainLines(trial.chain, page), ...wrap(whyText(trial), page.columns)];
}

/** Where the chain shows the stage, it is not said again. */
function whyText(trial: Trial): string {
  const cause = causeOf(trial);
  if (cause === null) return trial.verdict;
  const isShown = trial.verdict === 'failed' && trial.chain.some(({ state }) => state === 'broke');
  return visible(isShown ? cause.text : `${cause.stage}: ${cause.text}`);
}

export function checkLines(check: Check, trial: Trial, places: Places, page: Page): string[] {
  const found = check.diff ?? [];
  const counting = found.filter((discrepancy) => discrepancy.kind !== 'extra' || discrepancy.counts);
  if (counting.length === 0) {
    const lines = located(describeCheck(check), check.at, places, page);
    return [...lines, ...indent(valueLines(check, inset(page, 2)), 2)];
  }
  const lines = counting
    .slice(0, EXPLAINED)
    .flatMap((discrepancy, index) => [
      ...(index === 0 ? [] : ['']),
      ...discrepancyLines(discrepancy, { check, trial }, places, page),
    ]);
  if (counting.length > EXPLAINED) lines.push('', `… and ${counting.length - EXPLAINED} more of this kind`);
  const calls = callLines(trial, found, inset(page, 2));
  return [...lines, '', page.ink.dim('calls, in the order they were made'), ...indent(calls, 2)];
}

function valueLines(check: Check, page: Page): string[] {
  const text = (value: Check['expected']): string | undefined =>
    value === undefined ? undefined : inlineJson(value, 400);
  return expectedAndActual(text(check.expected), text(check.actual), page);
}

function discrepancyLines(
  discrepancy: Discrepancy,
  { check, trial }: { check: Check; trial: Trial },
  places: Places,
  page: Page,
): string[] {
  const inner = inset(page, 2);
  switch (discrepancy.kind) {
    case 'argumentMismatch': {
      const { differences, tool, at } = discrepancy;
      const pointer = places.argument(at, differences[0]?.path ?? '');
      const title = `argument mismatch: ${visibleLine(tool)}`;
      return [
        ...located(title, pointer, places, page),
        ...indent(differenceLines(differences, inner, { whole: 'arguments' }), 2),
      ];
    }
    case 'missing': {
      const { refused, ...missing } = discrepancy;
      if (refused === undefined) return located(describeDiscrepancy(missing), missing.at, places, page);
      const number = callsOf(trial).findIndex(({ id }) => id === refused.call) + 1;
      const what = `${describeDiscrepancy(missing)}: call ${number} ${visibleLine(refused.text)}`;
      const lines = located(what, missing.at, places, page);
      if (refused.differences.length === 0) return lines;
      return [...lines, ...indent(differenceLines(refused.differences, inner, { whole: 'result' }), 2)];
    }
    case 'outOfOrder':
      return located(describeDiscrepancy(discrepancy), discrepancy.at, places, page);
    case 'extra':
      return located(describeDiscrepancy(discrepancy), check.at, places, page);
  }
}

/** What, where, and the line that stands there. */
function located(what: string, pointer: string, places: Places, page: Page): string[] {
  const { red, dim } = page.ink;
  return [
    ...wrap(what, page.columns).map((line) => red(line)),
    ...indent([dim(places.name(pointer)), ...places.excerpt(pointer, inset(page, 2))], 2),
  ];
}
