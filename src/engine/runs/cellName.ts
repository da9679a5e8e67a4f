import type { Cell } from '../record.ts';

/**
 * A cell as written everywhere: `<case id>[row id] (variant, model)`.
 *
 * @param showModel whether the run has several models; with one, its name would only be noise
 */
export function cellName(cell: Cell, showModel: boolean): string {
  const row = cell.row === null ? '' : `[${cell.row}]`;
  const ways = [cell.variant, showModel ? cell.model : null].filter((way) => way !== null);
  return `${cell.case}${row}${ways.length === 0 ? '' : ` (${ways.join(', ')})`}`;
}

/**
 * Whether a text fits a pattern in which `*` stands for any number of characters and everything else for itself. Never
 * tries a place twice, so no pattern is slow.
 */
export function fitsPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const piece of rest) {
    const at = text.indexOf(piece, from);
    if (at === -1 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}
