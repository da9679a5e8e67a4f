import { expect, test } from 'vitest';
import { retryDelay } from '../../../../src/engine/servers/http/retryAfter.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

test.for([
  ['2', 1, 0, 2000],
  ['0', 3, 0, 0],
  [' 1.5 ', 1, 0, 1500],
  ['Thu, 01 Jan 2026 12:00:07 GMT', 1, 0, 7000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 1, 0, 0],
  ['30', 1, 0, 30_000],
  ['31', 1, 0, null],
  ['20', 2, 20_000, null],
  ['0', 11, 0, null],
  [null, 4, 0, null],
  ['soon', 4, 0, null],
] as const)('Retry-After %j, try %d, waited %d ms: %j', ([header, tries, waitedMs, delay]) => {
  expect(retryDelay(header, tries, waitedMs, NOW)).toBe(delay);
});

test.for([
  [1, 250, 500],
  [2, 500, 1000],
  [3, 1000, 2000],
] as const)('without a header, try %d waits from %d to %d ms', ([tries, least, most]) => {
  const delays = Array.from({ length: 50 }, () => retryDelay(null, tries, 0, NOW) ?? -1);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(least);
  expect(Math.max(...delays)).toBeLessThanOrEqual(most);
  expect(new Set(delays).size).toBeGreaterThan(1);
});
