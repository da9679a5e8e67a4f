import type { PlannedTrial } from '../record.ts';

/** The trials of one model, or of none. */
interface Lane {
  waiting: PlannedTrial[];
  running: number;
  started: number;
}

/**
 * Runs every trial, at most `concurrency` at the same time. Models share the places evenly: the next trial is one of the
 * model with the fewest running, so a slow provider holds up nobody else's trials. Starts nothing new once the signal is
 * aborted; what runs is waited for.
 *
 * @param run is expected to put up with whatever its trial does; when it throws all the same, nothing new is started
 * @throws the first error that `run` threw, when the others have ended
 */
export async function schedule(options: {
  trials: readonly PlannedTrial[];
  concurrency: number;
  signal: AbortSignal;
  run(trial: PlannedTrial): Promise<void>;
}): Promise<void> {
  const { trials, concurrency, signal, run } = options;
  const lanes = lanesOf(trials);
  let failure: { error: unknown } | null = null;

  async function work(): Promise<void> {
    while (failure === null && !signal.aborted) {
      const lane = nextLane(lanes);
      const trial = lane?.waiting.pop();
      if (lane === undefined || trial === undefined) return;
      lane.running++;
      lane.started++;
      try {
        await run(trial);
      } catch (error) {
        failure ??= { error };
      }
      lane.running--;
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, trials.length) }, work));
  rethrow(failure);
}

function rethrow(failure: { error: unknown } | null): void {
  if (failure !== null) throw failure.error;
}

function lanesOf(trials: readonly PlannedTrial[]): Lane[] {
  const lanes = new Map<string | null, Lane>();
  for (const trial of trials.toReversed()) {
    const lane = lanes.get(trial.cell.model) ?? { waiting: [], running: 0, started: 0 };
    lane.waiting.push(trial);
    lanes.set(trial.cell.model, lane);
  }
  return [...lanes.values()].reverse();
}

function nextLane(lanes: readonly Lane[]): Lane | undefined {
  let best: Lane | undefined;
  for (const lane of lanes) {
    if (lane.waiting.length === 0) continue;
    if (best === undefined || lane.running < best.running) best = lane;
    else if (lane.running === best.running && lane.started < best.started) best = lane;
  }
  return best;
}
