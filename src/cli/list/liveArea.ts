/**
 * A few lines at the end of the output that are drawn over again and again, while finished lines pile up above them.
 * The cursor is never hidden, so nothing has to be put back, whatever ends the process.
 */
import type { Output } from '../terminal.ts';
import { width } from '../text/width.ts';

const ESC = '\u001b[';
const ERASE_LINE_END = `${ESC}K`;
/** Some terminals scroll what this erases into their history, when it erases the whole screen. */
const ERASE_BELOW = `${ESC}J`;

export class LiveArea {
  readonly #out: Output;
  /** The lines on the screen, each shorter than a row when it was drawn. */
  #drawn: readonly string[] = [];

  constructor(out: Output) {
    this.#out = out;
  }

  /** Draws the area anew; `lines` must each be shorter than a row. What does not fit the screen's height is left out. */
  draw(lines: readonly string[]): void {
    this.#replace([], lines.slice(0, this.#out.rows - 1));
  }

  /** Prints lines that stay, and the area below them again, in one write. */
  print(lines: readonly string[]): void {
    if (lines.length > 0) this.#replace(lines, this.#drawn);
  }

  /** Takes the area off the screen. */
  clear(): void {
    const rows = this.#rows;
    if (rows > 0) this.#out.write(`${up(rows)}${`${ERASE_LINE_END}\n`.repeat(rows)}${up(rows)}`);
    this.#drawn = [];
  }

  /** Over the area: lines that stay, and a new area. Each line is overwritten in place, so that nothing flickers. */
  #replace(lines: readonly string[], area: readonly string[]): void {
    // A line that goes over the edge would leave the rest of an old one behind it.
    const isLong = lines.some((line) => width(line) >= this.#out.columns);
    const text = [...lines, ...area].map((line) => `${line}${isLong ? '' : ERASE_LINE_END}\n`).join('');
    this.#out.write(`${up(this.#rows)}${isLong ? ERASE_BELOW : ''}${text}${ERASE_BELOW}`);
    this.#drawn = area;
  }

  /** A terminal made narrower since has broken the lines into more rows. */
  get #rows(): number {
    return this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / this.#out.columns)), 0);
  }
}

/** To the start of the row so many rows above. */
function up(rows: number): string {
  return rows === 0 ? '' : `${ESC}${rows}A\r`;
}
