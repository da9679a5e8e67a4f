import type { Trial } from '../record.ts';

type Ended = Pick<Trial, 'costUsd' | 'unpriced' | 'verdict'>;

/** Sums of prices stray in the last digits; no price is as small as this. */
const TOLERANCE_USD = 1e-9;

/**
 * Keeps a run under `--max-cost`. A trial is taken to cost what the dearest finished one of its model did, also while it
 * runs. What nobody can know yet is found out with care: the first trial of a model is the only one of it until it ended.
 */
export class Budget {
  readonly #maxUsd: number;
  readonly #inFlight = new Map<string, number>();
  readonly #dearest = new Map<string, number>();
  #spentUsd = 0;
  #unknown: string | null = null;

  /** @param free models that cost nothing */
  constructor(maxUsd: number, free: readonly string[]) {
    this.#maxUsd = maxUsd;
    for (const model of free) this.#dearest.set(model, 0);
  }

  /** Why it cannot be told any more what the run has cost; nothing that costs may start then. */
  get unknown(): string | null {
    return this.#unknown;
  }

  /** Whether a trial may start now. It may later, when others have cost less than they might have. */
  hasRoomFor(model: string | null): boolean {
    if (model === null) return true;
    const estimate = this.#dearest.get(model);
    if (estimate === 0) return true;
    if (this.#unknown !== null) return false;
    const left = this.#maxUsd - this.#committed();
    if (estimate === undefined) return left > TOLERANCE_USD && !this.#inFlight.has(model);
    return estimate <= left + TOLERANCE_USD;
  }

  begin(model: string | null): void {
    if (model !== null) this.#inFlight.set(model, (this.#inFlight.get(model) ?? 0) + 1);
  }

  /** A trial that `begin` was told of. */
  end(model: string | null, { costUsd, unpriced, verdict }: Ended): void {
    if (model === null) return;
    const others = (this.#inFlight.get(model) ?? 1) - 1;
    if (others === 0) this.#inFlight.delete(model);
    else this.#inFlight.set(model, others);
    const dearest = this.#dearest.get(model);
    if (unpriced !== undefined && dearest === undefined) this.#unknown ??= unpriced;
    // At least as much as any other: a cost that is not known is never taken for small.
    const usd = unpriced === undefined ? (costUsd ?? 0) : Math.max(costUsd ?? 0, dearest ?? 0);
    this.#spentUsd += usd;
    const isTelling = verdict === 'passed' || verdict === 'failed' || usd > 0;
    if (isTelling && unpriced === undefined) this.#dearest.set(model, Math.max(dearest ?? 0, usd));
  }

  #committed(): number {
    let sum = this.#spentUsd;
    for (const [model, count] of this.#inFlight) sum += count * (this.#dearest.get(model) ?? 0);
    return sum;
  }
}
