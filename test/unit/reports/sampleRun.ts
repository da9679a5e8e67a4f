import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CellFigures, RunEnd, RunHead, Trial } from '../../../src/engine/record.ts';
import { RunFile } from '../../../src/engine/runs/file.ts';
import { type OpenRun, openRun } from '../../../src/engine/runs/read.ts';
import { Redactor } from '../../../src/engine/runs/redact.ts';
import { sampleEnd, sampleFigures, sampleHead, totalsOf } from '../runs/samples.ts';

/** Writes a run into a folder of its own under the system's temporary folder, and opens it. */
export async function sampleRun(
  trials: readonly Trial[],
  change: { head?: Partial<RunHead>; end?: Partial<RunEnd> | null } = {},
): Promise<OpenRun> {
  const folder = await mkdtemp(join(tmpdir(), 'mcprove-report-'));
  const file = await RunFile.create(folder, sampleHead(change.head), new Redactor());
  const entries: RunEnd['trials'] = [];
  for (const trial of trials) {
    const { offset, length } = await file.trial(trial);
    entries.push([trial.id, trial.verdict, offset, length]);
  }
  if (change.end !== null) await file.end(sampleEnd(entries, { cells: figuresOf(trials), ...change.end }));
  await file.close();
  return openRun(file.path);
}

/** As grading would sum them up at a bar of 100%. */
function figuresOf(trials: readonly Trial[]): CellFigures[] {
  const cells = Map.groupBy(trials, (trial) => trial.id.split('#')[0] ?? trial.id);
  return [...cells].map(([name, own]) => {
    const count = (verdict: string) => own.filter((trial) => trial.verdict === verdict).length;
    const totals = totalsOf({
      planned: own.length,
      passed: count('passed'),
      failed: count('failed'),
      errored: count('errored'),
      cancelled: count('cancelled'),
    });
    const state = totals.failed > 0 ? 'failed' : totals.passed === own.length ? 'passed' : 'undecided';
    return sampleFigures(name, { totals, state });
  });
}
