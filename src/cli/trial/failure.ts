/** Why a trial did not pass, down to the argument: what broke, where the suite asked for it, what came instead. */
import {
  type Check,
  type Discrepancy,
  describeCheck,
  describeDiscrepancy,
  inlineExpected,
  inlineJson,
  quotation,
  type Trial,
  visible,
  visibleLine,
} from '../../engine/index.ts';
import { hanging, indent, inset, type Page } from '../text/page.ts';
import type { Places, Spot } from '../text/places.ts';
import { truncate, wrap } from '../text/width.ts';
import { callLines, callsOf } from './calls.ts';
import { causeOf, chainLines } from './chain.ts';
import { differenceLines, expectedAndActual } from './differences.ts';
import { promptOf } from './subject.ts';

/** Lines of a server's stderr. */
const LAST_WORDS = 20;
/** Discrepancies of one check that are explained in full. */
const EXPLAINED = 8;

/** All but the heading, which names the cell. */
export function failureLines(trial: Trial, places: Places, page: Page): string[] {
  const broken = trial.checks.filter(isBroken);
  const lines = [...summary(trial, broken, page)];
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

/** What was asked, how far it came, and why no further: unless the checks, which follow, say so. */
function summary(trial: Trial, broken: readonly Check[], page: Page): string[] {
  const prompt = trial.verdict === 'failed' ? promptOf(trial) : null;
  const words = prompt?.replaceAll(/\s+/g, ' ').trim();
  const asked = words === undefined ? [] : [page.ink.dim(truncate(`prompt: ${visibleLine(words)}`, page.columns))];
  const cause = causeOf(trial);
  const isTold = trial.verdict === 'failed' && broken.some(({ outcome }) => outcome === 'failed');
  // Where the chain shows the stage, it is not said again.
  const isShown = trial.verdict === 'failed' && trial.chain.some(({ state }) => state === 'broke');
  const shown = cause === null ? null : { ...cause, stage: isShown ? null : cause.stage };
  const why = isTold ? [] : shown === null ? [trial.verdict] : causeLines(shown, page);
  return [...asked, ...chainLines(trial.chain, page), ...why, ...crashLines(trial, page)];
}

/** Stage and reason; what a server said on stderr, and what to do, on lines of their own. */
export function causeLines(
  { stage, text }: { stage: string | null; text: string },
  page: Page,
  style: (line: string) => string = String,
): string[] {
  const { sentence, quoted, after } = quotation(text);
  const lines = wrap(visible(stage === null ? sentence : `${stage}: ${sentence}`), page.columns).map(style);
  const advice = after === '' ? [] : wrap(visible(after), page.columns).map(style);
  return [...lines, ...stderrLines(quoted, page), ...advice];
}

/** The last words of servers that died during a call. */
function crashLines(trial: Trial, page: Page): string[] {
  return callsOf(trial).flatMap(({ error }, index) => {
    const { quoted } = quotation(error?.kind === 'crashed' ? error.text : '');
    return quoted.length === 0 ? [] : stderrLines(quoted, page, ` of the server of call ${index + 1}`);
  });
}

function stderrLines(quoted: readonly string[], page: Page, whose = ''): string[] {
  if (quoted.length === 0) return [];
  const shown = quoted
    .slice(-LAST_WORDS)
    .flatMap((line) => wrap(visible(line).replaceAll('\t', '    '), page.columns - 2));
  return [page.ink.dim(`last lines on stderr${whose}:`), ...indent(shown, 2)];
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
  const { expected, actual } = check;
  return expectedAndActual(
    expected === undefined ? undefined : inlineExpected(expected, 400),
    actual === undefined ? undefined : inlineJson(actual, 400),
    page,
  );
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
      return located(describeDiscrepancy(discrepancy), places.extras(check.at), places, page);
  }
}

/** What, where, and the line that stands there. */
function located(what: string, place: string | Spot, places: Places, page: Page): string[] {
  const { red, dim } = page.ink;
  return [
    ...wrap(what, page.columns).map((line) => red(line)),
    ...indent([dim(places.name(place)), ...places.excerpt(place, inset(page, 2))], 2),
  ];
}
