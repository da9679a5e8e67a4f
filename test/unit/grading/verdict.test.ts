import { describe, expect, test } from 'vitest';
import { gradeTrial } from '../../../src/engine/grading/index.ts';
import type { Attempt, Json, Reason, Verdict } from '../../../src/engine/record.ts';
import type { Case } from '../../../src/engine/suite/model.ts';
import { call, numbered, result, route } from './build.ts';
import { reordered } from './reordered.ts';
import {
  assertion,
  attemptOf,
  callThatEnded,
  caseOf,
  errored,
  grade,
  type Happened,
  notEmpty,
  OUT_OF_TURNS,
  outOf,
  PROVIDER_DOWN,
  reply,
  STOPPED,
  says,
  TOOL,
  TRACE,
} from './trialOf.ts';

const a = call('a', { q: 1 }, { result: result('alpha') });
const b = call('b', {}, { result: result('beta') });
const callsA: Partial<Case> = { route: route(['a']) };

describe('the verdict', () => {
  const cases: [string, Partial<Case>, Happened, Verdict, string?, Reason['cause']?][] = [
    ['every required check passed', { ...callsA, assertions: [notEmpty] }, { calls: [a] }, 'passed'],
    ['a required check failed', { assertions: [says('cold')] }, {}, 'failed', 'requestSatisfied', 'agent'],
    ['an advisory check failed', { assertions: [notEmpty, says('cold', { role: 'advisory' })] }, {}, 'passed'],
    ['the route was not kept', callsA, { calls: [b] }, 'failed', 'toolSelected', 'agent'],
    ['nothing was called, and nothing was to be', { route: route('none') }, {}, 'passed'],
    [
      'something was called, and nothing was to be',
      { route: route('none') },
      { calls: [a] },
      'failed',
      'toolSelected',
      'agent',
    ],

    // The fault table, row by row.
    ['no start', callsA, { end: errored('connect', 'server'), offered: [] }, 'errored', 'connect', 'server'],
    ['no tool list', callsA, { end: errored('discover', 'server'), offered: [] }, 'errored', 'discover', 'server'],
    ['isError', callsA, callThatEnded('content'), 'failed', 'responseReturned', 'server'],
    ['isError that the case does not mind', { assertions: [notEmpty] }, callThatEnded('content'), 'passed'],
    ['a JSON-RPC error', callsA, callThatEnded('protocol'), 'failed', 'toolCalled', 'agent'],
    ['an unknown tool', callsA, callThatEnded('unknownTool'), 'failed', 'toolSelected', 'agent'],
    ['invalid arguments', callsA, callThatEnded('invalidArguments'), 'failed', 'toolCalled', 'agent'],
    ['callTimeout passed', callsA, callThatEnded('timeout'), 'failed', 'responseReturned', 'server'],
    [
      'callTimeout passed, which the case does not mind',
      { assertions: [notEmpty] },
      callThatEnded('timeout'),
      'passed',
    ],
    ['the server died during a call', callsA, callThatEnded('crashed'), 'failed', 'responseReturned', 'server'],
    [
      'the server died a second time',
      callsA,
      { ...callThatEnded('crashed'), end: errored('call', 'server') },
      'errored',
      'call',
      'server',
    ],
    ['timeout', callsA, { calls: [a], end: outOf('timeout') }, 'failed', 'limit:timeout', 'agent'],
    ['maxTurns', callsA, { calls: [a], end: outOf('maxTurns') }, 'failed', 'limit:maxTurns', 'agent'],
    ['context full', callsA, { calls: [a], end: outOf('context') }, 'failed', 'limit:context', 'agent'],
    [
      'cut at maxOutputTokens',
      { assertions: [says('mild')] },
      { end: outOf('maxOutputTokens') },
      'failed',
      'limit:maxOutputTokens',
      'agent',
    ],
    [
      'a content filter',
      { assertions: [notEmpty] },
      { replies: [reply('', { finish: 'content-filter' })] },
      'failed',
      'requestSatisfied',
      'agent',
    ],
    ['a refusal', { assertions: [says('mild')] }, { answer: 'I cannot help.' }, 'failed', 'requestSatisfied', 'agent'],
    ['an empty answer', { ...callsA }, { calls: [a], answer: '' }, 'passed'],
    ['the provider is down', callsA, { calls: [a], end: PROVIDER_DOWN }, 'errored', 'model', 'provider'],
    [
      'the provider is down, and something was already wrong',
      { route: route('none') },
      { calls: [a], end: PROVIDER_DOWN },
      'errored',
      'model',
      'provider',
    ],
    [
      'the trace cannot be read',
      { ...callsA, subject: TRACE },
      { end: errored('trace', 'config') },
      'errored',
      'trace',
      'config',
    ],
    [
      'cancelled',
      callsA,
      { end: { kind: 'cancelled', reason: { stage: 'model', cause: 'user', text: 'stopped' } } },
      'cancelled',
      'model',
      'user',
    ],
    [
      'a required check was not measured',
      { assertions: [notEmpty, assertion({ kind: 'limits', value: { tokens: { min: null, max: 500 } } })] },
      {
        replies: [
          reply('x', { usage: { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null } }),
        ],
      },
      'errored',
      'evaluator',
      'harness',
    ],
    [
      'a required check was not measured, another failed',
      { assertions: [says('cold'), assertion({ kind: 'limits', value: { tokens: { min: null, max: 500 } } })] },
      {
        replies: [
          reply('x', { usage: { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null } }),
        ],
      },
      'failed',
      'requestSatisfied',
    ],
    [
      'a check cannot be carried out',
      { assertions: [assertion({ kind: 'responseMatches', value: [['(']] })] },
      {},
      'errored',
      'evaluator',
      'harness',
    ],
    [
      'nothing was measured',
      { assertions: [assertion({ kind: 'argumentsValid', value: null })] },
      {},
      'errored',
      'evaluator',
      'config',
    ],
    [
      'only advisory checks',
      { assertions: [says('mild', { role: 'advisory' })] },
      {},
      'errored',
      'evaluator',
      'config',
    ],
    [
      'nothing but what would follow',
      { execute: false, assertions: [notEmpty] },
      { calls: [call('a')], end: STOPPED },
      'errored',
      'evaluator',
      'config',
    ],
    [
      'what would follow counts for nothing',
      { ...callsA, execute: false, assertions: [notEmpty] },
      { calls: [call('a')], end: STOPPED },
      'passed',
    ],

    [
      'the runner’s call succeeds',
      { subject: TOOL },
      { calls: [call('a', {}, { by: 'runner', result: result('x') })] },
      'passed',
    ],
    [
      'the runner’s call ends in isError',
      { subject: TOOL },
      { calls: [call('a', {}, { by: 'runner', result: result('x', { isError: true }) })] },
      'failed',
      'responseReturned',
      'server',
    ],
    [
      'the runner’s call names no tool',
      { subject: TOOL },
      { calls: [call('a', {}, { by: 'runner', error: { kind: 'unknownTool', text: '' } })] },
      'failed',
      'toolCalled',
      'server',
    ],
    [
      'a default that does not fit the subject',
      { subject: TOOL, assertions: [says('x', { inherited: true })] },
      { calls: [call('a', {}, { by: 'runner', result: result('x') })] },
      'passed',
    ],
    [
      'the agent went on too long after what was asked for',
      { ...callsA, execute: 'untilExpected' },
      { calls: [a], end: STOPPED },
      'passed',
    ],
  ];
  test.each(cases)('%s', (_, testCase, happened, verdict, stage, cause) => {
    const { reason, ...found } = grade(testCase, happened);
    expect([found.verdict, reason?.stage]).toEqual([verdict, stage]);
    if (cause !== undefined) expect(reason?.cause).toBe(cause);
    expect(reason?.text ?? 'none').not.toBe('');
  });

  test('says in one line what broke first', () => {
    const texts: [Partial<Case>, Happened, string][] = [
      [callsA, { calls: [b] }, 'a was not called.'],
      [
        { route: route(['wether']) },
        { offered: ['weather'] },
        'wether was not called: no server offers it (did you mean weather?)',
      ],
      [
        { route: route([{ a: { q: 2, r: { $gt: 1 } } }]) },
        { calls: [a] },
        'a was called with other arguments: q is 1, expected 2; r is missing, expected $gt 1.',
      ],
      [
        { route: route(['a', 'b']), match: inOrder() },
        { calls: numbered([b, a]) },
        'b was called out of order: made before a, expected after it.',
      ],
      [callsA, callThatEnded('timeout'), 'the call of a timed out: why.'],
      [
        { route: route([{ tool: 'a', result: { text: 'x' } }]) },
        { calls: [a] },
        'the call of a has another result: text is "alpha", expected "x".',
      ],
      [{ route: route('none') }, { calls: numbered([a, b]) }, 'a was called and not expected (and 1 more).'],
      [{ assertions: [says('cold')] }, {}, 'The answer does not contain "cold".'],
      [
        { assertions: [assertion({ kind: 'argumentsValid', value: null })] },
        {},
        'nothing was measured: no required check applies to what happened',
      ],
      [callsA, { end: OUT_OF_TURNS }, 'the model still called tools in reply 20'],
    ];
    for (const [testCase, happened, text] of texts) expect(grade(testCase, happened).reason?.text).toBe(text);
  });
});

function inOrder(): Case['match'] {
  return { arguments: 'partial', order: 'inOrder', extras: 'allow', ignoreTools: [] };
}

test('a grade depends on values alone: not on identity, the order of keys, or an earlier grade; and changes nothing', () => {
  const testCase = caseOf({
    route: route([{ a: { q: 1, r: { s: 2, t: [1, { u: 3, v: 4 }] } } }, 'b', { anyOf: ['c', ['a', 'b']] }]),
    assertions: [notEmpty, says('cold'), assertion({ kind: 'responseMatches', value: [['mild']] })],
  });
  const calls = numbered([call('a', { r: { t: [1, { v: 4, u: 9 }], s: 2 }, q: 1 }), b, b, call('x')]);
  const attempt = attemptOf(testCase.subject, { calls });
  const first = gradeTrial(frozen(testCase), frozen(attempt));
  expect(gradeTrial(testCase, attempt)).toEqual(first);
  for (const seed of [1, 2, 3]) {
    const otherCase = reordered(testCase as unknown as Json, seed) as unknown as Case;
    const otherAttempt = reordered(attempt as unknown as Json, seed) as unknown as Attempt;
    expect(gradeTrial(otherCase, otherAttempt)).toEqual(first);
  }
});

function frozen<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
}
