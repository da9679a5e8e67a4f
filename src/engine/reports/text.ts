/** A check, a discrepancy and a difference in plain words: the same in the terminal and in every report. */
import type { Check, Difference, Discrepancy, Json } from '../record.ts';
import { clip, inlineJson } from './inline.ts';
import { visibleLine } from './visible.ts';

const DIFFERENCES_SHOWN = 5;
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
      return `missing: ${withArguments(tool, discrepancy.expected)}${missingWhy(discrepancy)}`;
    case 'extra': {
      const category = discrepancy.counts ? 'extra' : 'extra, allowed';
      const why = discrepancy.hallucinated === true ? `: ${noSuchTool(discrepancy.nearest)}` : '';
      return `${category}: ${withArguments(tool, discrepancy.arguments)}${why}`;
    }
    case 'outOfOrder':
      return `out of order: ${tool}: ${oneLine(discrepancy.text)}`;
    case 'argumentMismatch':
      return `argument mismatch: ${tool}: ${describeDifferences(discrepancy.differences, 'the argument object')}`;
  }
}

/**
 * One line: `city is "Paris", expected "Berlin"`. Safe to print.
 *
 * @param whole what to call the value when the difference lies in all of it
 */
export function describeDifference(difference: Difference, whole = 'the value'): string {
  const place = difference.path === '' ? whole : dotted(difference.path);
  const actual = difference.actual === undefined ? 'missing' : inlineJson(difference.actual, 80);
  if (difference.expected === undefined) {
    return difference.actual === undefined ? `${place} is missing` : `${place} is ${actual}, which was not expected`;
  }
  return `${place} is ${actual}, expected ${expectation(difference.matcher, difference.expected)}`;
}

function describeDifferences(differences: readonly Difference[], whole: string): string {
  const shown = differences.slice(0, DIFFERENCES_SHOWN).map((difference) => describeDifference(difference, whole));
  const left = differences.length - shown.length;
  return left > 0 ? `${shown.join('; ')}; and ${left} more` : shown.join('; ');
}

function missingWhy(missing: Extract<Discrepancy, { kind: 'missing' }>): string {
  if (missing.neverOffered === true) return `: ${noSuchTool(missing.nearest)}`;
  if (missing.refused === undefined) return didYouMean(missing.nearest);
  const { call, text, differences } = missing.refused;
  const details = differences.length === 0 ? '' : `: ${describeDifferences(differences, 'the result')}`;
  return `: call ${oneLine(call)} ${oneLine(text)}${details}`;
}

function noSuchTool(nearest: string | undefined): string {
  return `no server offers this tool${didYouMean(nearest)}`;
}

function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean ${oneLine(nearest)}?`;
}

function withArguments(tool: string, args: Json): string {
  const isNothing = args === null || (typeof args === 'object' && Object.keys(args).length === 0);
  return isNothing ? tool : `${tool} ${inlineJson(args, 120)}`;
}

/** `/days/0/name` as `days[0].name`. */
function dotted(pointer: string): string {
  let text = '';
  for (const raw of pointer.slice(1).split('/')) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^\d+$/.test(key)) text += `[${key}]`;
    else text += text === '' ? key : `.${key}`;
  }
  return oneLine(text);
}

function expectation(matcher: string, expected: Json): string {
  const operand = operandOf(matcher, expected);
  const words = Object.hasOwn(MATCHER_WORDS, matcher) ? MATCHER_WORDS[matcher] : undefined;
  if (words !== undefined) return words(inlineJson(operand, 80), operand);
  return matcher.startsWith('$') ? `${oneLine(matcher)} ${inlineJson(operand, 80)}` : inlineJson(operand, 80);
}

/** A difference may carry the operand, or the matcher as it stands in the suite. */
function operandOf(matcher: string, expected: Json): Json {
  if (expected === null || typeof expected !== 'object' || Array.isArray(expected)) return expected;
  const inner = expected[matcher];
  return inner !== undefined && Object.keys(expected).length === 1 ? inner : expected;
}

const MATCHER_WORDS: Partial<Record<string, (operand: string, value: Json) => string>> = {
  exact: (operand) => `exactly ${operand}`,
  $exact: (operand) => `exactly ${operand}`,
  $any: () => 'any value',
  $string: () => 'a text',
  $number: () => 'a number',
  $integer: () => 'a whole number',
  $boolean: () => 'true or false',
  $object: () => 'an object',
  $array: () => 'a list',
  $null: () => 'null',
  $absent: () => 'nothing there',
  $eq: (operand) => operand,
  $ne: (operand) => `anything but ${operand}`,
  $not: (operand) => `anything but ${operand}`,
  $gt: (operand) => `more than ${operand}`,
  $gte: (operand) => `at least ${operand}`,
  $lt: (operand) => `less than ${operand}`,
  $lte: (operand) => `at most ${operand}`,
  $approx: (operand) => `about ${operand}`,
  $matches: (operand) => `a text matching ${operand}`,
  $contains: (operand) => `one that contains ${operand}`,
  $startsWith: (operand) => `a text beginning with ${operand}`,
  $endsWith: (operand) => `a text ending in ${operand}`,
  $equalsIgnoreCase: (operand) => `${operand} in any case`,
  $size: (operand) => `the size ${operand}`,
  $empty: (_, value) => (value === false ? 'something not empty' : 'something empty'),
  $anyOf: (operand) => `one of ${operand}`,
  $allOf: (operand) => `all of ${operand}`,
  $unordered: (operand) => `${operand} in any order`,
  $schema: (operand) => `a value that satisfies the schema ${operand}`,
  $date: (operand) => `the date ${operand}`,
};

function oneLine(text: string): string {
  const line = visibleLine(text);
  return line.length > REASON_LIMIT ? `${clip(line, REASON_LIMIT - 1)}…` : line;
}
