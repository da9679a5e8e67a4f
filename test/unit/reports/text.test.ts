import { describe, expect, test } from 'vitest';
import type { Check, Difference, Discrepancy, Json } from '../../../src/engine/record.ts';
import { inlineExpected, inlineJson } from '../../../src/engine/reports/inline.ts';
import { describeCheck, describeDiscrepancy } from '../../../src/engine/reports/text.ts';

describe('inlineJson', () => {
  test.each<[Json, string]>([
    [{ city: 'Berlin', days: [1, 2] }, '{ city: "Berlin", days: [1, 2] }'],
    [{}, '{}'],
    [[], '[]'],
    [null, 'null'],
    [{ 'a b': { $gt: 3 } }, '{ "a b": { $gt: 3 } }'],
    ['a\u001b\n', '"a\\u001b\\n"'],
    ['a\u202e', '"a\\u202e"'],
  ])('%j', (value, text) => {
    expect(inlineJson(value)).toBe(text);
  });

  test('matchers of an expected value are no texts', () => {
    expect(inlineExpected({ a: '$string', b: [{ $not: '$null' }], c: { $ne: '$null' } })).toBe(
      '{ a: $string, b: [{ $not: $null }], c: { $ne: "$null" } }',
    );
  });

  test('what is too long ends in … at the limit', () => {
    expect(inlineJson({ text: 'x'.repeat(1_000_000), more: 1 }, 20)).toBe(`{ text: "${'x'.repeat(10)}…`);
    expect(inlineJson(Array(100_000).fill(1), 10)).toBe('[1, 1, 1,…');
    expect(inlineJson('🎉'.repeat(20), 10)).toBe('"🎉🎉🎉🎉…');
  });

  test('depth is bounded', () => {
    let deep: Json = [];
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(inlineJson(deep, 1000)).toBe(`${'['.repeat(20)}…${']'.repeat(20)}`);
  });
});

describe('a difference', () => {
  test.each<[Difference, string]>([
    [{ path: '/city', expected: 'Berlin', actual: 'Paris', matcher: 'equals' }, 'city is "Paris", expected "Berlin"'],
    [{ path: '/city', expected: 'Berlin', matcher: 'equals' }, 'city is missing, expected "Berlin"'],
    [{ path: '/unit', actual: 'K', matcher: 'exact' }, 'unit is "K", which is not expected'],
    [{ path: '', expected: {}, actual: [], matcher: 'equals' }, 'the argument object is [], expected {}'],
    [{ path: '/days/0/a~1b', expected: 3, actual: 2, matcher: '$gte' }, 'days[0].a/b is 2, expected $gte 3'],
    [{ path: '/n', expected: { $gte: 3 }, actual: 2, matcher: '$gte' }, 'n is 2, expected $gte 3'],
    [{ path: '/n', expected: '$string', actual: 2, matcher: '$string' }, 'n is 2, expected $string'],
    [{ path: '/n', expected: { a: '$string' }, matcher: 'equals' }, 'n is missing, expected { a: $string }'],
    [{ path: '/n', expected: 5, actual: 2, matcher: 'constructor' }, 'n is 2, expected 5'],
    [{ path: '/a\u001b', expected: 1, actual: 2, matcher: 'equals' }, 'a\\x1b is 2, expected 1'],
  ])('%j', (difference, text) => {
    const mismatch = { kind: 'argumentMismatch', at: '', call: 'c1', tool: 'get', expected: {}, actual: {} } as const;
    expect(describeDiscrepancy({ ...mismatch, differences: [difference] })).toBe(`argument mismatch: get: ${text}`);
  });
});

describe('describeDiscrepancy', () => {
  const wrongCity: Difference = { path: '/city', expected: 'Berlin', actual: 'Paris', matcher: 'equals' };
  test.each<[Discrepancy, string]>([
    [{ kind: 'missing', at: '', tool: 'get_weather', expected: null }, 'missing: get_weather'],
    [{ kind: 'missing', at: '', tool: 'get', expected: { city: 'B' } }, 'missing: get { city: "B" }'],
    [
      { kind: 'missing', at: '', tool: 'get_wether', expected: {}, nearest: 'get_weather' },
      'missing: get_wether (did you mean get_weather?)',
    ],
    [
      { kind: 'missing', at: '', tool: 'get_wether', expected: {}, neverOffered: true, nearest: 'get_weather' },
      'missing: get_wether: no server offers it (did you mean get_weather?)',
    ],
    [
      {
        kind: 'missing',
        at: '',
        tool: 'get',
        expected: {},
        refused: { call: 'c1', text: 'ended in an error', differences: [] },
      },
      'missing: get: call c1 ended in an error',
    ],
    [
      {
        kind: 'missing',
        at: '',
        tool: 'gte',
        expected: { a: '$string', b: { $eq: '$string' } },
        nearest: 'get',
        refused: { call: 'c1', text: 'named a tool that does not exist', differences: [] },
      },
      'missing: gte { a: $string, b: { $eq: "$string" } }: call c1 named a tool that does not exist (did you mean get?)',
    ],
    [
      { kind: 'extra', call: 'c2', tool: 'gte', arguments: { a: '$string' }, counts: true, nearest: 'get' },
      'extra: gte { a: "$string" } (did you mean get?)',
    ],
    [
      {
        kind: 'missing',
        at: '',
        tool: 'get',
        expected: {},
        refused: {
          call: 'c1',
          text: 'has another result',
          differences: [{ path: '/isError', expected: true, actual: false, matcher: 'equals' }],
        },
      },
      'missing: get: call c1 has another result: isError is false, expected true',
    ],
    [{ kind: 'extra', call: 'c2', tool: 'rm', arguments: { all: true }, counts: true }, 'extra: rm { all: true }'],
    [{ kind: 'extra', call: 'c2', tool: 'rm', arguments: {}, counts: false }, 'extra, allowed: rm'],
    [
      { kind: 'extra', call: 'c2', tool: 'rn\u202e', arguments: {}, counts: true, hallucinated: true, nearest: 'rm' },
      'extra: rn\\u202e: no server offers it (did you mean rm?)',
    ],
    [
      { kind: 'outOfOrder', at: '', call: 'c1', tool: 'get', text: 'came before search' },
      'out of order: get: came before search',
    ],
    [
      { kind: 'argumentMismatch', at: '', call: 'c1', tool: 'get', expected: {}, actual: {}, differences: [wrongCity] },
      'argument mismatch: get: city is "Paris", expected "Berlin"',
    ],
    [
      {
        kind: 'argumentMismatch',
        at: '',
        call: 'c1',
        tool: 'get',
        expected: {},
        actual: [],
        differences: [{ path: '', expected: {}, actual: [], matcher: 'equals' }, ...Array(6).fill(wrongCity)],
      },
      `argument mismatch: get: the argument object is [], expected {}${'; city is "Paris", expected "Berlin"'.repeat(4)} (and 2 more differences)`,
    ],
  ])('%j', (discrepancy, text) => {
    expect(describeDiscrepancy(discrepancy)).toBe(text);
  });
});

describe('describeCheck', () => {
  const check: Check = {
    at: '/cases/0/calls',
    kind: 'calls',
    label: 'calls',
    role: 'required',
    outcome: 'failed',
    reason: '1 call is missing',
  };
  test.each<[Partial<Check>, string]>([
    [{}, 'calls: 1 call is missing'],
    [{ outcome: 'passed' }, 'calls'],
    [{ outcome: 'notMeasured', reason: 'no usage was reported' }, 'calls: not measured: no usage was reported'],
    [{ outcome: 'notReached', reason: '' }, 'calls: not reached'],
    [{ label: 'a\nb', reason: 'x'.repeat(1000) }, `a\\nb: ${'x'.repeat(499)}…`],
  ])('%j', (change, text) => {
    expect(describeCheck({ ...check, ...change })).toBe(text);
  });
});
