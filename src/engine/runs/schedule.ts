import type { PlannedTrial } from '../record.ts';

/** The trials of one model, or of none. */
interface Lane {
  waiting: PlannedTrial[];
  running: number;
  started: number;
  provider: Provider;
}

/** All lanes that are asked at the same place. */
interface Provider {
  name: string | null;
  running: number;
}

export interface ScheduleOptions {
  trials: readonly PlannedTrial[];
  concurrency: number;
  signal: AbortSignal;
  /** What a trial's model belongs to; left out, every model stands for itself. */
  providerOf?(trial: PlannedTrial): string | null;
  /** Whether a provider lets everybody wait; others go first meanwhile. */
  isPaused?(provider: string | null): boolean;
  /** Asked again whenever a trial ended. */
  mayStart?(trial: PlannedTrial): boolean;
  /** Is expected to put up with whatever its trial does; when it throws all the same, nothing new is started. */
  run(trial: PlannedTrial): Promise<void>;
}

/**
 * Runs every trial, at most `concurrency` at the same time. Providers share the places evenly, and so do the models of one:
 * the next trial is one of the provider with the fewest running, so a slow one holds up nobody else's trials. Starts nothing
 * new once the signal is aborted; what runs is waited for.
 *
 * @returns how many trials were not started
 * @throws the first error that `run` threw, when the others have ended
 */
export async function schedule(options: ScheduleOptions): Promise<number> {
  const { concurrency, signal, isPaused = () => false, mayStart = () => true, run } = options;
  const lanes = lanesOf(options);
  let running = 0;
  let failure: { error: unknown } | null = null;
  let wake = () => {};

  async function start(lane: Lane, trial: PlannedTrial): Promise<void> {
    try {
      await run(trial);
    } catch (error) {
      failure ??= { error };
    }
    running -= 1;
    lane.running -= 1;
    lane.provider.running -= 1;
    wake();
  }

  function next(): Lane | undefined {
    if (failure !== null || signal.aborted || running >= concurrency) return undefined;
    return nextLane(lanes, isPaused, mayStart);
  }

  for (;;) {
    const lane = next();
    const trial = lane?.waiting.pop();
    if (lane !== undefined && trial !== undefined) {
      running += 1;
      lane.running += 1;
      lane.started += 1;
      lane.provider.running += 1;
      void start(lane, trial);
    } else if (running > 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    } else {
      rethrow(failure);
      return lanes.reduce((sum, { waiting }) => sum + waiting.length, 0);
    }
  }
}

function rethrow(failure: { error: unknown } | null): void {
  if (failure !== null) throw failure.error;
}

function lanesOf({ trials, providerOf = ({ cell }) => cell.model }: ScheduleOptions): Lane[] {
  const lanes = new Map<string | null, Lane>();
  const providers = new Map<string | null, Provider>();
  for (const trial of trials) {
    const { model } = trial.cell;
    let lane = lanes.get(model);
    if (lane === undefined) {
      const name = providerOf(trial);
      const provider = providers.get(name) ?? { name, running: 0 };
      providers.set(name, provider);
      lane = { waiting: [], running: 0, started: 0, provider };
      lanes.set(model, lane);
    }
    lane.waiting.push(trial);
  }
  // The next one is taken from the end.
  for (const { waiting } of lanes.values()) waiting.reverse();
  return [...lanes.values()];
}

function nextLane(
  lanes: readonly Lane[],
  isPaused: (provider: string | null) => boolean,
  mayStart: (trial: PlannedTrial) => boolean,
): Lane | undefined {
  let best: Lane | undefined;
  let bestRank: number[] = [];
  for (const lane of lanes) {
    const trial = lane.waiting.at(-1);
    if (trial === undefined || !mayStart(trial)) continue;
    const { name, running } = lane.provider;
    const rank = [isPaused(name) ? 1 : 0, running, lane.running, lane.started];
    if (best === undefined || isBefore(rank, bestRank)) {
      best = lane;
      bestRank = rank;
    }
  }
  return best;
}

function isBefore(rank: readonly number[], other: readonly number[]): boolean {
  for (const [index, value] of rank.entries()) {
    const against = other[index] ?? 0;
    if (value !== against) return value < against;
  }
  return false;
}
