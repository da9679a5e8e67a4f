/** Ctrl-C and SIGTERM: first a cancel that lets everything end in order, then, asked again, an end at once. */
import { EXIT, type ExitCode } from './exitCodes.ts';

type StopSignal = 'SIGINT' | 'SIGTERM';

/** npm passes on the terminal's SIGINT as well, so that one Ctrl-C arrives twice. */
const SAME_PRESS_MS = 1000;

/** The slice of `process` this needs. */
export interface SignalSource {
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
}

export interface Interruption {
  readonly signal: AbortSignal;
  /** The status to leave with, once a signal came. */
  readonly exitCode: ExitCode | undefined;
  /** Stops listening. */
  dispose(): void;
}

/**
 * Listens until disposed.
 *
 * @param on.first  called once, when the cancel begins
 * @param on.again  called when a person asks once more; it is to leave the process
 * @param now       milliseconds, monotonic
 */
export function watchSignals(
  source: SignalSource,
  on: { first(): void; again(code: ExitCode): void },
  now: () => number = () => performance.now(),
): Interruption {
  const controller = new AbortController();
  let exitCode: ExitCode | undefined;
  let firstAt = 0;

  const listener = (signal: StopSignal): void => {
    const before = exitCode;
    exitCode = signal === 'SIGTERM' || exitCode === EXIT.terminated ? EXIT.terminated : EXIT.interrupted;
    if (before === undefined) {
      firstAt = now();
      on.first();
      controller.abort();
    } else if (now() - firstAt >= SAME_PRESS_MS) {
      on.again(exitCode);
    }
  };

  source.on('SIGINT', listener);
  source.on('SIGTERM', listener);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    dispose() {
      source.off('SIGINT', listener);
      source.off('SIGTERM', listener);
    },
  };
}
