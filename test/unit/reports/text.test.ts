import { describe, expect, test } from 'vitest';
import type { Check, Difference, Discrepancy, Json } from '../../../src/engine/record.ts';
import { inlineJson } from '../../../src/engine/reports/inline.ts';
import { describeCheck, describeDifference, describeDiscrepancy } from '../../../src/engine/reports/text.ts';

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

describe('describeDifference', () => {
  test.each<[Difference, string]>([
    [{ path: '/city', expected: 'Berlin', actual: 'Paris', matcher: 'equals' }, 'city is "Paris", expected "Berlin"'],
    [{ path: '/city', expected: 'Berlin', matcher: 'equals' }, 'city is missing, expected "Berlin"'],
    [{ path: '/unit', actual: 'K', matcher: 'exact' }, 'unit is "K", which was not expected'],
    [{ path: '', expected: {}, actual: [], matcher: 'equals' }, 'the value is [], expected {}'],
    [{ path: '/days/0/a~1b', expected: 3, actual: 2, matcher: '$gte' }, 'days[0].a/b is 2, expected at least 3'],
    [{ path: '/n', expected: { $gte: 3 }, actual: 2, matcher: '$gte' }, 'n is 2, expected at least 3'],
    [{ path: '/n', expected: true, actual: 2, matcher: '$string' }, 'n is 2, expected a text'],
    [{ path: '/n', expected: 5, actual: 2, matcher: '$future' }, 'n is 2, expected $future 5'],
    [{ path: '/n', expected: 5, actual: 2, matcher: 'constructor' }, 'n is 2, expected 5'],
    [{ path: '/a\u001b', expected: 1, actual: 2, matcher: 'equals' }, 'a\\x1b is 2, expected 1'],
  ])('%j', (difference, text) => {
    expect(describeDifference(difference)).toBe(text);
  });
});

describe('describeDiscrepancy', () => {
  const wrongCity: Difference = { path: '/city', expected: 'Berlin', actual: 'Paris', matcher: 'equals' };
  test.each<[Discrepancy, string]>([
    [{ kind: 'missing', at: '', tool: 'get_weather', expected: null }, 'missing: get_weather'],
    [{ kind: 'missing', at: '', tool: 'get', expected: { city: 'B' } }, 'missing: get { city: "B" }'],
    [
      { kind: 'missing', at: '', tool: 'get_wether', expected: {}, nearest: 'get_weather' },
      'missing: get_wether; did you mean get_weather?',
    ],
    [
      { kind: 'missing', at: '', tool: 'get_wether', expected: {}, neverOffered: true, nearest: 'get_weather' },
      'missing: get_wether: no server offers this tool; did you mean get_weather?',
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
      'extra: rn\\u202e: no server offers this tool; did you mean rm?',
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
      `argument mismatch: get: the argument object is [], expected {}${'; city is "Paris", expected "Berlin"'.repeat(4)}; and 2 more`,
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
