import { describe, expect, test } from 'vitest';
import type { Case } from '../../../src/engine/suite/model.ts';
import { call, numbered, result, route } from './build.ts';
import { grade, type Happened, OUT_OF_TURNS, outOf, PROVIDER_DOWN, TOOL, TRACE } from './trialOf.ts';

const a = call('a', { q: 1 }, { result: result('alpha') });
const b = call('b', {}, { result: result('beta') });
const callsA: Partial<Case> = { route: route(['a']) };

function inOrder(): Case['match'] {
  return { arguments: 'partial', order: 'inOrder', extras: 'allow', ignoreTools: [] };
}

describe('the route as a check', () => {
  const order = (how: 'any' | 'inOrder' | 'exact'): Partial<Case> => ({ match: { ...inOrder(), order: how } });
  test.each<[string, Partial<Case>, Happened, string]>([
    ['met, and nothing more can undo it', callsA, { calls: [a], end: PROVIDER_DOWN }, 'passed'],
    ['not met yet', callsA, { calls: [b], end: PROVIDER_DOWN }, 'notReached'],
    ['other arguments so far', { route: route([{ a: { q: 2 } }]) }, { calls: [a], end: PROVIDER_DOWN }, 'notReached'],
    [
      'met, but one more call could undo it',
      { ...callsA, match: { ...inOrder(), extras: 'forbid' } },
      { calls: [a], end: OUT_OF_TURNS },
      'notReached',
    ],
    [
      'met, but it has a count',
      { route: route([{ tool: 'a', count: 1 }]) },
      { calls: [a], end: OUT_OF_TURNS },
      'notReached',
    ],
    ['a call too many', { route: route('none') }, { calls: [a], end: OUT_OF_TURNS }, 'failed'],
    [
      'beyond its count',
      { route: route([{ tool: 'a', count: 1 }, 'b']) },
      { calls: numbered([a, a]), end: OUT_OF_TURNS },
      'failed',
    ],
    ['nothing called so far', { route: route('none') }, { end: PROVIDER_DOWN }, 'notReached'],
    [
      'out of order so far',
      { route: route(['a', 'b']), ...order('inOrder') },
      { calls: numbered([b, a]), end: PROVIDER_DOWN },
      'notReached',
    ],
    [
      'in a wrong place',
      { route: route(['a', 'b']), ...order('exact') },
      { calls: numbered([b, a]), end: PROVIDER_DOWN },
      'failed',
    ],
    [
      'in its place so far',
      { route: route(['a', 'b']), ...order('exact') },
      { calls: [a], end: PROVIDER_DOWN },
      'notReached',
    ],
    [
      'a result that the trace does not hold',
      { subject: TRACE, route: route([{ tool: 'a', result: { text: 'x' } }]) },
      { calls: [call('a')] },
      'notMeasured',
    ],
  ])('%s', (_, testCase, happened, outcome) => {
    const [check] = grade(testCase, happened).checks;
    expect([check?.kind, check?.outcome]).toEqual(['calls', outcome]);
  });

  test('stands at its place and keeps its discrepancies', () => {
    const [check] = grade({ route: route(['a', 'b']) }, { calls: [a] }).checks;
    expect(check).toMatchObject({ at: '/cases/0/calls', label: 'calls: a, b', role: 'required', outcome: 'failed' });
    expect(check?.diff).toEqual([{ kind: 'missing', at: '/cases/0/calls/1', tool: 'b', expected: null }]);
  });
});

describe('the runner’s own call as a check', () => {
  const at = '/cases/0/expect';
  const made = (text: string, isError = false): Happened => ({
    calls: [call('a', {}, { by: 'runner', result: result(text, { isError }) })],
  });
  const expecting = (expect_: object): Partial<Case> => ({
    subject: { ...TOOL, expect: { at, ...expect_ } } as Case['subject'],
  });
  test.each<[string, Partial<Case>, Happened, string]>([
    ['succeeds', { subject: TOOL }, made('x'), 'passed'],
    ['fails', { subject: TOOL }, made('x', true), 'failed'],
    ['has the text', expecting({ text: { $contains: 'x' } }), made('xy'), 'passed'],
    ['has another text', expecting({ text: 'x' }), made('xy'), 'failed'],
    ['has the text, in an error', expecting({ text: 'x' }), made('x', true), 'failed'],
    ['has the json', expecting({ json: { n: 1 } }), made('{"n":1,"m":2}'), 'passed'],
    ['has no json', expecting({ json: { n: 1 } }), made('n is 1'), 'failed'],
    ['fails, as it should', expecting({ isError: true }), made('no', true), 'passed'],
    ['fails with another text', expecting({ isError: true, text: 'x' }), made('no', true), 'failed'],
    ['succeeds, but should not', expecting({ isError: true }), made('x'), 'failed'],
    [
      'falls silent, where an error is wanted',
      expecting({ isError: true }),
      { calls: [call('a', {}, { by: 'runner', error: { kind: 'crashed', text: '' } })] },
      'failed',
    ],
    ['was never made', { subject: TOOL }, { end: PROVIDER_DOWN }, 'notReached'],
    [
      'was cut off',
      { subject: TOOL },
      { calls: [call('a', {}, { by: 'runner', error: { kind: 'cancelled', text: '' } })], end: outOf('timeout') },
      'notReached',
    ],
    [
      'is cut off in the record',
      expecting({ json: {} }),
      { calls: [call('a', {}, { by: 'runner', result: result('{', { cut: true }) })] },
      'notMeasured',
    ],
  ])('%s', (_, testCase, happened, outcome) => {
    const [check] = grade(testCase, happened).checks;
    expect([check?.kind, check?.at, check?.outcome]).toEqual([
      'expect',
      testCase.subject === TOOL ? TOOL.at : at,
      outcome,
    ]);
  });
});
