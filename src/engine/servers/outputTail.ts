const BYTES = 64 * 1024;
const LINE = 400;

/** The last 64 KiB of a stream that is read for no other purpose than to be quoted when something goes wrong. */
export class OutputTail {
  #chunks: Buffer[] = [];
  #length = 0;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#length - (this.#chunks[0]?.length ?? 0) >= BYTES) this.#length -= this.#chunks.shift()?.length ?? 0;
  }

  /** The last lines that hold something, long ones cut; '' when there are none. */
  lastLines(count: number): string {
    const text = Buffer.concat(this.#chunks).subarray(-BYTES).toString('utf8');
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    return lines
      .slice(-count)
      .map((line) => (line.length > LINE ? `${line.slice(0, LINE)}…` : line))
      .join('\n');
  }
}
