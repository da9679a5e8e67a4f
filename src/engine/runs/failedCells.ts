import type { Verdict } from '../record.ts';
import { cellName } from './cellName.ts';
import type { OpenRun } from './read.ts';

/**
 * The names of the cells that failed or errored in a run, for `--failed`. Of an interrupted run those with a failed or
 * errored trial.
 */
export async function failedCells(run: OpenRun): Promise<string[]> {
  if (run.end !== null) {
    const failed = run.end.cells.filter(
      ({ state, totals }) => state === 'failed' || (state !== 'passed' && totals.errored > 0),
    );
    return failed.map(({ name }) => name);
  }
  const wrong: readonly Verdict[] = ['failed', 'errored'];
  const names = new Set<string>();
  for (const { id, verdict } of run.entries) {
    if (!wrong.includes(verdict)) continue;
    const trial = await run.trial(id);
    if (trial !== null) names.add(cellName(trial.cell, run.head.models.length > 1));
  }
  return [...names];
}
