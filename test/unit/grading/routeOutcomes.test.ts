import { describe, expect, test } from 'vitest';
import type { MatchContext, RouteResult } from '../../../src/engine/grading/index.ts';
import type { Call, OfferedTool } from '../../../src/engine/record.ts';
import { call, result } from './build.ts';
import { match, told, type Written } from './matchWritten.ts';

describe('what a call came to', () => {
  const error = (
    kind: 'content' | 'protocol' | 'timeout' | 'unknownTool' | 'invalidArguments' | 'crashed' | 'cancelled',
  ) => call('a', { q: 1 }, { error: { kind, text: 'why' } });
  const failed = call('a', { q: 1 }, { result: result('no such city', { isError: true }) });
  const good = call('a', { q: 1 }, { result: result('{"status":"open","n":1}') });
  const wanted = (outcome: object): Written => [{ tool: 'a', result: outcome }];
  const wantsError = wanted({ isError: true });

  test.each<[string, Written, Call, Partial<MatchContext>, RouteResult['outcome']]>([
    ['success', ['a'], good, {}, 'passed'],
    ['isError', ['a'], failed, {}, 'failed'],
    ['a protocol error', ['a'], error('protocol'), {}, 'failed'],
    ['a timeout', ['a'], error('timeout'), {}, 'failed'],
    ['nothing known', ['a'], call('a'), {}, 'passed'],
    ['isError where tools do not run', ['a'], failed, { requireSuccess: false }, 'passed'],
    ['isError wanted', wantsError, failed, {}, 'passed'],
    ['isError wanted, succeeded', wantsError, good, {}, 'failed'],
    ['isError wanted, answered with a protocol error', wantsError, error('protocol'), {}, 'passed'],
    ['isError wanted, refused for its arguments', wantsError, error('invalidArguments'), {}, 'passed'],
    ['isError wanted, but the server fell silent', wantsError, error('timeout'), {}, 'failed'],
    ['isError wanted, but the server died', wantsError, error('crashed'), {}, 'failed'],
    ['isError wanted, but there is no such tool', wantsError, error('unknownTool'), {}, 'failed'],
    ['a text', wanted({ text: { $contains: 'open' } }), good, {}, 'passed'],
    ['another text', wanted({ text: { $contains: 'shut' } }), good, {}, 'failed'],
    ['json, in part', wanted({ json: { status: 'open' } }), good, {}, 'passed'],
    ['other json', wanted({ json: { status: 'shut' } }), good, {}, 'failed'],
    ['a text of an error without isError', wanted({ text: { $contains: 'city' } }), failed, {}, 'failed'],
    ['a text of an error with isError', wanted({ text: { $contains: 'city' }, isError: true }), failed, {}, 'passed'],
    ['a result that nobody knows', wanted({ json: { status: 'open' } }), call('a'), {}, 'notMeasured'],
    [
      'a result that nobody knows, where tools do not run',
      wanted({ json: {} }),
      call('a'),
      { requireSuccess: false },
      'passed',
    ],
    ['isError that nobody knows', wantsError, call('a'), {}, 'notMeasured'],
  ])('%s', (_, calls, made, context, outcome) => {
    expect(match(calls, [made], {}, context).outcome).toBe(outcome);
  });

  test('is told with a call that would fit but for it', () => {
    const found = match(wanted({ json: { status: 'shut' } }), [good]).discrepancies;
    expect(told(found)).toEqual(['missing /calls/0 refused c0']);
    const differences = [{ path: '/json/status', expected: 'shut', actual: 'open', matcher: 'equals' }];
    expect(found[0]).toMatchObject({ refused: { text: 'has another result', differences } });
    expect(match(['a'], [error('timeout')]).discrepancies[0]).toMatchObject({ refused: { text: 'timed out: why' } });
  });

  test('a second attempt that succeeds meets the expectation', () => {
    expect(told(match(['a'], [failed, good]).discrepancies)).toEqual(['allowed c0']);
    expect(told(match(['a'], [failed, good], { extras: 'forbid' }).discrepancies)).toEqual(['extra c0']);
  });

  const cut = call('a', {}, { result: result('the beginning', { cut: true }) });
  test.each<[string, object, RouteResult['outcome']]>([
    ['found in the beginning', { text: { $contains: 'begin' } }, 'passed'],
    ['not found in the beginning', { text: { $contains: 'end' } }, 'notMeasured'],
    ['absence in the beginning', { text: { $not: { $contains: 'end' } } }, 'notMeasured'],
    ['a pattern that minds the end', { text: { $matches: 'beginning$' } }, 'notMeasured'],
    ['a pattern that does not', { text: { $matches: '^the' } }, 'passed'],
    ['json of a cut result', { json: '$any' }, 'notMeasured'],
    ['isError is known all the same', { isError: true }, 'failed'],
  ])('of a result that was cut off: %s', (_, outcome, expected) => {
    expect(match([{ tool: 'a', result: outcome }], [cut]).outcome).toBe(expected);
  });

  test('a violation counts whatever an unknown result is', () => {
    const open = { tool: 'a', result: { text: 'x' } };
    expect(match([open, 'b'], [call('a')]).outcome).toBe('failed');
    expect(match([open], [call('a'), call('a')], { extras: 'forbid' }).outcome).toBe('failed');
    expect(match([open], [call('a'), call('b')], { extras: 'forbid' }).outcome).toBe('failed');
    expect(match([open], [call('a')], { extras: 'forbid' })).toMatchObject({
      outcome: 'notMeasured',
      undecided: ['c0'],
    });
    expect(match([{ anyOf: [open, 'b'] }], [call('a'), call('b')]).outcome).toBe('passed');
    expect(match([open], [call('a'), call('a', {}, { result: result('x') })]).outcome).toBe('passed');
  });
});

test.each<[Parameters<typeof match>[0], readonly (string | undefined)[], RouteResult['outcome']]>([
  [[x('a', 1), x('b', { min: 0, max: 1 })], ['a', undefined], 'notMeasured'],
  [[x('a', 1), x('b', { min: 0, max: 1 })], ['a', 'a'], 'failed'],
  [[x('a', 1), x('b', { min: 0, max: 1 })], ['a', 'b'], 'passed'],
  [[x('a', { min: 1, max: 2 })], ['a', undefined], 'passed'],
  // Failed by what is known, whatever the rest is.
  [[x('a', 1)], ['a', undefined, 'a'], 'failed'],
  [[x('a', 1), 'x'], ['a', undefined, 'a'], 'notMeasured'],
])('a full count while results are unknown: %j on %j is %s', (expected, texts, outcome) => {
  const calls = texts.map((text) => call('x', {}, text === undefined ? {} : { result: result(text) }));
  expect(match(expected, calls).outcome).toBe(outcome);
});

function x(text: string, count: number | { min: number; max: number }): { [key: string]: unknown } {
  return { tool: 'x', result: { text }, count };
}

test.each([['Berlin Berlin Paris'], ['Berlin Paris Berlin'], ['Paris Berlin Berlin']])(
  'a call beyond a full count is taken by another expected one where it can be: %s',
  (cities) => {
    const calls = cities.split(' ').map((city) => call('get', { city }));
    const found = match([{ tool: 'get', arguments: { city: 'Berlin' }, count: 1 }, 'get'], calls);
    expect([found.outcome, found.discrepancies.map(({ kind }) => kind)]).toEqual(['passed', ['extra']]);
  },
);

describe('tools that nobody offers', () => {
  const offered: OfferedTool[] = ['get_weather', 'get_alerts'].map((tool) => ({ server: 'weather', tool, hash: '0' }));
  const invented = call('get_wether', {}, { server: null, error: { kind: 'unknownTool', text: 'no such tool' } });

  test('expected: an error with the nearest name', () => {
    const found = match(['get_wether'], [], {}, { offered }).discrepancies[0];
    expect(found).toEqual({
      kind: 'missing',
      at: '/calls/0',
      tool: 'get_wether',
      expected: null,
      neverOffered: true,
      nearest: 'get_weather',
    });
  });

  test('expected: a hint only once the list of tools has changed', () => {
    const found = match(['get_wether'], [], {}, { offered, toolListChanged: true }).discrepancies[0];
    expect(found).toEqual({
      kind: 'missing',
      at: '/calls/0',
      tool: 'get_wether',
      expected: null,
      nearest: 'get_weather',
    });
  });

  test('expected: nobody knows where nobody listed them', () => {
    expect(match(['get_wether'], []).discrepancies[0]).toEqual({
      kind: 'missing',
      at: '/calls/0',
      tool: 'get_wether',
      expected: null,
    });
  });

  test('expected with its server', () => {
    const found = match(['weather::get_wether'], [], {}, { offered }).discrepancies[0];
    expect(found).toMatchObject({ neverOffered: true, nearest: 'weather::get_weather' });
    expect(match(['maps::get_weather'], [], {}, { offered }).discrepancies[0]).toMatchObject({ neverOffered: true });
    expect(match(['weather::*'], [], {}, { offered }).discrepancies[0]).not.toHaveProperty('neverOffered');
  });

  test('called: hallucinated, with the nearest name', () => {
    const found = match([], [invented], {}, { offered }).discrepancies[0];
    expect(found).toMatchObject({ kind: 'extra', counts: true, hallucinated: true, nearest: 'get_weather' });
  });

  test('called from a trace: nobody knows', () => {
    const found = match(['a'], [call('a'), call('b', {}, { server: null })]).discrepancies[0];
    expect(found).not.toHaveProperty('hallucinated');
  });
});

describe('qualified names', () => {
  test.each<[string, string | null, boolean]>([
    ['get', 'weather', true],
    ['weather::get', 'weather', true],
    ['weather::*', 'weather', true],
    ['*::get', 'weather', true],
    ['maps::get', 'weather', false],
    ['weather::get', null, false],
  ])('%s of %s', (tool, server, fits) => {
    expect(match([tool], [call('get', {}, { server })]).outcome).toBe(fits ? 'passed' : 'failed');
  });
});
