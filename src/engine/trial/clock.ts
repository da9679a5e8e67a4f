/** Time since a trial began. */
export interface Clock {
  /** When it began, ISO 8601, by the wall clock. */
  readonly startedAt: string;
  /** Milliseconds since then, to the microsecond, by a clock that never jumps. */
  now(): number;
  /** Milliseconds since a reading of `now`. */
  since(earlier: number): number;
}

export function startClock(): Clock {
  const begin = performance.now();
  const now = () => toMicroseconds(performance.now() - begin);
  return { startedAt: new Date().toISOString(), now, since: (earlier) => toMicroseconds(now() - earlier) };
}

function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
