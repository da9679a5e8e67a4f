import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { McproveError, type Problem } from '../errors.ts';
import type { RunEnd, RunHead, Trial, Verdict } from '../record.ts';
import type { RunCode } from './codes.ts';
import { firstLine, type Line, LONGEST_LINE, lastLine, linesFrom, readRange } from './lines.ts';
import { parseHead, parseRecord, type RecordPlace, recordProblem } from './parseRecord.ts';
import { isErrno, storageError } from './storageError.ts';

/** Where a trial stands in a run file. */
interface TrialEntry {
  id: string;
  verdict: Verdict;
  /** In bytes. */
  offset: number;
  length: number;
}

/**
 * A run file, opened for reading. Holds no handle and no trials: each is read when asked for, so a run that goes on or a
 * file of a gigabyte costs nothing.
 */
export interface OpenRun {
  file: string;
  head: RunHead;
  /** Null: the run was interrupted, or goes on. */
  end: RunEnd | null;
  /** What was wrong with the file and could be put up with: a torn last line (RUN001), damaged records (RUN002, RUN005). */
  notes: readonly Problem[];
  /** In the order of the file. */
  entries: readonly TrialEntry[];
  /**
   * @returns null where the run holds no such trial
   * @throws McproveError RUN002, RUN005 when its record is damaged or not where the end record says
   */
  trial(id: string): Promise<Trial | null>;
  /** Every trial in the order of the file. @throws as `trial` */
  trials(): AsyncGenerator<Trial>;
}

/**
 * Opens a run file by its first and last line alone; only a file without an end is read through.
 *
 * @param file  absolute path
 * @param known the end of a run that has just ended here, for where the disk did not take it
 * @throws McproveError RUN003 (newer format), RUN004 (not a run file), RUN002 (damaged head), RUN008 (cannot be read)
 */
export async function openRun(file: string, known: { end?: RunEnd } = {}): Promise<OpenRun> {
  return withFile(file, async (handle, size) => {
    const { head, headLength } = await readHead(file, handle, size);
    const from = headLength + 1;
    const tail = await readEnd(file, handle, from, size);
    if (tail !== null && isSound(tail.end, from, tail.offset)) {
      const entries = tail.end.trials.map(([id, verdict, offset, length]) => ({ id, verdict, offset, length }));
      return new RunReader(file, head, tail.end, [], inFileOrder(entries));
    }
    const notes: Problem[] = [];
    if (tail !== null) {
      const place = { file, line: tail.end.trials.length + 2, offset: tail.offset };
      notes.push(
        warning('RUN005', 'the index of the end record does not fit the file', place, 'The trials were looked up.'),
      );
    }
    const scanned = await scan(file, handle, from, size, notes);
    return new RunReader(file, head, scanned.end ?? known.end ?? null, notes, scanned.entries);
  });
}

/** Head and end alone, for lists. @throws as `openRun` */
export async function readEnds(file: string): Promise<{ head: RunHead; end: RunEnd | null }> {
  return withFile(file, async (handle, size) => {
    const { head, headLength } = await readHead(file, handle, size);
    const tail = await readEnd(file, handle, headLength + 1, size);
    return { head, end: tail?.end ?? null };
  });
}

class RunReader implements OpenRun {
  readonly file: string;
  readonly head: RunHead;
  readonly end: RunEnd | null;
  readonly notes: readonly Problem[];
  readonly entries: readonly TrialEntry[];
  #lines: Map<string, number> | null = null;

  constructor(
    file: string,
    head: RunHead,
    end: RunEnd | null,
    notes: readonly Problem[],
    entries: readonly TrialEntry[],
  ) {
    this.file = file;
    this.head = head;
    this.end = end;
    this.notes = notes;
    this.entries = entries;
  }

  async trial(id: string): Promise<Trial | null> {
    this.#lines ??= new Map(this.entries.map((entry, index) => [entry.id, index]));
    const index = this.#lines.get(id);
    const entry = index === undefined ? undefined : this.entries[index];
    if (index === undefined || entry === undefined) return null;
    return withFile(this.file, (handle) => readTrial(this.file, handle, entry, index + 2));
  }

  async *trials(): AsyncGenerator<Trial> {
    const { handle } = await openFile(this.file);
    try {
      for (const [index, entry] of this.entries.entries()) {
        yield await readTrial(this.file, handle, entry, index + 2);
      }
    } catch (error) {
      throw readError(this.file, error);
    } finally {
      await handle.close();
    }
  }
}

async function withFile<T>(file: string, use: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
  const { handle, size } = await openFile(file);
  try {
    return await use(handle, size);
  } catch (error) {
    throw readError(file, error);
  } finally {
    await handle.close();
  }
}

/** Only regular files: opening a pipe would wait for ever. */
async function openFile(file: string): Promise<{ handle: FileHandle; size: number }> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) {
      const place = { file, line: 1, offset: 0 };
      throw asError(recordProblem('RUN004', 'not a run file', place, 'Name a file that ends in .run.jsonl.'));
    }
    return { handle: await open(file, 'r'), size: stats.size };
  } catch (error) {
    throw readError(file, error);
  }
}

/** What the file system refuses is told as that; all else is itself. */
function readError(file: string, error: unknown): unknown {
  return isErrno(error) && error.syscall !== undefined ? storageError('RUN008', 'cannot read', file, error) : error;
}

async function readHead(
  file: string,
  handle: FileHandle,
  size: number,
): Promise<{ head: RunHead; headLength: number }> {
  const line = await firstLine(handle, size);
  const parsed = parseHead(line?.text ?? '', file);
  if (!parsed.ok) throw asError(parsed.problem);
  return { head: parsed.record, headLength: line?.length ?? 0 };
}

async function readEnd(
  file: string,
  handle: FileHandle,
  from: number,
  size: number,
): Promise<{ end: RunEnd; offset: number } | null> {
  const line = await lastLine(handle, from, size);
  // Reading a trial to find that it is no end would make opening a run that goes on slow.
  if (line === null || !line.text.startsWith('{"kind":"end"')) return null;
  const parsed = parseRecord(line.text, { file, line: line.number, offset: line.offset });
  return parsed.ok && parsed.record.kind === 'end' ? { end: parsed.record, offset: line.offset } : null;
}

/** Every place lies between head and end, and none overlaps another. */
function isSound(end: RunEnd, from: number, endOffset: number): boolean {
  let free = from;
  return [...end.trials]
    .sort((a, b) => a[2] - b[2])
    .every(([, , offset, length]) => {
      const fits = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= free && length > 0;
      free = offset + length + 1;
      return fits && length <= LONGEST_LINE && free <= endOffset;
    });
}

function inFileOrder(entries: TrialEntry[]): TrialEntry[] {
  return entries.sort((a, b) => a.offset - b.offset);
}

async function readTrial(file: string, handle: FileHandle, entry: TrialEntry, line: number): Promise<Trial> {
  const place = { file, line, offset: entry.offset };
  const bytes = await readRange(handle, entry.offset, entry.length);
  const parsed = parseRecord(bytes.toString('utf8'), place);
  if (!parsed.ok) throw asError(parsed.problem);
  if (parsed.record.kind === 'trial' && parsed.record.id === entry.id) return parsed.record;
  throw asError(
    recordProblem(
      'RUN005',
      `the record of trial "${entry.id}" is not here`,
      place,
      'The file was changed after the run.',
    ),
  );
}

interface Scanned {
  entries: TrialEntry[];
  end: RunEnd | null;
}

async function scan(file: string, handle: FileHandle, from: number, size: number, notes: Problem[]): Promise<Scanned> {
  const entries = new Map<string, TrialEntry>();
  let end: RunEnd | null = null;
  for await (const line of linesFrom(handle, from, size, 2)) {
    const place = { file, line: line.number, offset: line.offset };
    const parsed = parseRecord(line.text, place);
    if (!parsed.ok) {
      notes.push(line.isWhole ? { ...parsed.problem, severity: 'warning' } : torn(line, place));
    } else if (parsed.record.kind === 'end') {
      end = parsed.record;
    } else {
      const { id, verdict } = parsed.record;
      entries.set(id, { id, verdict, offset: line.offset, length: line.length });
    }
  }
  return { entries: inFileOrder([...entries.values()]), end };
}

function torn(line: Line, place: RecordPlace): Problem {
  return warning(
    'RUN001',
    `the last record is cut (${line.length} bytes)`,
    place,
    'It is left out; the trials before it are whole.',
  );
}

function warning(code: RunCode, message: string, place: RecordPlace, hint: string): Problem {
  return { ...recordProblem(code, message, place, hint), severity: 'warning' };
}

function asError(problem: Problem): McproveError {
  const { code, message, range, hint } = problem;
  return new McproveError(code, message, { range, ...(hint === undefined ? {} : { hint }) });
}
