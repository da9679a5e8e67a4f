import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passAtK, passHatK, wilson } from '../../../src/engine/grading/index.ts';

describe('wilson', () => {
  // Known values, to four places: Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I,
  // method 3, for the first four; the others worked out with 50 decimal digits.
  test.each<[number, number, number, number]>([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [5, 10, 0.2366, 0.7634],
    [10, 10, 0.7225, 1],
    [0, 1, 0, 0.7935],
    [1, 1, 0.2065, 1],
  ])('%i of %i', (passed, total, low, high) => {
    const [from, to] = wilson(passed, total);
    expect(from).toBeCloseTo(low, 4);
    expect(to).toBeCloseTo(high, 4);
  });

  test('holds the share, is pinned at the ends, and mirrors', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), (total, any) => {
        const passed = any % (total + 1);
        const [low, high] = wilson(passed, total);
        expect(low).toBeLessThanOrEqual(passed / total);
        expect(high).toBeGreaterThanOrEqual(passed / total);
        expect(low === 0).toBe(passed === 0);
        expect(high === 1).toBe(passed === total);
        expect(wilson(total - passed, total)[0]).toBeCloseTo(1 - high, 12);
      }),
    );
  });

  test.each([
    [0, 0],
    [-1, 5],
    [6, 5],
    [0.5, 5],
    [1, Number.NaN],
  ])('refuses %d of %d', (passed, total) => {
    expect(() => wilson(passed, total)).toThrow(RangeError);
  });
});

describe('pass@k and pass^k', () => {
  test.each<[number, number, number, number, number]>([
    [5, 3, 2, 0.9, 0.3],
    [5, 3, 1, 0.6, 0.6],
    [10, 10, 10, 1, 1],
    [10, 0, 10, 0, 0],
    [10, 1, 10, 1, 0],
    [100, 50, 100, 1, 0],
    [100, 99, 50, 1, 0.5],
  ])('n = %i, c = %i, k = %i', (n, c, k, at, hat) => {
    expect(passAtK(n, c, k)).toBeCloseTo(at, 12);
    expect(passHatK(n, c, k)).toBeCloseTo(hat, 12);
  });

  test('equal the quotients of binomial coefficients', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(), fc.nat(), (n, anyC, anyK) => {
        const c = anyC % (n + 1);
        const k = (anyK % n) + 1;
        expect(passAtK(n, c, k)).toBeCloseTo(1 - quotient(n - c, n, k), 10);
        expect(passHatK(n, c, k)).toBeCloseTo(quotient(c, n, k), 10);
      }),
    );
  });

  test('refuse a k that cannot be drawn', () => {
    for (const k of [0, 6, 1.5, -1]) {
      expect(() => passAtK(5, 3, k)).toThrow(RangeError);
      expect(() => passHatK(5, 3, k)).toThrow(RangeError);
    }
  });
});

/** C(some, k) / C(all, k), in whole numbers up to the last division. */
function quotient(some: number, all: number, k: number): number {
  const scale = 10n ** 18n;
  return Number((binomial(some, k) * scale) / binomial(all, k)) / 1e18;
}

function binomial(n: number, k: number): bigint {
  if (k > n) return 0n;
  let value = 1n;
  for (let index = 1; index <= k; index += 1) value = (value * BigInt(n - k + index)) / BigInt(index);
  return value;
}
