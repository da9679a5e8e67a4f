import type { FileHandle } from 'node:fs/promises';

const FIRST_CHUNK = 64 * 1024;
const LINE_FEED = 0x0a;

/** Bytes. Longer lines are neither written nor read. */
export const LONGEST_LINE = 64 * 1024 * 1024;

export interface Line {
  /** From 1; 0 where it was found from the end. */
  number: number;
  offset: number;
  /** Bytes, without the line feed. */
  length: number;
  text: string;
  /** It ends in a line feed: it was written in full. */
  isWhole: boolean;
}

/** The line that begins at 0; null for an empty file. Longer than `longestLine`: its beginning, not whole. */
export async function firstLine(handle: FileHandle, size: number): Promise<Line | null> {
  for (let length = FIRST_CHUNK; ; length *= 8) {
    const bytes = await readRange(handle, 0, Math.min(length, size));
    if (bytes.length === 0) return null;
    const end = bytes.indexOf(LINE_FEED);
    if (end !== -1) return lineOf(bytes.subarray(0, end), { number: 1, offset: 0, isWhole: true });
    if (bytes.length === size || length > LONGEST_LINE) return lineOf(bytes, { number: 1, offset: 0, isWhole: false });
  }
}

/** The last line, found from the end. Null where there is none behind `from`, or where it is longer than `longestLine`. */
export async function lastLine(handle: FileHandle, from: number, size: number): Promise<Line | null> {
  // The head may be all there is, even without its line feed.
  for (let length = FIRST_CHUNK; from < size && length <= LONGEST_LINE; length *= 8) {
    const start = Math.max(from, size - length);
    const bytes = await readRange(handle, start, size - start);
    if (bytes.length === 0) return null;
    const isWhole = bytes.at(-1) === LINE_FEED;
    const end = isWhole ? bytes.length - 1 : bytes.length;
    const before = end === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, end - 1);
    if (before !== -1 || start === from) {
      return lineOf(bytes.subarray(before + 1, end), { number: 0, offset: start + before + 1, isWhole });
    }
  }
  return null;
}

/** Every line from an offset to the size known now; what is appended meanwhile is left alone. */
export async function* linesFrom(
  handle: FileHandle,
  from: number,
  size: number,
  firstNumber: number,
): AsyncGenerator<Line> {
  let number = firstNumber;
  let offset = from;
  let rest: Buffer[] = [];
  let restLength = 0;
  for (let at = from; at < size; ) {
    const chunk = await readRange(handle, at, Math.min(FIRST_CHUNK * 8, size - at));
    if (chunk.length === 0) break;
    at += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const bytes = Buffer.concat([...rest, chunk.subarray(start, end)]);
      yield lineOf(bytes, { number, offset, isWhole: true });
      number++;
      offset += bytes.length + 1;
      start = end + 1;
      rest = [];
      restLength = 0;
    }
    rest.push(chunk.subarray(start));
    restLength += chunk.length - start;
    if (restLength > LONGEST_LINE) return;
  }
  if (restLength > 0) yield lineOf(Buffer.concat(rest), { number, offset, isWhole: false });
}

/** @returns fewer bytes only at the end of the file */
export async function readRange(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function lineOf(bytes: Buffer, place: Pick<Line, 'number' | 'offset' | 'isWhole'>): Line {
  return { ...place, length: bytes.length, text: bytes.toString('utf8') };
}
