import { describe, expect, test } from 'vitest';
import type { Call, Outcome } from '../../../src/engine/record.ts';
import type { AssertionBody, AssertionKind, Case } from '../../../src/engine/suite/model.ts';
import { call, numbered, result } from './build.ts';
import { checkOf, type Happened, OUT_OF_TURNS, PROVIDER_DOWN, reply, STOPPED, TOOL, TRACE } from './trialOf.ts';

/** What is asserted, what happened, the outcome, and what is special about the case. */
type Row = [AssertionBody, Happened, Outcome, Partial<Case & { inherited: boolean }>?];

const a = call('a', { q: 1 }, { result: result('alpha') });
const b = call('b', { q: 2 }, { result: result('beta') });
const silent = call('a', { q: 1 });
const failing = call('a', {}, { result: result('no', { isError: true }), error: { kind: 'content', text: 'no' } });
const timedOut = call('a', {}, { error: { kind: 'timeout', text: 'no answer in 60 s' } });
const cutOff = call('a', {}, { error: { kind: 'cancelled', text: 'not finished' } });
const tools = (...names: string[]) => names.map((name) => [name]);
const runner = (more: Partial<Call> = {}): Call => call('a', {}, { by: 'runner', result: result('alpha'), ...more });

const ROWS: { [K in AssertionKind]: Row[] } = {
  toolCalled: [
    [called(tools('a')), { calls: [a] }, 'passed'],
    [called(tools('a')), { calls: [b] }, 'failed'],
    [called(tools('a')), { calls: [timedOut] }, 'passed'],
    [called(tools('a', 'b')), { calls: [a] }, 'failed'],
    [called([['a', 'b']]), { calls: [b] }, 'passed'],
    [called(tools('files::*')), { calls: [b] }, 'passed'],
    [called(tools('a'), { arguments: { q: 1 } }), { calls: [a] }, 'passed'],
    [called(tools('a'), { arguments: { q: 2 } }), { calls: [a] }, 'failed'],
    [called(tools('a'), { count: { min: 2, max: 2 } }), { calls: [a, a] }, 'passed'],
    [called(tools('a'), { count: { min: 2, max: 2 } }), { calls: [a] }, 'failed'],
    [called(tools('a'), { count: { min: 0, max: 1 } }), { calls: [a, a] }, 'failed'],
    [called(tools('a'), { result: { at: '', text: 'alpha' } }), { calls: [a] }, 'passed'],
    [called(tools('a'), { result: { at: '', text: 'beta' } }), { calls: [a] }, 'failed'],
    [called(tools('a'), { result: { at: '', isError: true } }), { calls: [failing] }, 'passed'],
    [called(tools('a'), { result: { at: '', text: 'alpha' } }), { calls: [silent] }, 'notMeasured', { subject: TRACE }],
    [
      called(tools('a'), { result: { at: '', text: 'alpha' } }),
      { calls: [silent], end: STOPPED },
      'passed',
      { execute: false },
    ],
    [called(tools('a')), { calls: [] }, 'notMeasured', { subject: TOOL }],
    [called(tools('a')), { calls: [] }, 'notApplicable', { subject: TOOL, inherited: true }],
    [called(tools('a')), { calls: [a], end: PROVIDER_DOWN }, 'passed'],
    [called(tools('a')), { calls: [b], end: PROVIDER_DOWN }, 'notReached'],
    [called(tools('a'), { count: { min: 1, max: 1 } }), { calls: [a], end: PROVIDER_DOWN }, 'notReached'],
    [called(tools('a'), { count: { min: 1, max: 1 } }), { calls: [a, a], end: PROVIDER_DOWN }, 'failed'],
    [called(tools('a')), { calls: [b], end: STOPPED }, 'failed', { execute: false }],
    [called(tools('a'), { arguments: { $matches: '(' } }), { calls: [call('a', 'x')] }, 'notMeasured'],
  ],
  toolNotCalled: [
    [notCalled(tools('a')), { calls: [b] }, 'passed'],
    [notCalled(tools('a')), {}, 'passed'],
    [notCalled(tools('a')), { calls: [timedOut] }, 'failed'],
    [notCalled(tools('c', 'a')), { calls: [a] }, 'failed'],
    [notCalled([['a', 'b']]), { calls: [a] }, 'passed'],
    [notCalled([['a', 'b']]), { calls: [a, b] }, 'failed'],
    [notCalled(tools('a'), { arguments: { q: 2 } }), { calls: [a] }, 'passed'],
    [
      notCalled(tools('a'), { result: { at: '', text: 'alpha' } }),
      { calls: [silent] },
      'notMeasured',
      { subject: TRACE },
    ],
    [notCalled(tools('a')), {}, 'notApplicable', { subject: TOOL, inherited: true }],
    [notCalled(tools('a')), { calls: [b], end: OUT_OF_TURNS }, 'notReached'],
    [notCalled(tools('a')), { calls: [a], end: OUT_OF_TURNS }, 'failed'],
  ],
  onlyTools: [
    [{ kind: 'onlyTools', value: ['a', 'b*'] }, { calls: [a, b] }, 'passed'],
    [{ kind: 'onlyTools', value: ['a'] }, { calls: [a, b] }, 'failed'],
    [{ kind: 'onlyTools', value: [] }, {}, 'passed'],
    [{ kind: 'onlyTools', value: ['a'] }, { calls: [a], end: PROVIDER_DOWN }, 'notReached'],
    [{ kind: 'onlyTools', value: ['a'] }, { calls: [b], end: PROVIDER_DOWN }, 'failed'],
    [{ kind: 'onlyTools', value: ['a'] }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
    [{ kind: 'onlyTools', value: ['a'] }, {}, 'notMeasured', { subject: TOOL }],
  ],
  firstTool: [
    [{ kind: 'firstTool', value: 'a' }, { calls: [a, b] }, 'passed'],
    [{ kind: 'firstTool', value: 'b' }, { calls: [a, b] }, 'failed'],
    [{ kind: 'firstTool', value: 'a' }, {}, 'failed'],
    [{ kind: 'firstTool', value: 'a' }, { calls: [a], end: PROVIDER_DOWN }, 'passed'],
    [{ kind: 'firstTool', value: 'a' }, { end: PROVIDER_DOWN }, 'notReached'],
    [{ kind: 'firstTool', value: 'a' }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
    [{ kind: 'firstTool', value: 'a' }, {}, 'notMeasured', { subject: TOOL }],
  ],
  lastTool: [
    [{ kind: 'lastTool', value: 'b' }, { calls: [a, b] }, 'passed'],
    [{ kind: 'lastTool', value: 'a' }, { calls: [a, b] }, 'failed'],
    [{ kind: 'lastTool', value: 'a' }, {}, 'failed'],
    [{ kind: 'lastTool', value: 'b' }, { calls: [a, b], end: PROVIDER_DOWN }, 'notReached'],
    [{ kind: 'lastTool', value: 'b' }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
    [{ kind: 'lastTool', value: 'b' }, {}, 'notMeasured', { subject: TOOL }],
  ],
  toolOrder: [
    [{ kind: 'toolOrder', value: ['a', 'b'] }, { calls: [a, b] }, 'passed'],
    [{ kind: 'toolOrder', value: ['a', 'b'] }, { calls: [b, a] }, 'failed'],
    [{ kind: 'toolOrder', value: ['a', 'b'] }, { calls: [a, b, b] }, 'passed'],
    [{ kind: 'toolOrder', value: ['a', 'b'] }, { calls: [b, a, b] }, 'failed'],
    [{ kind: 'toolOrder', value: ['a', 'b'] }, { calls: [b] }, 'failed'],
    [{ kind: 'toolOrder', value: ['a', 'b'] }, { calls: [a] }, 'passed'],
    [{ kind: 'toolOrder', value: ['a', 'b', 'c'] }, { calls: [a, call('c')] }, 'failed'],
    [{ kind: 'toolOrder', value: ['a', 'b'] }, { calls: [a, b], end: PROVIDER_DOWN }, 'notReached'],
    [{ kind: 'toolOrder', value: ['a', 'b'] }, { calls: [b], end: PROVIDER_DOWN }, 'failed'],
    [{ kind: 'toolOrder', value: ['a', 'b'] }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
    [{ kind: 'toolOrder', value: ['a', 'b'] }, {}, 'notMeasured', { subject: TOOL }],
  ],
  noToolErrors: [
    [{ kind: 'noToolErrors', value: null }, { calls: [a, b] }, 'passed'],
    [{ kind: 'noToolErrors', value: null }, {}, 'passed'],
    [{ kind: 'noToolErrors', value: null }, { calls: [a, failing] }, 'failed'],
    [{ kind: 'noToolErrors', value: null }, { calls: [timedOut] }, 'failed'],
    [{ kind: 'noToolErrors', value: null }, { calls: [cutOff], end: OUT_OF_TURNS }, 'notReached'],
    [{ kind: 'noToolErrors', value: null }, { calls: [failing], end: PROVIDER_DOWN }, 'failed'],
    [{ kind: 'noToolErrors', value: null }, { calls: [silent, a] }, 'notMeasured', { subject: TRACE }],
    [{ kind: 'noToolErrors', value: null }, { calls: [silent] }, 'notMeasured', { subject: TRACE }],
    [{ kind: 'noToolErrors', value: null }, { calls: [silent, failing] }, 'failed', { subject: TRACE }],
    [{ kind: 'noToolErrors', value: null }, { calls: [silent] }, 'notApplicable', { subject: TRACE, inherited: true }],
    [{ kind: 'noToolErrors', value: null }, { calls: [silent], end: STOPPED }, 'notApplicable', { execute: false }],
    [
      { kind: 'noToolErrors', value: null },
      { calls: [call('x', {}, { error: { kind: 'unknownTool', text: '' } })], end: STOPPED },
      'failed',
      { execute: false },
    ],
    [{ kind: 'noToolErrors', value: null }, { calls: [runner()] }, 'passed', { subject: TOOL }],
    [
      { kind: 'noToolErrors', value: null },
      { calls: [{ ...failing, by: 'runner' }] },
      'notApplicable',
      { subject: wantsError(), inherited: true },
    ],
    [
      { kind: 'noToolErrors', value: null },
      { calls: [{ ...failing, by: 'runner' }] },
      'failed',
      { subject: wantsError() },
    ],
  ],
  argumentsValid: [
    [{ kind: 'argumentsValid', value: null }, { calls: [{ ...a, argumentsValid: true }, b] }, 'passed'],
    [
      { kind: 'argumentsValid', value: null },
      {
        calls: [
          { ...a, argumentsValid: true },
          { ...b, argumentsValid: false },
        ],
      },
      'failed',
    ],
    [
      { kind: 'argumentsValid', value: null },
      { calls: [call('a', {}, { error: { kind: 'invalidArguments', text: '' } })] },
      'failed',
    ],
    [{ kind: 'argumentsValid', value: null }, {}, 'notApplicable'],
    [{ kind: 'argumentsValid', value: null }, { calls: [a] }, 'notApplicable'],
    [
      { kind: 'argumentsValid', value: null },
      { calls: [{ ...a, argumentsValid: true }], end: PROVIDER_DOWN },
      'notReached',
    ],
    [
      { kind: 'argumentsValid', value: null },
      { calls: [{ ...a, argumentsValid: false }], end: PROVIDER_DOWN },
      'failed',
    ],
    [
      { kind: 'argumentsValid', value: null },
      { calls: [{ ...silent, argumentsValid: true }], end: STOPPED },
      'passed',
      { execute: false },
    ],
    [
      { kind: 'argumentsValid', value: null },
      { calls: [runner({ argumentsValid: false })] },
      'notApplicable',
      { subject: wantsError(), inherited: true },
    ],
  ],
  resultsValid: [
    [{ kind: 'resultsValid', value: { last: false } }, { calls: [{ ...a, resultValid: true }, b] }, 'passed'],
    [
      { kind: 'resultsValid', value: { last: false } },
      {
        calls: [
          { ...a, resultValid: false },
          { ...a, resultValid: true },
        ],
      },
      'failed',
    ],
    [
      { kind: 'resultsValid', value: { last: true } },
      {
        calls: [
          { ...a, resultValid: false },
          { ...a, resultValid: true },
        ],
      },
      'passed',
    ],
    [
      { kind: 'resultsValid', value: { last: true } },
      {
        calls: [
          { ...a, resultValid: false },
          { ...b, resultValid: true },
        ],
      },
      'failed',
    ],
    [{ kind: 'resultsValid', value: { last: false } }, { calls: [a] }, 'notApplicable'],
    [{ kind: 'resultsValid', value: { last: false } }, {}, 'notApplicable'],
    [
      { kind: 'resultsValid', value: { last: false } },
      { calls: [silent], end: STOPPED },
      'notApplicable',
      { execute: false },
    ],
    [{ kind: 'resultsValid', value: { last: false } }, { calls: [silent] }, 'notMeasured', { subject: TRACE }],
    [
      { kind: 'resultsValid', value: { last: false } },
      { calls: [silent] },
      'notApplicable',
      { subject: TRACE, inherited: true },
    ],
    [
      { kind: 'resultsValid', value: { last: true } },
      { calls: [{ ...a, resultValid: false }], end: PROVIDER_DOWN },
      'notReached',
    ],
    [
      { kind: 'resultsValid', value: { last: false } },
      { calls: [runner({ resultValid: false })] },
      'failed',
      { subject: TOOL },
    ],
  ],
  result: [
    [resultIs({ text: 'alpha' }), { calls: [b, a] }, 'passed'],
    [resultIs({ text: 'alpha' }), { calls: [b] }, 'failed'],
    [resultIs({ text: 'alpha' }, 'b'), { calls: [a, b] }, 'failed'],
    [resultIs({ text: 'alpha' }), {}, 'failed'],
    [resultIs({ text: 'no' }), { calls: [failing] }, 'passed'],
    [resultIs({ isError: true }), { calls: [a, failing] }, 'passed'],
    [resultIs({ isError: false, text: 'no' }), { calls: [failing] }, 'failed'],
    [resultIs({ json: { n: { $gt: 1 } } }), { calls: [call('a', {}, { result: result('{"n":2}') })] }, 'passed'],
    [
      resultIs({ json: { n: 3 } }),
      { calls: [call('a', {}, { result: result('{"n":2}', { structured: { n: 3 } }) })] },
      'passed',
    ],
    [resultIs({ json: '$any' }), { calls: [a] }, 'failed'],
    [resultIs({ text: 'alpha' }), { calls: [silent] }, 'notMeasured', { subject: TRACE }],
    [resultIs({ text: 'alpha' }), { calls: [silent, a] }, 'passed', { subject: TRACE }],
    [resultIs({ text: 'alpha' }), { calls: [silent] }, 'notApplicable', { subject: TRACE, inherited: true }],
    [resultIs({ text: 'alpha' }), { calls: [silent], end: STOPPED }, 'notApplicable', { execute: false }],
    [resultIs({ text: 'alpha' }), { calls: [b, silent], end: STOPPED }, 'notApplicable', { execute: 'untilExpected' }],
    [resultIs({ text: 'alpha' }), { calls: [b], end: PROVIDER_DOWN }, 'notReached'],
    [
      resultIs({ text: { $contains: 'x' } }),
      { calls: [call('a', {}, { result: result('y', { cut: true }) })] },
      'notMeasured',
    ],
    [resultIs({ text: 'alpha' }), { calls: [runner()] }, 'passed', { subject: TOOL }],
  ],
  resultContains: [
    [{ kind: 'resultContains', value: [['ALPHA']] }, { calls: [b, a] }, 'passed'],
    [{ kind: 'resultContains', value: [['gamma']] }, { calls: [a, b] }, 'failed'],
    [{ kind: 'resultContains', value: [['alpha'], ['beta']] }, { calls: [a, b] }, 'failed'],
    [{ kind: 'resultContains', value: [['gamma', 'beta']] }, { calls: [a, b] }, 'passed'],
    [
      { kind: 'resultContains', value: [['open']] },
      {
        calls: [
          call(
            'a',
            {},
            { result: { content: [], structured: { status: 'open' }, isError: false, bytes: 1, cut: false } },
          ),
        ],
      },
      'passed',
    ],
    [
      { kind: 'resultContains', value: [['refused']] },
      { calls: [call('a', {}, { error: { kind: 'protocol', text: 'Refused.' } })] },
      'passed',
    ],
    [{ kind: 'resultContains', value: [['alpha']] }, {}, 'failed'],
    [
      { kind: 'resultContains', value: [['x']] },
      { calls: [call('a', {}, { result: result('y', { cut: true }) })] },
      'notMeasured',
    ],
    [
      { kind: 'resultContains', value: [['y']] },
      { calls: [call('a', {}, { result: result('y', { cut: true }) })] },
      'passed',
    ],
    [
      { kind: 'resultContains', value: [['x']] },
      { calls: [silent], end: STOPPED },
      'notApplicable',
      { execute: false },
    ],
    [{ kind: 'resultContains', value: [['x']] }, { calls: [a], end: PROVIDER_DOWN }, 'notReached'],
  ],
  response: [
    [{ kind: 'response', value: 'It is mild.' }, {}, 'passed'],
    [{ kind: 'response', value: { $startsWith: 'it' } }, {}, 'failed'],
    [{ kind: 'response', value: { $contains: 'mild' } }, { replies: [reply('It is mild.'), reply('Bye.')] }, 'failed'],
    [{ kind: 'response', value: 'x' }, {}, 'notMeasured', { subject: TOOL }],
    [{ kind: 'response', value: 'x' }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
    [{ kind: 'response', value: 'x' }, {}, 'notApplicable', { subject: TRACE, inherited: true }],
    [{ kind: 'response', value: 'x' }, { calls: [silent], end: STOPPED }, 'notApplicable', { execute: false }],
    [{ kind: 'response', value: { $contains: 'mild' } }, { end: OUT_OF_TURNS }, 'notReached'],
    [{ kind: 'response', value: { $contains: 'mild' } }, { end: cutAnswer() }, 'passed'],
    [{ kind: 'response', value: { $not: { $contains: 'cold' } } }, { end: cutAnswer() }, 'notReached'],
    [{ kind: 'response', value: { $matches: '(' } }, {}, 'notMeasured'],
  ],
  responseJson: [
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: '{"n":1,"m":2}' }, 'passed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: 'Here:\n```json\n{"n":1}\n```\nDone.' }, 'passed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: '```sh\nls\n```\n~~~\r\n{"n":1}\r\n~~~' }, 'passed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: '````\n```\n{"n":1}\n```\n````' }, 'failed'],
    [{ kind: 'responseJson', value: { n: 2 } }, { answer: '{"n":1}' }, 'failed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: 'n is 1' }, 'failed'],
    [{ kind: 'responseJson', value: 1 }, { answer: '```json\n1' }, 'failed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: '{"n":1}', end: cutAnswer() }, 'notReached'],
    [{ kind: 'responseJson', value: 1 }, {}, 'notMeasured', { subject: TRACE }],
    [{ kind: 'responseJson', value: 1 }, { end: STOPPED }, 'notApplicable', { execute: false }],
  ],
  responseContains: [
    [{ kind: 'responseContains', value: [['MILD'], ['it']] }, {}, 'passed'],
    [{ kind: 'responseContains', value: [['mild'], ['cold']] }, {}, 'failed'],
    [{ kind: 'responseContains', value: [['mild', 'cold']] }, {}, 'passed'],
    [{ kind: 'responseContains', value: [['mild']] }, { end: cutAnswer() }, 'passed'],
    [{ kind: 'responseContains', value: [['cold']] }, { end: cutAnswer() }, 'notReached'],
    [{ kind: 'responseContains', value: [['mild']] }, { end: PROVIDER_DOWN }, 'notReached'],
    [{ kind: 'responseContains', value: [['mild']] }, {}, 'notMeasured', { subject: TRACE }],
    [{ kind: 'responseContains', value: [['mild']] }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
  ],
  responseMatches: [
    [{ kind: 'responseMatches', value: [['m.ld'], ['^It']] }, {}, 'passed'],
    [{ kind: 'responseMatches', value: [['MILD']] }, {}, 'failed'],
    [{ kind: 'responseMatches', value: [['cold', 'mild']] }, {}, 'passed'],
    [{ kind: 'responseMatches', value: [['^It']] }, { end: cutAnswer() }, 'passed'],
    [{ kind: 'responseMatches', value: [['mild\\.$']] }, { end: cutAnswer() }, 'notReached'],
    [{ kind: 'responseMatches', value: [['(']] }, {}, 'notMeasured'],
    [{ kind: 'responseMatches', value: [['x']] }, { end: STOPPED }, 'notApplicable', { execute: 'untilExpected' }],
  ],
  responseNotEmpty: [
    [{ kind: 'responseNotEmpty', value: null }, {}, 'passed'],
    [{ kind: 'responseNotEmpty', value: null }, { answer: ' \n' }, 'failed'],
    [{ kind: 'responseNotEmpty', value: null }, { replies: [reply('text'), reply('')] }, 'failed'],
    [{ kind: 'responseNotEmpty', value: null }, { end: cutAnswer() }, 'passed'],
    [{ kind: 'responseNotEmpty', value: null }, { answer: null }, 'notMeasured', { subject: TRACE }],
    [{ kind: 'responseNotEmpty', value: null }, { answer: 'An answer.' }, 'passed', { subject: TRACE }],
    [{ kind: 'responseNotEmpty', value: null }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
  ],
  limits: [
    [limit({ toolCalls: atMost(2) }), { calls: [a, b] }, 'passed'],
    [limit({ toolCalls: atMost(1) }), { calls: [a, b] }, 'failed'],
    [limit({ toolCalls: { min: 1, max: null } }), {}, 'failed'],
    [limit({ turns: atMost(1) }), {}, 'passed'],
    [limit({ turns: atMost(1) }), { replies: [reply(''), reply('')] }, 'failed'],
    [limit({ tokens: atMost(120) }), {}, 'passed'],
    [limit({ tokens: atMost(119) }), {}, 'failed'],
    [limit({ tokens: atMost(200) }), { replies: [reply('x'), unreported()] }, 'notMeasured'],
    [limit({ tokens: atMost(100) }), { replies: [reply('x'), unreported()] }, 'failed'],
    [limit({ durationMs: atMost(1000) }), {}, 'passed'],
    [limit({ durationMs: atMost(999) }), {}, 'failed'],
    [limit({ toolDurationMs: { a: atMost(10) } }), { calls: [a] }, 'passed'],
    [limit({ toolDurationMs: { 'files::*': atMost(9) } }), { calls: [a] }, 'failed'],
    [limit({ toolDurationMs: { b: atMost(10) } }), { calls: [a] }, 'notApplicable'],
    [
      limit({ toolDurationMs: { a: atMost(10) } }),
      { calls: [silent], end: STOPPED },
      'notApplicable',
      { execute: false },
    ],
    [limit({ toolDurationMs: { a: atMost(10) } }), { calls: [runner()] }, 'passed', { subject: TOOL }],
    [limit({ toolDurationMs: { a: atMost(9) } }), { calls: [runner()] }, 'failed', { subject: TOOL }],
    [limit({ tokens: atMost(1), toolCalls: atMost(0) }), {}, 'notApplicable', { subject: TOOL, inherited: true }],
    [limit({ tokens: atMost(1), durationMs: atMost(1000) }), {}, 'passed', { subject: TOOL, inherited: true }],
    [limit({ tokens: atMost(1) }), {}, 'notMeasured', { subject: TOOL }],
    [limit({ tokens: atMost(1), durationMs: atMost(1) }), {}, 'failed', { subject: TOOL }],
    [limit({ durationMs: atMost(1) }), {}, 'notMeasured', { subject: TRACE }],
    [limit({ durationMs: atMost(1) }), {}, 'notApplicable', { subject: TRACE, inherited: true }],
    [limit({ durationMs: atMost(1) }), { durationMs: 2 }, 'failed', { subject: TRACE }],
    [limit({ toolCalls: atMost(2) }), { calls: [a], end: PROVIDER_DOWN }, 'notReached'],
    [limit({ toolCalls: atMost(0) }), { calls: [a], end: PROVIDER_DOWN }, 'failed'],
    [limit({ toolCalls: { min: 1, max: null } }), { calls: [a], end: PROVIDER_DOWN }, 'passed'],
    [limit({ toolCalls: { min: 2, max: null } }), { calls: [a], end: PROVIDER_DOWN }, 'notReached'],
  ],
};

type Condition = Extract<AssertionBody, { kind: 'toolCalled' | 'toolNotCalled' }>['value'];

function called(names: string[][], more: Partial<Condition> = {}): AssertionBody {
  return { kind: 'toolCalled', value: { tools: names, count: null, ...more } };
}

function notCalled(names: string[][], more: Partial<Condition> = {}): AssertionBody {
  return { kind: 'toolNotCalled', value: { tools: names, count: null, ...more } };
}

function resultIs(expected: object, tool: string | null = null): AssertionBody {
  return { kind: 'result', value: { tool, expect: { at: '', ...expected } } };
}

function limit(value: Extract<AssertionBody, { kind: 'limits' }>['value']): AssertionBody {
  return { kind: 'limits', value };
}

function atMost(max: number) {
  return { min: null, max };
}

function unreported() {
  return reply('', { usage: { inputTokens: 10, outputTokens: null, cachedTokens: null, reasoningTokens: null } });
}

function cutAnswer(): NonNullable<Happened['end']> {
  return { kind: 'limit', limit: 'maxOutputTokens', text: 'the reply was cut off at its token limit' };
}

function wantsError(): Case['subject'] {
  return { ...TOOL, expect: { at: '/cases/0/expect', isError: true } } as Case['subject'];
}

describe.each(Object.entries(ROWS))('%s', (_, rows) => {
  test.each(rows)('%j on %j is %s', (body, happened, outcome, { inherited = false, ...more } = {}) => {
    const calls = numbered(happened.calls ?? []);
    const check = checkOf(body, { ...happened, calls }, more, inherited);
    expect([check.outcome, check.reason]).toEqual([outcome, expect.stringMatching(/^\S.*\.$/s)]);
    expect(check.reason).not.toMatch(/undefined|null|\[object/);
  });
});
