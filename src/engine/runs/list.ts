import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { McproveError } from '../errors.ts';
import type { RunHead } from '../record.ts';
import { RUN_FILE_ENDING, runsFolderOf, suiteSlug } from './file.ts';
import type { EndFigures } from './parseRecord.ts';
import { type OpenRun, openRun, readEnds } from './read.ts';
import { readEndsNow } from './readEndsNow.ts';
import { isErrno, storageError } from './storageError.ts';

/** Files read before others get a turn. */
const BATCH = 32;

export interface RunSummary {
  file: string;
  /** Without the copy of the suite, so that thousands of summaries stay small. */
  head: Omit<RunHead, 'suite'> & { suite: Omit<RunHead['suite'], 'snapshot'> };
  /** Null: the run was interrupted, or goes on. */
  end: Omit<EndFigures, 'kind'> | null;
}

/**
 * The runs of a workspace, newest first, from the first and last lines of their files.
 *
 * @returns the runs, and an error for each file that cannot be read as one
 */
export async function listRuns(workspace: string): Promise<{ runs: RunSummary[]; errors: McproveError[] }> {
  const runs: RunSummary[] = [];
  const errors: McproveError[] = [];
  for (const [index, file] of (await runFiles(workspace)).entries()) {
    if (index % BATCH === BATCH - 1) await setImmediate();
    try {
      const { head, end } = readEndsNow(file) ?? (await readEnds(file));
      runs.push(summaryOf(file, head, end));
    } catch (error) {
      if (!(error instanceof McproveError)) throw error;
      errors.push(error);
    }
  }
  return { runs, errors };
}

/**
 * The runs of a suite, newest first, interrupted ones too; each is opened when it is asked for. Files that are no run files
 * are passed over.
 *
 * @param suitePath as in the head of a run: relative to the workspace, with `/`
 */
export async function* runsOf(workspace: string, suitePath: string): AsyncGenerator<OpenRun> {
  const slug = suiteSlug(suitePath);
  for (const file of await runFiles(workspace)) {
    if (!file.includes(`-${slug}-`)) continue;
    let run: OpenRun;
    try {
      run = await openRun(file);
    } catch (error) {
      if (!(error instanceof McproveError)) throw error;
      continue;
    }
    if (run.head.suite.path === suitePath) yield run;
  }
}

/**
 * Newest first: the names begin with the time, and end in an id that sorts by time too.
 *
 * @throws McproveError RUN008 where the folder itself cannot be read
 */
async function runFiles(workspace: string): Promise<string[]> {
  const folder = runsFolderOf(workspace);
  try {
    // Only plain files: opening a pipe would wait for ever.
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(RUN_FILE_ENDING))
      .map(({ name }) => name);
    return names
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  } catch (error) {
    if (isErrno(error) && error.code === 'ENOENT') return [];
    throw storageError('RUN008', 'cannot read', folder, error);
  }
}

function summaryOf(file: string, head: RunHead, end: EndFigures | null): RunSummary {
  const { snapshot: _, ...suite } = head.suite;
  if (end === null) return { file, head: { ...head, suite }, end: null };
  const { decision, totals, passRate, usage, costUsd, endedAt, durationMs } = end;
  return { file, head: { ...head, suite }, end: { decision, totals, passRate, usage, costUsd, endedAt, durationMs } };
}
