/** What a line reader gives. */
export type LineEvent =
  | { kind: 'line'; bytes: Buffer }
  /** The line now being read has passed the limit: `head` is how it began. Its end follows as `oversized`. */
  | { kind: 'overflow'; head: Buffer }
  | { kind: 'oversized'; head: Buffer; tail: Buffer; length: number };

const NEWLINE = 0x0a;
/** Bytes kept from each end of a line beyond the limit: enough to find the id of the answer it was. */
const KEPT = 1024;
/** Pieces are merged up to this size, so that a stream of single bytes does not cost a buffer each. */
const MERGED = 64 * 1024;

/**
 * Cuts a stream of bytes into lines without their newline, and never holds more than `limit` bytes of one line. How the
 * stream is split into chunks changes nothing.
 */
export class LineReader {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #length = 0;
  /** Set while a line beyond the limit is being skipped. */
  #skipped: { head: Buffer; tail: Buffer } | null = null;

  /** @param limit bytes in a line, without the newline */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): LineEvent[] {
    const events: LineEvent[] = [];
    let start = 0;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, start);
      const piece = chunk.subarray(start, newline === -1 ? chunk.length : newline);
      if (piece.length > 0) this.#take(piece, events);
      if (newline === -1) return events;
      events.push(this.#endLine());
      start = newline + 1;
    }
  }

  /** The stream has ended: what stands there without a newline is a line too. */
  end(): LineEvent[] {
    return this.#length === 0 ? [] : [this.#endLine()];
  }

  /** How the unfinished line begins: at most 1 KiB. */
  get unfinished(): Buffer {
    return this.#skipped?.head ?? firstBytes(this.#pieces);
  }

  #take(piece: Buffer, events: LineEvent[]): void {
    this.#length += piece.length;
    if (this.#skipped !== null) {
      this.#skipped.tail = lastBytes([this.#skipped.tail, piece]);
    } else if (this.#length <= this.#limit) {
      this.#hold(piece);
    } else {
      const pieces = [...this.#pieces, piece];
      this.#pieces = [];
      // Not beyond the limit, so that the head is the same wherever the chunks were cut.
      this.#skipped = { head: firstBytes(pieces).subarray(0, this.#limit), tail: lastBytes(pieces) };
      events.push({ kind: 'overflow', head: this.#skipped.head });
    }
  }

  #hold(piece: Buffer): void {
    let merged = piece;
    for (let last = this.#pieces.at(-1); last !== undefined; last = this.#pieces.at(-1)) {
      if (last.length > merged.length || last.length + merged.length > MERGED) break;
      this.#pieces.pop();
      merged = Buffer.concat([last, merged]);
    }
    this.#pieces.push(merged);
  }

  #endLine(): LineEvent {
    const length = this.#length;
    const skipped = this.#skipped;
    const [first, ...rest] = this.#pieces;
    this.#pieces = [];
    this.#length = 0;
    this.#skipped = null;
    if (skipped !== null) return { kind: 'oversized', ...skipped, length };
    if (first === undefined) return { kind: 'line', bytes: Buffer.alloc(0) };
    return { kind: 'line', bytes: rest.length === 0 ? first : Buffer.concat([first, ...rest]) };
  }
}

function firstBytes(pieces: readonly Buffer[]): Buffer {
  const first: Buffer[] = [];
  let length = 0;
  for (const piece of pieces) {
    if (length >= KEPT) break;
    first.push(piece.subarray(0, KEPT - length));
    length += piece.length;
  }
  return Buffer.concat(first);
}

function lastBytes(pieces: readonly Buffer[]): Buffer {
  const last: Buffer[] = [];
  let length = 0;
  for (const piece of pieces.toReversed()) {
    if (length >= KEPT) break;
    last.unshift(piece.subarray(-(KEPT - length)));
    length += piece.length;
  }
  return Buffer.concat(last);
}
