import { McproveError } from '../errors.ts';
import { createPatterns, decide, gradeTrial, routeMet } from '../grading/index.ts';
import type { ModelFactory } from '../models/index.ts';
import type { Attempt, PlannedTrial, Reason, RunEnd, RunEvent, Trial } from '../record.ts';
import type { ServerNotice, ServerPool } from '../servers/index.ts';
import { type Case, fillCase } from '../suite/index.ts';
import { runTrial } from '../trial/index.ts';
import type { Budget } from './budget.ts';
import type { RunFile } from './file.ts';
import type { RunGates } from './gates.ts';
import type { PlannedCell } from './planned.ts';
import { refusedForAll } from './refused.ts';
import type { RunInput } from './runInput.ts';
import { schedule } from './schedule.ts';
import { Tally } from './tally.ts';
import { lossReason, noAttempt, sentences, thrownReason, trialRecord, unstartedRecord } from './trialRecord.ts';
import { abortText, incomplete } from './unusualEnd.ts';

/** Trials, and bytes of them, that may wait for the disk while others go on. */
const MOST_KEEPING = 16;
const MOST_KEEPING_BYTES = 4 * 1024 * 1024;

interface ExecutionInput extends Pick<RunInput, 'plan' | 'suite' | 'redactor' | 'env' | 'signal' | 'onEvent'> {
  file: RunFile;
  models: ReadonlyMap<string, ModelFactory>;
  gates: RunGates;
  /** Null where money is no object. */
  budget: Budget | null;
  concurrency: number;
  bail: number;
  createPool(onNotice: (notice: ServerNotice) => void): ServerPool;
}

/** What made a run end before its plan was carried out, other than its user. */
type Stop = { by: 'bail' | 'maxCost' } | { by: 'storage'; error: McproveError } | { by: 'bug'; error: unknown };

/** One run while it goes on. */
export class Execution {
  readonly #input: ExecutionInput;
  readonly #cells: ReadonlyMap<string, PlannedCell>;
  readonly #tally: Tally;
  readonly #patterns = createPatterns();
  readonly #stopping = new AbortController();
  readonly #signal: AbortSignal;
  readonly #startedAt = performance.now();
  /** Trials on their way to the disk. */
  readonly #keeping = new Set<Promise<void>>();
  /** Models that are not asked any more, and why. */
  readonly #refused = new Map<string, Reason>();
  #stop: Stop | null = null;

  constructor(input: ExecutionInput) {
    this.#input = input;
    this.#cells = new Map(input.plan.cells.map((planned) => [planned.name, planned]));
    this.#tally = new Tally(input.plan.cells);
    this.#signal = AbortSignal.any([input.signal, this.#stopping.signal]);
  }

  /** @returns the end record, as it was written where it could be */
  async run(): Promise<RunEnd> {
    const { file, createPool } = this.#input;
    try {
      const pool = createPool(({ server, text }) =>
        this.#notice('warning', server === null ? text : `${server}: ${text}`),
      );
      const servers = await this.#trials(pool);
      const end = await this.#writeEnd(this.#end(servers));
      this.#emit({ type: 'ended', end, head: file.head, file: file.path });
      if (this.#stop?.by === 'bug') throw this.#stop.error;
      return end;
    } finally {
      await file.close();
    }
  }

  /** @returns what was learnt of the servers; every process of theirs has ended by then */
  async #trials(pool: ServerPool): Promise<RunEnd['servers']> {
    const { plan, file, concurrency, gates, budget } = this.#input;
    try {
      this.#emit({ type: 'planned', head: file.head, trials: plan.trials, file: file.path });
      const run = (planned: PlannedTrial) => this.#trial(planned, pool);
      const left = await schedule({
        trials: plan.trials,
        concurrency,
        signal: this.#signal,
        providerOf: ({ cell }) => gates.placeOf(cell.model),
        isPaused: (place) => gates.isPaused(place),
        mayStart: ({ cell }) => this.#isRefused(cell) || budget?.hasRoomFor(cell.model) !== false,
        run,
      });
      if (left > 0 && !this.#signal.aborted) this.#moneySpent();
      await Promise.all(this.#keeping);
      return pool.facts();
    } finally {
      await pool.close();
    }
  }

  /** Ends once the trial is graded, perhaps before it is on disk: the next one need not wait for that. */
  async #trial(planned: PlannedTrial, pool: ServerPool): Promise<void> {
    const trial = await this.#trialOf(planned, pool);
    this.#tally.add(trial, planned.cellName);
    if (this.#tally.failedCells >= this.#input.bail) {
      this.#stopRun({ by: 'bail' });
    }
    this.#keepLater(trial, planned.cellName);
    while (this.#isBehind()) await Promise.race(this.#keeping);
  }

  async #trialOf(planned: PlannedTrial, pool: ServerPool): Promise<Trial> {
    const { model } = planned.cell;
    const refused = model === null ? undefined : this.#refused.get(model);
    if (refused !== undefined) return unstartedRecord(planned, refused);
    this.#emit({ type: 'trialStarted', trial: planned });
    const { budget } = this.#input;
    budget?.begin(model);
    const trial = await this.#carryOut(planned, pool);
    budget?.end(model, trial);
    const reason = refusedForAll(trial);
    if (model !== null && reason !== null) this.#refused.set(model, reason);
    return trial;
  }

  #isRefused({ model }: PlannedTrial['cell']): boolean {
    return model !== null && this.#refused.has(model);
  }

  /** What is left over would have cost too much. */
  #moneySpent(): void {
    const why = this.#input.budget?.unknown ?? null;
    if (why !== null) this.#notice('warning', `What the run has cost is not known, so that it stops: ${why}`);
    this.#stopRun({ by: 'maxCost' });
  }

  #keepLater(trial: Trial, cellName: string): void {
    const kept = this.#keep(trial, cellName)
      .catch((error: unknown) => this.#stopRun({ by: 'bug', error }))
      .finally(() => this.#keeping.delete(kept));
    this.#keeping.add(kept);
  }

  /** Trials that wait for the disk are kept in memory: there must not be too many, nor too large ones. */
  #isBehind(): boolean {
    const { size } = this.#keeping;
    return size >= MOST_KEEPING || (size > 0 && this.#input.file.waitingBytes > MOST_KEEPING_BYTES);
  }

  /** Only what is on disk is announced as ended. */
  async #keep(trial: Trial, cellName: string): Promise<void> {
    this.#deliver({ type: 'trialEnded', trial: await this.#write(trial, cellName), cellName });
  }

  /** Never throws: what cannot be carried out is an errored trial, and the others go on. */
  async #carryOut(planned: PlannedTrial, pool: ServerPool): Promise<Trial> {
    const startedAt = new Date().toISOString();
    let attempt: Attempt | null = null;
    try {
      const testCase = this.#caseOf(planned);
      attempt = await this.#act(testCase, planned, pool);
      const { verdict, reason, checks, chain, warnings } = gradeTrial(testCase, attempt, this.#patterns);
      this.#tally.warn(warnings);
      const grade = {
        verdict,
        checks,
        chain,
        ...(reason === undefined ? {} : { reason: this.#withStop(verdict, reason) }),
      };
      return trialRecord(planned, attempt, grade);
    } catch (error) {
      const reason = thrownReason(error);
      if (reason.cause === 'harness') this.#notice('error', `${planned.id}: ${reason.text}`);
      return trialRecord(planned, attempt ?? noAttempt(startedAt, reason), {
        verdict: 'errored',
        reason,
        checks: [],
        chain: [],
      });
    }
  }

  #caseOf({ cellName, id }: PlannedTrial): Case {
    const planned = this.#cells.get(cellName);
    if (planned === undefined) throw new Error(`no cell "${cellName}" is planned`);
    return fillCase(planned.case, { env: this.#input.env, trialId: id });
  }

  async #act(testCase: Case, { cell, id }: PlannedTrial, pool: ServerPool): Promise<Attempt> {
    return runTrial({
      testCase,
      model: cell.model === null ? null : (this.#input.models.get(cell.model) ?? null),
      pool,
      signal: this.#signal,
      trialId: id,
      gates: this.#input.gates.forTrial(cell.model),
      routeMet: (calls, seen) => routeMet(testCase, calls, seen),
      onEvent: (event) => this.#emit(event),
    });
  }

  /** A trial that was cancelled because the run stopped by itself says why. */
  #withStop(verdict: Trial['verdict'], reason: Reason): Reason {
    if (verdict !== 'cancelled' || this.#stop === null || this.#stop.by === 'bug') return reason;
    const why = this.#stop.by === 'storage' ? 'an error of the disk' : `--bail ${this.#input.bail}`;
    return { ...reason, text: `stopped by ${why}: ${reason.text}` };
  }

  /** @returns the trial as it was written; an errored one where it could not be written as it was */
  async #write(trial: Trial, cellName: string): Promise<Trial> {
    try {
      const { record, offset, length } = await this.#input.file.trial(trial);
      this.#tally.index.push([trial.id, trial.verdict, offset, length]);
      return record;
    } catch (error) {
      return this.#lost(trial, cellName, error);
    }
  }

  async #lost(trial: Trial, cellName: string, error: unknown): Promise<Trial> {
    const reason = lossReason(error);
    const errored: Trial = trial.verdict === 'cancelled' ? trial : { ...trial, verdict: 'errored', reason };
    if (errored !== trial) this.#tally.addLoss(trial, cellName);
    if (error instanceof McproveError && error.code === 'RUN007') {
      this.#storageFailed(error);
      return this.#input.redactor.redact(errored);
    }
    // The record itself is to blame, most likely its size: it loses what may be large, and the run goes on.
    if (trial.transcript.steps.length === 0 && trial.checks.length === 0) throw error;
    this.#notice('error', `${trial.id}: ${reason.text}`);
    const { transcript } = noAttempt(trial.startedAt, reason);
    return this.#write({ ...errored, transcript, checks: [], chain: [] }, cellName);
  }

  #storageFailed(error: McproveError): void {
    if (this.#stop?.by === 'storage') return;
    this.#notice('error', `The run stops, and what was written before is kept: ${sentences(error)}`);
    this.#stopRun({ by: 'storage', error });
  }

  /** Starts nothing new and cancels what runs. The first reason counts. */
  #stopRun(stop: Stop): void {
    this.#stop ??= stop;
    this.#stopping.abort();
  }

  #end(servers: RunEnd['servers']): RunEnd {
    const { suite, signal } = this.#input;
    const tally = this.#tally;
    const isCancelled = signal.aborted && this.#stop === null && tally.notCarriedOut > 0;
    const by = isCancelled ? ('user' as const) : (this.#stop?.by ?? null);
    const stopped = by === null || by === 'bug' ? null : ({ by } as const);
    const { cells, reasons, warnings, ...decided } = decide({ suite, cells: tally.cells, stopped });
    const why = isCancelled ? abortText(signal.reason) : null;
    return {
      kind: 'end',
      ...decided,
      warnings: [...warnings, ...tally.warnings],
      reasons: why === null ? reasons : [...reasons, `The reason given: ${why}.`],
      failedChecks: tally.failedChecks,
      usage: tally.usage,
      costUsd: tally.costUsd,
      unpricedTrials: tally.unpricedTrials,
      endedAt: new Date().toISOString(),
      durationMs: Math.round(performance.now() - this.#startedAt),
      servers,
      // What grows with the run stands last: lists of runs read only what is before it.
      cells,
      trials: tally.index,
    };
  }

  async #writeEnd(end: RunEnd): Promise<RunEnd> {
    if (this.#stop?.by === 'storage') return this.#input.redactor.redact(incomplete(end, this.#stop.error));
    try {
      return (await this.#input.file.end(end)).record;
    } catch (error) {
      if (!(error instanceof McproveError)) throw error;
      this.#storageFailed(error);
      return this.#input.redactor.redact(incomplete(end, error));
    }
  }

  #notice(level: 'warning' | 'error', text: string): void {
    this.#emit({ type: 'notice', level, text });
  }

  #emit(event: RunEvent): void {
    this.#deliver(this.#input.redactor.redact(event));
  }

  /** For what has been redacted already. An error of the listener must not look like one of the trial it came in. */
  #deliver(event: RunEvent): void {
    try {
      this.#input.onEvent(event);
    } catch (error) {
      this.#stopRun({ by: 'bug', error });
    }
  }
}
