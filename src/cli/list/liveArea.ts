/**
 * A few lines at the end of the output that are drawn over again and again, while finished lines pile up above them.
 * The cursor is never hidden, so nothing has to be put back, whatever ends the process.
 */
import type { Output } from '../terminal.ts';
import { width } from '../text/width.ts';

const ESC = '\u001b[';
const ERASE_LINE_END = `${ESC}K`;
const ERASE_BELOW = `${ESC}J`;

export class LiveArea {
  readonly #out: Output;
  /** The lines on the screen, each shorter than a row when it was drawn. */
  #drawn: readonly string[] = [];

  constructor(out: Output) {
    this.#out = out;
  }

  /** Draws the area anew; `lines` must each fit in a row. What does not fit the screen's height is left out. */
  draw(lines: readonly string[]): void {
    const area = lines.slice(0, this.#out.rows - 1);
    this.#out.write(`${this.#toTop()}${area.map((line) => `${line}${ERASE_LINE_END}\n`).join('')}${ERASE_BELOW}`);
    this.#drawn = area;
  }

  /** Prints lines that stay, and the area below them again, in one write. */
  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const block = (texts: readonly string[]): string => texts.map((line) => `${line}\n`).join('');
    this.#out.write(`${this.#toTop()}${ERASE_BELOW}${block(lines)}${block(this.#drawn)}`);
  }

  /** Takes the area off the screen. */
  clear(): void {
    if (this.#drawn.length > 0) this.#out.write(`${this.#toTop()}${ERASE_BELOW}`);
    this.#drawn = [];
  }

  /** Moves to the area's first row. A terminal made narrower since has broken its lines into more rows. */
  #toTop(): string {
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(width(line) / this.#out.columns)), 0);
    return rows === 0 ? '' : `${ESC}${rows}A\r`;
  }
}
