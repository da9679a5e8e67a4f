import { describe, expect, test } from 'vitest';
import type { CallErrorKind, Reason, Stage, StageName, TrialEnd, Verdict } from '../../../src/engine/record.ts';
import type { Assertion, Case } from '../../../src/engine/suite/model.ts';
import { call, numbered, result, route } from './build.ts';
import {
  assertion,
  grade,
  type Happened,
  OUT_OF_TURNS,
  PROVIDER_DOWN,
  reply,
  STOPPED,
  TOOL,
  TRACE,
} from './trialOf.ts';

const a = call('a', { q: 1 }, { result: result('alpha') });
const b = call('b', {}, { result: result('beta') });
const notEmpty = assertion({ kind: 'responseNotEmpty', value: null });
const says = (word: string, more: Partial<Assertion> = {}) =>
  assertion({ kind: 'responseContains', value: [[word]] }, more);
const callsA: Partial<Case> = { route: route(['a']) };

function callThatEnded(kind: CallErrorKind): Happened {
  const isError = kind === 'content' ? { result: result('no', { isError: true }) } : {};
  return { calls: [call('a', {}, { error: { kind, text: 'why' }, ...isError })] };
}

function errored(stage: string, cause: Reason['cause']): TrialEnd {
  return { kind: 'errored', reason: { stage, cause, text: `${stage} did not go well` } };
}

function limit(name: 'timeout' | 'maxTurns' | 'context' | 'maxOutputTokens'): TrialEnd {
  return { kind: 'limit', limit: name, text: `out of ${name}` };
}

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
    ['an unknown tool', callsA, callThatEnded('unknownTool'), 'failed', 'toolCalled', 'agent'],
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
    ['timeout', callsA, { calls: [a], end: limit('timeout') }, 'failed', 'limit:timeout', 'agent'],
    ['maxTurns', callsA, { calls: [a], end: limit('maxTurns') }, 'failed', 'limit:maxTurns', 'agent'],
    ['context full', callsA, { calls: [a], end: limit('context') }, 'failed', 'limit:context', 'agent'],
    [
      'cut at maxOutputTokens',
      { assertions: [says('mild')] },
      { end: limit('maxOutputTokens') },
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
        'wether was not called: no server offers it (did you mean weather?).',
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
      { calls: [call('a', {}, { by: 'runner', error: { kind: 'cancelled', text: '' } })], end: limit('timeout') },
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

describe('the value chain', () => {
  const ORDER: StageName[] = [
    'sessionConnected',
    'toolsDiscovered',
    'toolSelected',
    'toolCalled',
    'responseReturned',
    'requestSatisfied',
  ];
  const SIGN = { ok: '+', broke: 'x', notReached: '.', notMeasured: '?' } satisfies Record<Stage['state'], string>;
  test.each<[string, Partial<Case>, Happened, string]>([
    ['all the way', { ...callsA, assertions: [notEmpty] }, { calls: [a] }, '++++++'],
    ['nothing else required', callsA, { calls: [a] }, '+++++?'],
    ['any route', { assertions: [notEmpty] }, { calls: [a] }, '++?+++'],
    ['no call wanted, none made', { route: route('none'), assertions: [notEmpty] }, {}, '+++??+'],
    ['no connection', callsA, { end: errored('connect', 'server'), offered: [] }, 'x.....'],
    ['no tool list', callsA, { end: errored('discover', 'server'), offered: [] }, '+x....'],
    ['a missing call', { ...callsA, assertions: [notEmpty] }, { calls: [] }, '++x..+'],
    ['a missing call, another made', { ...callsA, assertions: [notEmpty] }, { calls: [b] }, '++x+++'],
    ['other arguments', { route: route([{ a: { q: 2 } }]), assertions: [notEmpty] }, { calls: [a] }, '+++x++'],
    [
      'arguments against the schema',
      { assertions: [notEmpty] },
      { calls: [{ ...a, argumentsValid: false }] },
      '++?x++',
    ],
    ['a protocol error', { assertions: [notEmpty] }, callThatEnded('protocol'), '++?x++'],
    ['isError', callsA, callThatEnded('content'), '++++x.'],
    ['an invalid result', { ...callsA, assertions: [notEmpty] }, { calls: [{ ...a, resultValid: false }] }, '++++x+'],
    [
      'an error that was asked for',
      { route: route([{ tool: 'a', result: { isError: true } }]), assertions: [notEmpty] },
      callThatEnded('content'),
      '++++++',
    ],
    ['another answer', { ...callsA, assertions: [says('cold')] }, { calls: [a] }, '+++++x'],
    [
      'a tool that must not be called',
      { assertions: [assertion({ kind: 'toolNotCalled', value: { tools: [['a']], count: null } })] },
      { calls: [a] },
      '++x++.',
    ],
    [
      'the right tool with other arguments',
      { assertions: [assertion({ kind: 'toolCalled', value: { tools: [['a']], arguments: { q: 2 }, count: null } })] },
      { calls: [a] },
      '+++x+.',
    ],
    ['out of turns', callsA, { calls: [a], end: OUT_OF_TURNS }, '+++++x'],
    ['the provider broke off', { ...callsA, assertions: [notEmpty] }, { calls: [a], end: PROVIDER_DOWN }, '+++++.'],
    [
      'the provider broke off at once',
      { ...callsA, assertions: [notEmpty] },
      { calls: [], end: PROVIDER_DOWN },
      '++.??.',
    ],
    ['tools do not run', { ...callsA, execute: false }, { calls: [call('a')], end: STOPPED }, '++++??'],
    ['a trace', { ...callsA, subject: TRACE }, { calls: [a] }, '??+++?'],
    [
      'the runner’s call',
      { subject: TOOL },
      { calls: [call('a', {}, { by: 'runner', result: result('x') })] },
      '++?+++',
    ],
    [
      'the runner’s call in vain',
      { subject: TOOL },
      { calls: [call('a', {}, { by: 'runner', result: result('x', { isError: true }) })] },
      '++?+x.',
    ],
    ['advisory checks break nothing', { assertions: [says('cold', { role: 'advisory' })] }, {}, '++????'],
    ['evidence is missing', { assertions: [assertion({ kind: 'responseMatches', value: [['(']] })] }, {}, '++????'],
  ])('%s', (_, testCase, happened, picture) => {
    const { chain } = grade(testCase, happened);
    expect(chain.map((stage) => stage.stage)).toEqual(ORDER);
    expect(chain.map((stage) => SIGN[stage.state]).join('')).toBe(picture);
    for (const stage of chain) expect(stage.evidence).toMatch(/\S/);
  });
});
