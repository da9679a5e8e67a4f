/** Durations as written: `500ms`, `30s`, `2m`, `1h`, `1d`. */
export const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds, or NaN where the text is no duration */
export function durationMs(text: string): number {
  const [, figure, unit] = DURATION.exec(text) ?? [];
  return Number(figure) * (UNITS[unit ?? ''] ?? Number.NaN);
}

const SCALE: readonly (readonly [unit: string, ms: number])[] = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];

/** The shortest way to write it: `90s`, `500ms`. */
export function formatDuration(ms: number): string {
  const [unit, size] = SCALE.find(([, length]) => ms >= length && ms % length === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
