import type { Position, SourceRange } from '../errors.ts';

/** The lines of one text: from an offset to a place a person can find. Built when first asked. */
export class Lines {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
  #starts: number[] | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** Offsets count UTF-16 code units from 0; those beyond the text mean its end. */
  range(start: number, end: number): SourceRange {
    return { file: this.file, start: this.position(start), end: this.position(Math.max(start, end)) };
  }

  position(offset: number): Position {
    const inside = Math.max(0, Math.min(offset, this.text.length));
    this.#starts ??= lineStarts(this.text);
    const starts = this.#starts;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= inside) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: inside - (starts[low] ?? 0) + 1, offset: inside };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
