/** What a terminal shows of what was written to it: a small one, endlessly high, without colours. */
import { width } from '../../../src/cli/text/width.ts';

const TOKEN = new RegExp(`${String.fromCharCode(27)}\\[(\\d*)([A-Za-z])|[\\s\\S]`, 'gu');

/** Knows the codes that we use, and no other, so that nobody begins to use one unseen. */
export class Screen {
  readonly #columns: number;
  /** Cells; the second one of a wide character is ''. */
  readonly #rows: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(text: string): void {
    for (const [token, count, code] of text.matchAll(TOKEN)) {
      if (code !== undefined) this.#obey(code, Number(count));
      else if (token === '\n') this.#down();
      else if (token === '\r') this.#column = 0;
      else this.#print(token);
    }
  }

  /** Lines without what is blank at their ends, down to the cursor or the last line that is not blank. */
  text(): string {
    const lines = this.#rows.map((row) =>
      Array.from(row, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    );
    const last = lines.findLastIndex((line) => line !== '');
    return lines.slice(0, Math.max(last, this.#row) + 1).join('\n');
  }

  #obey(code: string, count: number): void {
    if (code === 'A') this.#row = Math.max(0, this.#row - Math.max(1, count));
    else if (code === 'K') this.#current().length = Math.min(this.#current().length, this.#column);
    else if (code === 'J') {
      this.#current().length = Math.min(this.#current().length, this.#column);
      this.#rows.length = this.#row + 1;
    } else if (code !== 'm') throw new Error(`unknown escape code ${code}`);
  }

  #print(character: string): void {
    const cells = width(character);
    if (cells === 0) {
      this.#current()[this.#column - 1] += character;
      return;
    }
    if (this.#column + cells > this.#columns) this.#down();
    const row = this.#current();
    while (row.length < this.#column) row.push(' ');
    row[this.#column] = character;
    for (let filler = 1; filler < cells; filler += 1) row[this.#column + filler] = '';
    this.#column += cells;
  }

  #down(): void {
    this.#row += 1;
    this.#column = 0;
    if (this.#rows[this.#row] === undefined) this.#rows.push([]);
  }

  #current(): string[] {
    const row = this.#rows[this.#row];
    if (row === undefined) throw new Error(`no row ${this.#row}`);
    return row;
  }
}
