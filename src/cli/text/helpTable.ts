/** A table of two columns below the help of a command; one above the other where the page is narrow. */
import { indent } from './page.ts';
import { padEnd, width, wrap } from './width.ts';

const NARROWEST_TEXT = 24;

export function helpTable(
  title: string,
  rows: readonly (readonly [head: string, text: string])[],
  columns: number,
): string {
  const heads = Math.max(...rows.map(([head]) => width(head)));
  const room = columns - heads - 4;
  const lines = rows.flatMap(([head, text]) => {
    if (text === '') return [head];
    if (room < NARROWEST_TEXT) return [head, ...indent(wrap(text, columns - 6), 4)];
    return wrap(text, room).map((line, index) => `${padEnd(index === 0 ? head : '', heads)}  ${line}`);
  });
  return ['', `${title}:`, ...indent(lines, 2)].join('\n');
}
