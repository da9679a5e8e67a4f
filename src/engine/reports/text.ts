/** A check, a discrepancy and a difference in plain words: the same in the terminal and in every report. */
import { didYouMean, differencesSentence, noServerOffers, type Wording } from '../grading/sentences.ts';
import type { Check, Difference, Discrepancy, Json } from '../record.ts';
import { tidy } from '../sentence.ts';
import { clip, inlineExpected, inlineJson } from './inline.ts';
import { visibleLine } from './visible.ts';

const REASON_LIMIT = 500;

/** One line: the label, the outcome where it is neither passed nor failed, and the reason. Safe to print. */
export function describeCheck(check: Check): string {
  const outcome = OUTCOME_WORDS[check.outcome];
  const parts = [oneLine(check.label)];
  if (outcome !== null) parts.push(outcome);
  if (check.outcome !== 'passed' && check.reason !== '') parts.push(oneLine(check.reason));
  return parts.join(': ');
}

const OUTCOME_WORDS: Record<Check['outcome'], string | null> = {
  passed: null,
  failed: null,
  notMeasured: 'not measured',
  notApplicable: 'not applicable',
  notReached: 'not reached',
};

/**
 * One line that begins with the category: `argument mismatch: get_weather: city is "Paris", expected "Berlin"`.
 * Safe to print.
 */
export function describeDiscrepancy(discrepancy: Discrepancy): string {
  const tool = oneLine(discrepancy.tool);
  switch (discrepancy.kind) {
    case 'missing':
      return `missing: ${tool}${withArguments(discrepancy.expected, inlineExpected)}${missingWhy(discrepancy)}`;
    case 'extra': {
      const { counts, arguments: given, hallucinated, nearest } = discrepancy;
      const category = counts ? 'extra' : 'extra, allowed';
      const why = hallucinated === true ? `: ${noServerOffers(nearest)}` : didYouMean(nearest);
      return `${category}: ${tool}${withArguments(given, inlineJson)}${oneLine(why)}`;
    }
    case 'outOfOrder':
      return `out of order: ${tool}: ${oneLine(discrepancy.text)}`;
    case 'argumentMismatch':
      return `argument mismatch: ${tool}: ${describeDifferences(discrepancy.differences, 'the argument object')}`;
  }
}

/** Values at some length, where a sentence has only room for short ones. */
const WORDING: Wording = {
  plain: (value) => inlineJson(value, 80),
  expected: (value) => inlineExpected(value, 80),
  shown: 5,
};

function describeDifferences(differences: readonly Difference[], whole: string): string {
  return visibleLine(differencesSentence(differences, whole, WORDING));
}

function missingWhy({ neverOffered, refused, nearest }: Extract<Discrepancy, { kind: 'missing' }>): string {
  if (neverOffered === true) return `: ${oneLine(noServerOffers(nearest))}`;
  const hint = oneLine(didYouMean(nearest));
  if (refused === undefined) return hint;
  const { call, text, differences } = refused;
  const details = differences.length === 0 ? '' : `: ${describeDifferences(differences, 'the result')}`;
  return `: call ${oneLine(call)} ${oneLine(text)}${details}${hint}`;
}

function withArguments(args: Json, write: (value: Json, limit: number) => string): string {
  const isNothing = args === null || (typeof args === 'object' && Object.keys(args).length === 0);
  return isNothing ? '' : ` ${write(args, 120)}`;
}

function oneLine(text: string): string {
  const line = visibleLine(tidy(text));
  return line.length > REASON_LIMIT ? `${clip(line, REASON_LIMIT - 1)}…` : line;
}
