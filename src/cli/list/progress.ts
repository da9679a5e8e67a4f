/** What a run has come to so far, kept up to date from its events; small whatever the number of trials. */
import {
  inlineJson,
  type PlannedTrial,
  type RunEvent,
  type Trial,
  type Verdict,
  visibleLine,
} from '../../engine/index.ts';

export interface RunningTrial {
  cellName: string;
  /** Null in a cell of one trial. */
  number: number | null;
  /** Milliseconds on the clock given to `Progress`. */
  startedAt: number;
  hasModel: boolean;
  /** What it does now, in words safe to print. */
  doing: string;
  /** Calls under way, by id. */
  calls: Map<string, string>;
}

/** A cell all of whose trials ended. */
export interface FinishedCell {
  name: string;
  /** In the order in which they ended. */
  trials: readonly { number: number; verdict: Verdict; durationMs: number }[];
  /** Of the first trial that did not pass: why, in one line. */
  why: string | null;
}

type OpenCell = {
  left: number;
  trials: { number: number; verdict: Verdict; durationMs: number }[];
  why: string | null;
};

const THINKING = 'waiting for the model';

export class Progress {
  readonly running = new Map<string, RunningTrial>();
  readonly counts: Record<Verdict, number> = { passed: 0, failed: 0, errored: 0, cancelled: 0, skipped: 0 };
  planned = 0;
  finished = 0;
  readonly #open = new Map<string, OpenCell>();
  readonly #now: () => number;
  readonly #why: (trial: Trial) => string;

  /**
   * @param now milliseconds, monotonic
   * @param why one line on a trial that did not pass
   */
  constructor(now: () => number, why: (trial: Trial) => string) {
    this.#now = now;
    this.#why = why;
  }

  /** @returns the cell that the event finished, if it did */
  take(event: RunEvent): FinishedCell | null {
    switch (event.type) {
      case 'planned':
        this.planned = event.trials.length;
        for (const { cellName } of event.trials) this.#cell(cellName).left += 1;
        return null;
      case 'trialStarted':
        this.#trialStarted(event.trial);
        return null;
      case 'reply':
        this.#do(event.trial, event.calls === 0 ? 'answered' : THINKING);
        return null;
      case 'callStarted':
        this.#callStarted(event);
        return null;
      case 'callEnded':
        this.#callEnded(event);
        return null;
      case 'waiting':
        this.#do(event.trial, event.text === null ? THINKING : visibleLine(event.text));
        return null;
      case 'trialEnded':
        return this.#trialEnded(event.trial, event.cellName);
      case 'notice':
      case 'ended':
        return null;
    }
  }

  #trialStarted({ id, cell, cellName, number }: PlannedTrial): void {
    const { left, trials } = this.#cell(cellName);
    this.running.set(id, {
      cellName,
      number: left + trials.length > 1 ? number : null,
      startedAt: this.#now(),
      hasModel: cell.model !== null,
      doing: cell.model === null ? 'starting' : 'waiting for the first reply',
      calls: new Map(),
    });
  }

  #do(id: string, doing: string): void {
    const trial = this.running.get(id);
    if (trial !== undefined) trial.doing = doing;
  }

  #callStarted({ trial: id, call, server, tool, arguments: args }: Extract<RunEvent, { type: 'callStarted' }>): void {
    const trial = this.running.get(id);
    if (trial === undefined) return;
    const name = visibleLine(server === null ? tool : `${server}::${tool}`);
    trial.doing = `${name} ${inlineJson(args, 200)}`;
    trial.calls.set(call, trial.doing);
  }

  /** Of several calls at a time the one that began last is shown. */
  #callEnded({ trial: id, call }: Extract<RunEvent, { type: 'callEnded' }>): void {
    const trial = this.running.get(id);
    if (trial === undefined) return;
    trial.calls.delete(call);
    trial.doing = [...trial.calls.values()].at(-1) ?? (trial.hasModel ? THINKING : 'finishing');
  }

  #trialEnded(trial: Trial, cellName: string): FinishedCell | null {
    this.running.delete(trial.id);
    this.counts[trial.verdict] += 1;
    this.finished += 1;
    const cell = this.#cell(cellName);
    cell.trials.push({ number: trial.number, verdict: trial.verdict, durationMs: trial.durationMs });
    if (trial.verdict !== 'passed') cell.why ??= this.#why(trial);
    cell.left -= 1;
    if (cell.left > 0) return null;
    this.#open.delete(cellName);
    return { name: cellName, trials: cell.trials, why: cell.why };
  }

  #cell(name: string): OpenCell {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const cell: OpenCell = { left: 0, trials: [], why: null };
    this.#open.set(name, cell);
    return cell;
  }
}
