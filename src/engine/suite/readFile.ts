import { isUtf8 } from 'node:buffer';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { McproveError } from '../errors.ts';
import { LARGEST_BYTES, tooLarge } from './guard.ts';
import { Lines } from './lines.ts';
import { looksMarked } from './ownership.ts';
import { type ReadResult, readSuite } from './read.ts';

/**
 * Reads a suite file. What is wrong with its bytes is a problem like any other.
 *
 * @param path      absolute
 * @param workspace see `findWorkspace`
 * @throws McproveError SUITE026 when there is no such file, or it may not be read
 */
export async function readSuiteFile(path: string, workspace: string): Promise<ReadResult> {
  const { bytes, size } = await load(path);
  const isValid = isUtf8(bytes);
  // A byte order mark at the beginning is let go; it is no part of the text.
  const text = new TextDecoder().decode(bytes);
  if (size <= LARGEST_BYTES && isValid) return readSuite(text, { file: path, workspace });
  if (!looksMarked(text)) return { kind: 'foreign', hint: 'cannot be read as text, and has no "mcprove: 1"' };
  if (size > LARGEST_BYTES) return broken('YAML011', tooLarge(size), new Lines(path, ''), 0);
  const offset = invalidOffset(text, bytes);
  const byte = bytes[Buffer.byteLength(text.slice(0, offset))] ?? 0;
  return broken('YAML012', `invalid UTF-8 byte 0x${byte.toString(16).padStart(2, '0')}`, new Lines(path, text), offset);
}

/** Of a file that is too large only the beginning is read, which says whether it is ours. */
async function load(path: string): Promise<{ bytes: Uint8Array; size: number }> {
  let handle: FileHandle | undefined;
  try {
    // Asked before it is opened: opening a pipe waits for whoever writes to it.
    const facts = await stat(path);
    if (!facts.isFile()) throw new Error('it is not a file');
    handle = await open(path);
    const bytes = Buffer.alloc(Math.min(facts.size, LARGEST_BYTES));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, bytesRead), size: facts.size };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new McproveError('SUITE026', `cannot read ${path}: ${why}`, { hint: 'Check the path.', cause });
  } finally {
    await handle?.close();
  }
}

function broken(code: string, message: string, lines: Lines, offset: number): ReadResult {
  const hint = code === 'YAML012' ? 'Save the file as UTF-8.' : 'Split the suite.';
  return { kind: 'broken', problems: [{ code, severity: 'error', message, hint, range: lines.range(offset, offset) }] };
}

/** Where the decoder first put a replacement character that the bytes do not hold. */
function invalidOffset(text: string, bytes: Uint8Array): number {
  let before = 0;
  let from = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) {
    before += Buffer.byteLength(text.slice(from, at));
    from = at;
    if (bytes[before] !== 0xef || bytes[before + 1] !== 0xbf || bytes[before + 2] !== 0xbd) return at;
  }
  return 0;
}
