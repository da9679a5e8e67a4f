/** A line of a file with a mark under the place that is meant. */
import { type SourceRange, visible } from '../../engine/index.ts';
import type { Page } from './page.ts';
import { truncate, width } from './width.ts';

/**
 * Two lines, the second with carets:
 *
 *     14 │     - get_weather: { city: Paris }
 *        │                            ^^^^^
 *
 * @param text the whole file
 * @returns [] where the file no longer has that line
 */
export function excerpt(text: string, range: SourceRange, page: Page): string[] {
  const { line, column } = range.start;
  const source = text.split(/\r\n|\r|\n/, line)[line - 1];
  if (source === undefined) return [];

  const number = String(line);
  const room = page.columns - number.length - 3;
  const end = range.end.line === line ? range.end.column - 1 : source.length;
  // Of a line of a megabyte no more is looked at than could be shown.
  const reach = room * 4;
  const before = visible(source.slice(Math.max(0, column - 1 - reach), column - 1));
  const shown = intoRoom(before, visible(source.slice(column - 1, column - 1 + reach)), room);
  const marked = visible(source.slice(column - 1, Math.min(Math.max(end, column), column + reach)));
  const carets = Math.max(1, Math.min(width(marked.trimEnd()), room - width(shown.before)));
  const { dim, red } = page.ink;
  return [
    `${dim(`${number} │`)} ${shown.before}${shown.after}`,
    `${dim(`${' '.repeat(number.length)} │`)} ${' '.repeat(width(shown.before))}${red('^'.repeat(carets))}`,
  ];
}

/** Cuts on the left where the mark would otherwise stand beyond the middle with no room for what follows, and on the right. */
function intoRoom(before: string, after: string, room: number): { before: string; after: string } {
  const tail = after.replaceAll('\t', '  ');
  const lead = room - Math.min(width(tail), Math.ceil(room / 2));
  let head = before.replaceAll('\t', '  ');
  if (width(head) > lead) {
    const graphemes = [...head];
    while (width(graphemes.join('')) > lead - 1) graphemes.shift();
    head = `…${graphemes.join('')}`;
  }
  return { before: head, after: truncate(tail, Math.max(1, room - width(head))) };
}
