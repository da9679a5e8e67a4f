/** What text is laid out for: how wide it may be, and in which colours. */
import type { Ink } from '../terminal.ts';
import { wrap } from './width.ts';

export interface Page {
  columns: number;
  ink: Ink;
}

/** The same page, `cells` narrower: for lines that will be indented. */
export function inset(page: Page, cells: number): Page {
  return { ...page, columns: Math.max(16, page.columns - cells) };
}

export function indent(lines: readonly string[], cells: number): string[] {
  const space = ' '.repeat(cells);
  return lines.map((line) => (line === '' ? '' : space + line));
}

/** A text of any length under a first word: `reason  because of that,` and what follows is aligned with it. */
export function hanging(first: string, text: string, page: Page, style: (line: string) => string = String): string[] {
  const space = ' '.repeat(first.length);
  return wrap(text, Math.max(16, page.columns - first.length)).map(
    (line, index) => `${index === 0 ? page.ink.dim(line === '' ? first.trimEnd() : first) : space}${style(line)}`,
  );
}
