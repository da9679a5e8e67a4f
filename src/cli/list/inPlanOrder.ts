/** Puts finished cells into the order of the plan, whatever the order in which they finished. */
import type { PlannedTrial } from '../../engine/index.ts';
import type { FinishedCell } from './progress.ts';

export class InPlanOrder {
  /** Names of cells that have not been given out yet, in the order of the plan. */
  #open: string[] = [];
  #next = 0;
  readonly #finished = new Map<string, FinishedCell>();

  plan(trials: readonly PlannedTrial[]): void {
    this.#open = [...new Set(trials.map(({ cellName }) => cellName))];
  }

  /** @returns the cells whose turn it is now */
  add(cell: FinishedCell): FinishedCell[] {
    this.#finished.set(cell.name, cell);
    const due: FinishedCell[] = [];
    for (let next = this.#take(); next !== undefined; next = this.#take()) due.push(next);
    return due;
  }

  /** Those behind a cell that never finished. */
  rest(): FinishedCell[] {
    const left = this.#open.slice(this.#next).flatMap((name) => this.#finished.get(name) ?? []);
    this.#next = this.#open.length;
    this.#finished.clear();
    return left;
  }

  #take(): FinishedCell | undefined {
    const name = this.#open[this.#next];
    const cell = name === undefined ? undefined : this.#finished.get(name);
    if (name === undefined || cell === undefined) return undefined;
    this.#finished.delete(name);
    this.#next += 1;
    return cell;
  }
}
