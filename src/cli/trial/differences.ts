/** Differing values side by side, or one above the other where there is no room. */
import { type Difference, inlineExpected, inlineJson, visibleLine } from '../../engine/index.ts';
import { counted } from '../text/figures.ts';
import { indent, type Page } from '../text/page.ts';
import { padEnd, width, wrap } from '../text/width.ts';

interface Row {
  path: string;
  expected: string;
  actual: string;
}

const GAP = 2;
/** Of values that differ in more places the first are told. */
const SHOWN = 50;

/**
 * @param whole what to call the value where it differs as a whole
 * @param limit how much of a value is shown, in characters
 */
export function differenceLines(
  differences: readonly Difference[],
  page: Page,
  { whole = 'value', limit = 400 }: { whole?: string; limit?: number } = {},
): string[] {
  const rows = differences.slice(0, SHOWN).map((difference) => rowOf(difference, whole, limit));
  const left = differences.length - SHOWN;
  const more = left > 0 ? [page.ink.dim(`… and ${counted(left, 'difference')} more`)] : [];
  const head: Row = { path: '', expected: 'expected', actual: 'actual' };
  const columns = ([key]: [keyof Row]): number => Math.max(...[head, ...rows].map((row) => width(row[key])));
  const path = columns(['path']);
  const expected = columns(['expected']);
  if (path + expected + columns(['actual']) + 2 * GAP > page.columns)
    return [...rows.flatMap((row) => stacked(row, page)), ...more];

  const { dim, green, red } = page.ink;
  const line = (row: Row, styles: ((text: string) => string)[]): string =>
    [padEnd(row.path, path + GAP), padEnd(row.expected, expected + GAP), row.actual]
      .map((cell, index) => styles[index]?.(cell) ?? cell)
      .join('');
  return [line(head, [dim, dim, dim]), ...rows.map((row) => line(row, [String, green, red])), ...more];
}

function stacked(row: Row, page: Page): string[] {
  return [row.path, ...indent(expectedAndActual(row.expected, row.actual, { ...page, columns: page.columns - 2 }), 2)];
}

/** `expected  …` and below it `actual    …`, each broken into lines where it must be. */
export function expectedAndActual(expected: string | undefined, actual: string | undefined, page: Page): string[] {
  const { dim, green, red } = page.ink;
  const part = (name: string, text: string | undefined, style: (text: string) => string): string[] =>
    text === undefined
      ? []
      : wrap(text, page.columns - 10).map((line, index) => `${dim(padEnd(index === 0 ? name : '', 10))}${style(line)}`);
  return [...part('expected', expected, green), ...part('actual', actual, red)];
}

function rowOf({ path, expected, actual, matcher }: Difference, whole: string, limit: number): Row {
  return {
    path: path === '' ? whole : dotted(path),
    expected: expectation(matcher, expected, limit),
    actual: actual === undefined ? 'missing' : inlineJson(actual, limit),
  };
}

/** In the suite's own words: `$gte 10`, `$string`, and a plain value as itself. */
function expectation(matcher: string, expected: Difference['expected'], limit: number): string {
  if (expected === undefined) return 'nothing';
  if (expected === matcher) return visibleLine(matcher);
  const value = inlineExpected(expected, limit);
  return matcher.startsWith('$') && matcher !== '$eq' ? `${visibleLine(matcher)} ${value}` : value;
}

/** `/days/0/name` as `days[0].name`. */
function dotted(pointer: string): string {
  const keys = pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return visibleLine(keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join('')).replace(/^\./, '');
}
