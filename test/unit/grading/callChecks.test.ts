import type { AssertionBody } from '../../../src/engine/suite/model.ts';
import { call, result } from './build.ts';
import { a, b, cutOff, failing, type Row, runner, silent, testRows, timedOut, wantsError } from './checkRows.ts';
import { OUT_OF_TURNS, PROVIDER_DOWN, STOPPED, TOOL, TRACE } from './trialOf.ts';

const ROWS: {
  readonly [K in 'noToolErrors' | 'argumentsValid' | 'resultsValid' | 'result' | 'resultContains']: readonly Row[];
} = {
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
};

function resultIs(expected: object, tool: string | null = null): AssertionBody {
  return { kind: 'result', value: { tool, expect: { at: '', ...expected } } };
}

testRows(ROWS);
