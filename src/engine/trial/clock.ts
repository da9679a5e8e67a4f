/** Time since a trial began, its pauses aside. */
export interface Clock {
  /** When it began, ISO 8601, by the wall clock. */
  readonly startedAt: string;
  /** Milliseconds since then, to the microsecond, by a clock that never jumps. */
  now(): number;
  /** Milliseconds since a reading of `now`. */
  since(earlier: number): number;
  /** Stops it, or lets it go on; doing so twice changes nothing. */
  pause(): void;
  goOn(): void;
}

export function startClock(): Clock {
  const begin = performance.now();
  let pausedAt: number | null = null;
  let pausedFor = 0;
  const now = () => toMicroseconds((pausedAt ?? performance.now()) - begin - pausedFor);
  return {
    startedAt: new Date().toISOString(),
    now,
    since: (earlier) => toMicroseconds(now() - earlier),
    pause() {
      pausedAt ??= performance.now();
    },
    goOn() {
      if (pausedAt !== null) pausedFor += performance.now() - pausedAt;
      pausedAt = null;
    },
  };
}

function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
