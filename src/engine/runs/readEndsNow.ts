import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { RunHead } from '../record.ts';
import { type EndFigures, parseEndFigures, parseHead } from './parseRecord.ts';

const CHUNK = 64 * 1024;

/**
 * Head and figures of a run file in one go, without giving way: for lists of thousands of runs, where waiting for each read
 * would cost several times as much as reading.
 *
 * @returns null where it takes more than that: long lines, a damaged file, one that cannot be read
 */
export function readEndsNow(file: string): { head: RunHead; end: EndFigures | null } | null {
  const ends = readLines(file);
  if (ends === null) return null;
  const head = parseHead(ends.first, file);
  if (!head.ok) return null;
  if (!ends.last.startsWith('{"kind":"end"')) return { head: head.record, end: null };
  const end = parseEndFigures(ends.last);
  return end === null ? null : { head: head.record, end };
}

/** The first and the last line; '' for the last one where there is but one. */
function readLines(file: string): { first: string; last: string } | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, 'r');
    const { size } = fstatSync(descriptor);
    const start = readChunk(descriptor, 0, Math.min(size, CHUNK));
    const first = start.indexOf('\n');
    if (first === -1) return null;
    const tail = size <= CHUNK ? start.slice(first + 1) : readChunk(descriptor, size - CHUNK, CHUNK);
    const text = tail.endsWith('\n') ? tail.slice(0, -1) : tail;
    const before = text.lastIndexOf('\n');
    if (before === -1 && size > CHUNK) return null;
    return { first: start.slice(0, first), last: text.slice(before + 1) };
  } catch {
    // Whoever reads it with patience says what is wrong.
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function readChunk(descriptor: number, offset: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, length, offset));
}
