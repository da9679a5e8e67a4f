import type { AssertionBody } from '../../../src/engine/suite/model.ts';
import { a, b, type Row, runner, silent, testRows } from './checkRows.ts';
import { outOf, PROVIDER_DOWN, reply, STOPPED, TOOL, TRACE } from './trialOf.ts';

const ROWS: { readonly [K in 'limits']: readonly Row[] } = {
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
    [limit({ costUsd: atMost(0.05) }), { costUsd: 0.05 }, 'passed'],
    [limit({ costUsd: atMost(0.05) }), { costUsd: 0.050001 }, 'failed'],
    [limit({ costUsd: { min: 0.01, max: 0.05 } }), { costUsd: 0.001 }, 'failed'],
    [limit({ costUsd: atMost(0.05) }), { unpriced: 'no price' }, 'notMeasured'],
    [limit({ costUsd: atMost(0.05) }), { costUsd: 0.04, unpriced: 'no price' }, 'notMeasured'],
    [limit({ costUsd: { min: 0.05, max: null } }), { costUsd: 0.04, unpriced: 'no price' }, 'notMeasured'],
    [limit({ costUsd: atMost(0.05) }), { costUsd: 0.06, unpriced: 'no price' }, 'failed'],
    [limit({ costUsd: atMost(0.05) }), {}, 'notMeasured'],
    [limit({ costUsd: atMost(0.05) }), { replies: [], end: outOf('timeout') }, 'notReached'],
    [limit({ costUsd: atMost(0.05) }), {}, 'notMeasured', { subject: TRACE }],
    [limit({ costUsd: atMost(0.05) }), {}, 'notApplicable', { subject: TRACE, inherited: true }],
    [limit({ costUsd: atMost(0.05) }), { costUsd: 0.06 }, 'failed', { subject: TRACE }],
    [limit({ costUsd: atMost(0.05), durationMs: atMost(1000) }), {}, 'passed', { subject: TOOL, inherited: true }],
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

function limit(value: Extract<AssertionBody, { kind: 'limits' }>['value']): AssertionBody {
  return { kind: 'limits', value };
}

function atMost(max: number) {
  return { min: null, max };
}

function unreported() {
  return reply('', { usage: { inputTokens: 10, outputTokens: null, cachedTokens: null, reasoningTokens: null } });
}

testRows(ROWS);
