import type { CellTotals } from '../grading/index.ts';
import { stateAgainstBar } from '../grading/index.ts';
import type { RunEnd, Totals, Trial, Usage } from '../record.ts';
import type { PlannedCell } from './planned.ts';

const MOST_WARNINGS = 20;

/** All that is kept of the trials of a run while it goes on: counts and places, never a transcript. */
export class Tally {
  /** In the order of the plan. */
  readonly cells: readonly CellTotals[];
  readonly failedChecks: Record<string, number> = {};
  readonly index: RunEnd['trials'] = [];
  /** Sums of what was reported; null where nothing was. */
  readonly usage: Usage = { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null };
  /** Of what this run itself asked models for; that of a trace was paid by another. Null where nothing is known. */
  costUsd: number | null = null;
  unpricedTrials = 0;
  readonly #byName: ReadonlyMap<string, CellTotals>;
  readonly #failed = new Set<string>();
  readonly #warnings = new Set<string>();

  constructor(planned: readonly PlannedCell[]) {
    this.cells = planned.map(({ cell, name, bar, trials }) => ({ cell, name, bar, totals: nothingYet(trials) }));
    this.#byName = new Map(this.cells.map((cell) => [cell.name, cell]));
  }

  /** Cells whose bar is out of reach, whatever is still to come. */
  get failedCells(): number {
    return this.#failed.size;
  }

  /** Trials that were not carried out. */
  get notCarriedOut(): number {
    return this.cells.reduce((sum, { totals }) => sum + totals.pending + totals.cancelled, 0);
  }

  /** What was warned of, each once. */
  get warnings(): string[] {
    const more = this.#warnings.size - MOST_WARNINGS;
    const shown = [...this.#warnings].slice(0, MOST_WARNINGS);
    return more > 0 ? [...shown, `And ${more} more of this kind.`] : shown;
  }

  /** Takes the warnings of a trial; what others said before adds nothing. */
  warn(warnings: readonly string[]): void {
    for (const text of warnings) this.#warnings.add(text);
  }

  /** Counts a trial that has ended. */
  add(trial: Trial, cellName: string): void {
    const { totals } = this.#cell(cellName);
    totals.pending -= 1;
    if (trial.verdict !== 'skipped') totals[trial.verdict] += 1;
    if (isEvaluatorError(trial)) totals.evaluatorErrors += 1;
    this.#judge(cellName);
    this.#count(trial);
  }

  /** Counts a trial as errored that was added with another verdict and then could not be written. */
  addLoss(trial: Trial, cellName: string): void {
    const { totals } = this.#cell(cellName);
    if (trial.verdict !== 'skipped') totals[trial.verdict] -= 1;
    if (isEvaluatorError(trial)) totals.evaluatorErrors -= 1;
    totals.errored += 1;
    this.#judge(cellName);
  }

  #judge(cellName: string): void {
    const { totals, bar } = this.#cell(cellName);
    if (stateAgainstBar(totals, bar) === 'failed') this.#failed.add(cellName);
    else this.#failed.delete(cellName);
  }

  #cell(name: string): CellTotals {
    const cell = this.#byName.get(name);
    if (cell === undefined) throw new Error(`no cell "${name}" is planned`);
    return cell;
  }

  #count(trial: Trial): void {
    for (const { kind, role, outcome } of trial.checks) {
      if (role === 'required' && outcome === 'failed') this.failedChecks[kind] = (this.failedChecks[kind] ?? 0) + 1;
    }
    for (const key of COUNTED) this.usage[key] = plus(this.usage[key], trial.usage[key]);
    if (trial.cell.model === null) return;
    this.costUsd = plus(this.costUsd, trial.costUsd);
    if (trial.unpriced !== undefined) this.unpricedTrials += 1;
  }
}

const COUNTED = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const;

function isEvaluatorError({ verdict, reason }: Trial): boolean {
  return verdict === 'errored' && reason?.stage === 'evaluator';
}

function nothingYet(planned: number): Totals {
  return { planned, passed: 0, failed: 0, errored: 0, cancelled: 0, pending: planned, evaluatorErrors: 0 };
}

function plus(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more;
}
