import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { McproveError } from '../errors.ts';
import type { RunEnd, RunHead } from '../record.ts';
import { runFileEnding, runsFolderOf, suiteSlug } from './file.ts';
import { type OpenRun, openRun, readEnds } from './read.ts';
import { isErrno } from './storageError.ts';

/** Files read at the same time. */
const width = 16;

export interface RunSummary {
  file: string;
  /** Without the copy of the suite, so that thousands of summaries stay small. */
  head: Omit<RunHead, 'suite'> & { suite: Omit<RunHead['suite'], 'snapshot'> };
  /** Null: the run was interrupted, or goes on. */
  end: Pick<RunEnd, 'decision' | 'totals' | 'passRate' | 'usage' | 'costUsd' | 'endedAt' | 'durationMs'> | null;
}

/**
 * The runs of a workspace, newest first, from the first and last lines of their files.
 *
 * @returns the runs, and an error for each file that cannot be read as one
 */
export async function listRuns(workspace: string): Promise<{ runs: RunSummary[]; errors: McproveError[] }> {
  const files = await runFiles(workspace);
  const results: (RunSummary | McproveError)[] = new Array(files.length);
  let next = 0;
  const reader = async () => {
    for (let index = next++; index < files.length; index = next++) {
      results[index] = await summary(files[index] ?? '');
    }
  };
  await Promise.all(Array.from({ length: width }, reader));
  const runs: RunSummary[] = [];
  const errors: McproveError[] = [];
  for (const result of results) {
    if (result instanceof McproveError) errors.push(result);
    else runs.push(result);
  }
  return { runs, errors };
}

/**
 * The newest run of a suite, perhaps an interrupted one; null where there is none. Files that are no run files are passed
 * over.
 *
 * @param suitePath as in the head of a run: relative to the workspace, with `/`
 */
export async function lastRun(workspace: string, suitePath: string): Promise<OpenRun | null> {
  const slug = suiteSlug(suitePath);
  for (const file of await runFiles(workspace)) {
    if (!file.includes(`-${slug}-`)) continue;
    try {
      const run = await openRun(file);
      if (run.head.suite.path === suitePath) return run;
    } catch (error) {
      if (!(error instanceof McproveError)) throw error;
    }
  }
  return null;
}

/** Newest first: the names begin with the time, and end in an id that sorts by time too. */
async function runFiles(workspace: string): Promise<string[]> {
  const folder = runsFolderOf(workspace);
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith(runFileEnding))
      .sort()
      .reverse()
      .map((name) => join(folder, name));
  } catch (error) {
    if (isErrno(error) && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function summary(file: string): Promise<RunSummary | McproveError> {
  try {
    const { head, end } = await readEnds(file);
    const { snapshot: _, ...suite } = head.suite;
    return { file, head: { ...head, suite }, end: end === null ? null : figures(end) };
  } catch (error) {
    if (error instanceof McproveError) return error;
    throw error;
  }
}

function figures(end: RunEnd): RunSummary['end'] {
  const { decision, totals, passRate, usage, costUsd, endedAt, durationMs } = end;
  return { decision, totals, passRate, usage, costUsd, endedAt, durationMs };
}
