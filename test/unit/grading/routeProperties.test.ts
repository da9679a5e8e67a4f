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

  test('in any order, the order of calls does not decide, however many their results are unknown', () => {
    const results = fc.constantFrom(undefined, result('x'), result('y'));
    const answered = fc.array(
      fc
        .tuple(tool, value, results)
        .map(([name, q, found]) => call(name, { q }, found === undefined ? {} : { result: found })),
      { maxLength: 6 },
    );
    const wanted = fc.array(
      fc
        .tuple(tool, fc.option(value), fc.option(fc.nat(2)), fc.nat(2), fc.constantFrom(undefined, 'x', 'y'))
        .map(([name, q, min, more, text]) => ({
          tool: name,
          ...(q === null ? {} : { arguments: { q } }),
          ...(min === null ? {} : { count: { min, max: min + more } }),
          ...(text === undefined ? {} : { result: { text } }),
        })),
      { minLength: 1, maxLength: 4 },
    );
    const extras = fc.constantFrom<MatchOptions['extras']>('allow', 'forbid', 1);
    fc.assert(
      fc.property(wanted, answered, extras, fc.nat(), (calls, made, left, seed) => {
        const shuffled = made.map((each, index) => ({ each, at: (index * 7 + seed) % 11 })).sort((x, y) => x.at - y.at);
        const other = match(
          calls,
          shuffled.map(({ each }) => each),
          { extras: left },
        );
        expect(other.outcome).toBe(match(calls, made, { extras: left }).outcome);
      }),
      { numRuns: 2000 },
    );
  });

  test('what is settled while results are unknown stays so whatever they are', () => {
    const unknown = fc.array(fc.constantFrom('x', 'y', undefined), { minLength: 1, maxLength: 5 });
    const wanted = fc.array(
      fc.tuple(fc.constantFrom('x', 'y'), fc.option(fc.nat(2)), fc.nat(2)).map(([text, min, more]) => ({
        tool: 'a',
        result: { text },
        ...(min === null ? {} : { count: { min, max: min + more } }),
      })),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(wanted, unknown, fc.infiniteStream(fc.constantFrom('x', 'y', 'z')), (calls, texts, stream) => {
        const made = (text: string | undefined) => call('a', {}, text === undefined ? {} : { result: result(text) });
        const found = match(calls, texts.map(made)).outcome;
        if (found === 'notMeasured') return;
        const whole = texts.map((text) => made(text ?? stream.next().value));
        expect(match(calls, whole).outcome).toBe(found);
      }),
      { numRuns: 2000 },
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
