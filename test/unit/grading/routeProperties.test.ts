import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/engine/record.ts';
import type { MatchOptions } from '../../../src/engine/suite/model.ts';
import { call, result } from './build.ts';
import { match } from './matchWritten.ts';
import { reordered } from './reordered.ts';

describe('properties', () => {
  const tool = fc.constantFrom('a', 'b', 'c');
  const value = fc.constantFrom<Json>(1, 2, 3);
  const expected = fc.array(
    fc.oneof(
      tool,
      fc
        .tuple(tool, fc.oneof(value, fc.constantFrom<Json>('$any', { $gte: 2 }, { $anyOf: [1, 3] })))
        .map(([name, q]) => ({ [name]: { q } })),
      fc
        .tuple(tool, fc.nat(2), fc.nat(2))
        .map(([name, min, more]) => ({ tool: name, count: { min, max: min + more } })),
    ),
    { minLength: 1, maxLength: 5 },
  );
  const actual = fc.array(
    fc
      .tuple(tool, value, fc.boolean())
      .map(([name, q, fails]) =>
        call(name, { q, r: { s: 1, t: 2 } }, fails && q === 3 ? { result: result('', { isError: true }) } : {}),
      ),
    { maxLength: 6 },
  );
  const order = fc.constantFrom<MatchOptions['order']>('any', 'inOrder');

  test('an unrelated call more never turns a pass into a fail where extras are allowed', () => {
    fc.assert(
      fc.property(expected, actual, order, fc.nat(6), (calls, made, how, at) => {
        if (match(calls, made, { order: how }).outcome !== 'passed') return;
        const more = [...made.slice(0, at), call('unrelated'), ...made.slice(at)];
        expect(match(calls, more, { order: how }).outcome).toBe('passed');
      }),
      { numRuns: 1000 },
    );
  });

  test('the order of keys changes nothing', () => {
    fc.assert(
      fc.property(expected, actual, order, fc.nat(), (calls, made, how, seed) => {
        const shuffled = made.map((each) => ({ ...each, arguments: reordered(each.arguments, seed) }));
        const other = calls.map((each) =>
          typeof each === 'string' ? each : (reordered(each as Json, seed) as typeof each),
        );
        expect(match(other, shuffled, { order: how })).toEqual(match(calls, made, { order: how }));
      }),
    );
  });

  test('every call is told of exactly once: met, or in one discrepancy', () => {
    fc.assert(
      fc.property(
        expected,
        actual,
        fc.constantFrom<MatchOptions['order']>('any', 'inOrder', 'exact'),
        (calls, made, how) => {
          const { met, discrepancies } = match(calls, made, { order: how });
          const told = discrepancies.flatMap((each) =>
            each.kind === 'missing' ? (each.refused?.call ?? []) : each.call,
          );
          const all = [...met.map((each) => each.call), ...told];
          expect(all.sort()).toEqual(made.map((_, index) => `c${index}`));
        },
      ),
    );
  });
});
