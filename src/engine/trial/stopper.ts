import type { TrialEnd } from '../record.ts';
import { raceAbort } from './raceAbort.ts';

/** What a trial is busy with: the stage of a reason, and the words for a person ("while …"). */
export interface Activity {
  stage: 'model' | 'call';
  text: string;
}

/** Ends a trial at once: on cancel, on its timeout, or on a failure after which nothing may go on. The first end counts. */
export interface Stopper {
  /** Aborted as soon as the trial must end. */
  readonly signal: AbortSignal;
  stop(end: TrialEnd): void;
  /** For an error of our own, which beats every end: `end` throws it. */
  crash(error: unknown): void;
  /** Why the trial was stopped; null while it goes on. */
  end(): TrialEnd | null;
  /** `raceAbort` against the trial's end. */
  race<T>(work: PromiseLike<T>): Promise<T>;
  /** Stops the timeout, or lets it run on; doing so twice changes nothing. */
  pause(): void;
  goOn(): void;
  dispose(): void;
}

/** The longest delay that a timer can hold; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createStopper(options: { cancel: AbortSignal; timeoutMs: number; doing: () => Activity }): Stopper {
  const { cancel, timeoutMs, doing } = options;
  const controller = new AbortController();
  let stopped: { end: TrialEnd } | { bug: unknown } | null = null;

  function settle(how: { end: TrialEnd } | { bug: unknown }): void {
    if (stopped !== null && ('bug' in stopped || 'end' in how)) return;
    stopped = how;
    controller.abort();
  }
  function onCancel(): void {
    const { stage, text } = doing();
    settle({ end: { kind: 'cancelled', reason: { stage, cause: 'user', text: `cancelled while ${text}` } } });
  }
  function onTimeout(): void {
    const text = `the timeout of ${timeoutMs / 1000} s passed while ${doing().text}`;
    settle({ end: { kind: 'limit', limit: 'timeout', text } });
  }

  let leftMs = timeoutMs;
  let ranFrom = 0;
  let timer: NodeJS.Timeout | undefined;
  function pause(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs -= performance.now() - ranFrom;
  }
  function goOn(): void {
    if (timer !== undefined || stopped !== null) return;
    ranFrom = performance.now();
    timer = setTimeout(onTimeout, Math.max(0, Math.min(leftMs, LONGEST_TIMER_MS)));
  }

  goOn();
  if (cancel.aborted) onCancel();
  else cancel.addEventListener('abort', onCancel, { once: true });

  return {
    signal: controller.signal,
    stop: (end) => settle({ end }),
    crash: (bug) => settle({ bug }),
    end: () => {
      if (stopped === null) return null;
      if ('bug' in stopped) throw stopped.bug;
      return stopped.end;
    },
    race: (work) => raceAbort(work, controller.signal),
    pause,
    goOn,
    dispose: () => {
      clearTimeout(timer);
      cancel.removeEventListener('abort', onCancel);
    },
  };
}
