import { McproveError } from '../errors.ts';
import type { Cell, RunEnd } from '../record.ts';
import { runsOf } from './list.ts';
import type { OpenRun } from './read.ts';

/** What became of a cell in the newest run that held it. */
export interface LastVerdict {
  cell: Cell;
  passed: boolean;
}

/**
 * What became of each cell of a suite in the newest run that planned it: a later run of other cells hides nothing. A cell
 * has passed only when it was decided so; failed, errored, cancelled, never begun and undecided ones have not.
 *
 * An interrupted run decided nothing and does not say what it planned. What it holds counts as far as it is whole; of the
 * cells that it lost nobody knows which they were, so that every one it does not hold counts as not passed.
 *
 * @param suitePath as in the head of a run: relative to the workspace, with `/`
 * @param cells     those of the suite; older runs are read only until all of them are found
 * @returns null where there is no run of the suite
 */
export async function lastVerdicts(
  workspace: string,
  suitePath: string,
  cells: readonly Cell[],
): Promise<LastVerdict[] | null> {
  const found = new Map<string, LastVerdict>();
  const open = new Map(cells.map((cell) => [keyOf(cell), cell]));
  let runs = 0;
  for await (const run of runsOf(workspace, suitePath)) {
    runs += 1;
    const { verdicts, isWhole } = run.end === null ? await interrupted(run) : ended(run.end);
    const lost = isWhole ? [] : [...open.values()].map((cell) => ({ cell, passed: false }));
    for (const verdict of [...verdicts, ...lost]) {
      const key = keyOf(verdict.cell);
      if (!found.has(key)) found.set(key, verdict);
      open.delete(key);
    }
    if (open.size === 0) break;
  }
  return runs === 0 ? null : [...found.values()];
}

/**
 * Whether a cell did not pass when it was last run. One that was never run on its model is taken for what the case came to
 * on others.
 */
export function needsRun(verdicts: readonly LastVerdict[], cell: Cell): boolean {
  const ofCase = verdicts.filter(
    ({ cell: other }) => keyOf({ ...other, model: null }) === keyOf({ ...cell, model: null }),
  );
  const own = ofCase.find(({ cell: other }) => other.model === cell.model);
  return own === undefined ? ofCase.some(({ passed }) => !passed) : !own.passed;
}

function keyOf({ case: id, row, variant, model }: Cell): string {
  return JSON.stringify([id, row, variant, model]);
}

function ended(end: RunEnd): { verdicts: LastVerdict[]; isWhole: boolean } {
  return { verdicts: end.cells.map(({ cell, state }) => ({ cell, passed: state === 'passed' })), isWhole: true };
}

async function interrupted(run: OpenRun): Promise<{ verdicts: LastVerdict[]; isWhole: boolean }> {
  const { planned } = run.head;
  const seen = new Map<string, { cell: Cell; trials: number; allPassed: boolean }>();
  let isReadable = true;
  try {
    for await (const { cell, verdict } of run.trials()) {
      const before = seen.get(keyOf(cell));
      const allPassed = verdict === 'passed' && before?.allPassed !== false;
      seen.set(keyOf(cell), { cell, trials: (before?.trials ?? 0) + 1, allPassed });
    }
  } catch (error) {
    // Removed or changed since it was opened: what it held beyond that is lost too.
    if (!(error instanceof McproveError)) throw error;
    isReadable = false;
  }
  // How many trials each cell was to have is not known; with fewer than the mean some may be lost.
  const whole = Math.ceil(planned.trials / Math.max(1, planned.cells));
  const isAll = isReadable && run.entries.length >= planned.trials;
  const verdicts = [...seen.values()].map(({ cell, trials, allPassed }) => ({
    cell,
    passed: allPassed && (isAll || trials >= whole),
  }));
  return { verdicts, isWhole: isAll || (isReadable && seen.size >= planned.cells) };
}
