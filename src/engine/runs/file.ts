import { mkdir, open, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { McproveError } from '../errors.ts';
import type { RunEnd, RunHead, Trial } from '../record.ts';
import { AppendFile } from './appendFile.ts';
import type { RunCode } from './codes.ts';
import { cutTrial, limitDepth } from './cut.ts';
import { DEEPEST_RECORD, depthOf } from './depth.ts';
import { LONGEST_LINE } from './lines.ts';
import type { Redactor } from './redact.ts';
import { isErrno, storageError } from './storageError.ts';

export const RUN_FILE_ENDING = '.run.jsonl';

/** Characters of JSON text from which a trial is looked through for results that are too large. */
const LONG_LINE = 1024 * 1024;
const LONGEST_NAME = 60;

/** Where the runs of a workspace lie. */
export function runsFolderOf(workspace: string): string {
  return join(workspace, '.mcprove', 'runs');
}

/** A suite's part in the name of its run files: letters, digits, `.`, `_` and `-`, at most 60 characters. */
export function suiteSlug(suitePath: string): string {
  const stem = basename(suitePath).replace(/\.eval\.ya?ml$/i, '');
  const slug = stem.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+/, '');
  return slug.slice(0, LONGEST_NAME).replace(/[-.]+$/, '') || 'suite';
}

/** A record as it was written (redacted, large results cut), and where: byte offset and length of its line. */
export interface Written<T> {
  record: T;
  offset: number;
  /** Without the line feed. */
  length: number;
}

/**
 * The run file of one run: the one place where its records are redacted and written. Every method returns once the record
 * is on disk.
 */
export class RunFile {
  readonly path: string;
  /** As it was written. */
  readonly head: RunHead;
  readonly #file: AppendFile;
  readonly #redactor: Redactor;

  /**
   * Makes the folder (0700), its `.gitignore` and a new file (0600) in it that begins with the head.
   *
   * @throws McproveError RUN006 when the folder or the file cannot be made; then no file is left behind
   */
  static async create(folder: string, head: RunHead, redactor: Redactor): Promise<RunFile> {
    const time = head.startedAt.replace(/\.\d+Z$/, 'Z').replaceAll(':', '-');
    const path = join(folder, `${time}-${suiteSlug(head.suite.path)}-${head.id}${RUN_FILE_ENDING}`);
    const { record, text } = redactor.line(head);
    try {
      await makeFolder(folder);
      const file = await AppendFile.create(path);
      try {
        await file.append(Buffer.from(`${text}\n`));
        await syncFolder(folder);
      } catch (error) {
        await file.close();
        await unlink(path);
        throw error;
      }
      return new RunFile(path, record, file, redactor);
    } catch (error) {
      throw storageError('RUN006', 'cannot make the run file', path, error);
    }
  }

  private constructor(path: string, head: RunHead, file: AppendFile, redactor: Redactor) {
    this.path = path;
    this.head = head;
    this.#file = file;
    this.#redactor = redactor;
  }

  /** Bytes of records that are not on disk yet. */
  get waitingBytes(): number {
    return this.#file.waitingBytes;
  }

  /** @throws McproveError RUN007 when the disk takes no more (the records before stay); RUN009 when it is over 64 MiB */
  async trial(trial: Trial): Promise<Written<Trial>> {
    return this.#append(this.#line(trial));
  }

  /** @throws McproveError RUN007 when the disk takes no more (the records before stay); RUN009 when it is over 64 MiB */
  async end(end: RunEnd): Promise<Written<RunEnd>> {
    return this.#append(this.#redactor.line(end));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #line(trial: Trial): { record: Trial; text: string } {
    const line = this.#whole(trial);
    if (line.text.length <= LONG_LINE && depthOf(line.text, DEEPEST_RECORD) <= DEEPEST_RECORD) return line;
    // Redacted before, as a cut through a secret would hide it from the search.
    return this.#redactor.line(cutTrial(line.record));
  }

  #whole(trial: Trial): { record: Trial; text: string } {
    try {
      return this.#redactor.line(trial);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return this.#redactor.line(limitDepth(trial));
    }
  }

  async #append<T>({ record, text }: { record: T; text: string }): Promise<Written<T>> {
    const bytes = Buffer.from(`${text}\n`);
    if (bytes.length > LONGEST_LINE) {
      throw new McproveError(
        'RUN009' satisfies RunCode,
        `a record of ${bytes.length} bytes is too large for a run file`,
      );
    }
    try {
      const offset = await this.#file.append(bytes);
      return { record, offset, length: bytes.length - 1 };
    } catch (error) {
      throw storageError('RUN007', 'cannot write on', this.path, error);
    }
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const parent = dirname(folder);
  if (basename(parent) !== '.mcprove') return;
  try {
    await writeFile(join(parent, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!isErrno(error) || error.code !== 'EEXIST') throw error;
  }
}

/** Makes the new name itself survive a power cut. Windows cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
