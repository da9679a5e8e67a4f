import type { AssertionBody } from '../../../src/engine/suite/model.ts';
import { call } from './build.ts';
import { a, b, failing, type Row, silent, testRows, timedOut, tools } from './checkRows.ts';
import { OUT_OF_TURNS, PROVIDER_DOWN, STOPPED, TOOL, TRACE } from './trialOf.ts';

const ROWS: {
  readonly [K in 'toolCalled' | 'toolNotCalled' | 'onlyTools' | 'firstTool' | 'lastTool' | 'toolOrder']: readonly Row[];
} = {
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
};

type Condition = Extract<AssertionBody, { kind: 'toolCalled' | 'toolNotCalled' }>['value'];

function called(names: string[][], more: Partial<Condition> = {}): AssertionBody {
  return { kind: 'toolCalled', value: { tools: names, count: null, ...more } };
}

function notCalled(names: string[][], more: Partial<Condition> = {}): AssertionBody {
  return { kind: 'toolNotCalled', value: { tools: names, count: null, ...more } };
}

testRows(ROWS);
