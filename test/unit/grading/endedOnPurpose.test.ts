/** What a trial that was ended on purpose can still be held against. */
import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/engine/record.ts';
import type { AssertionBody, Bound } from '../../../src/engine/suite/model.ts';
import { route } from './build.ts';
import { a, tools } from './checkRows.ts';
import { checkOf, STOPPED } from './trialOf.ts';

const atLeast = (min: number): Bound => ({ min, max: null });
const called = (...names: string[]): AssertionBody => ({
  kind: 'toolCalled',
  value: { tools: tools(...names), count: null },
});
const counted = (min: number, max: number): AssertionBody => ({
  kind: 'toolCalled',
  value: { tools: tools('a'), count: { min, max } },
});

test.each<[AssertionBody, Outcome, Outcome]>([
  // What was asserted; once all expected calls were made; after the first reply with calls.
  [called('b'), 'notApplicable', 'failed'],
  [called('a'), 'passed', 'passed'],
  [counted(2, 3), 'notApplicable', 'failed'],
  [counted(0, 0), 'failed', 'failed'],
  [{ kind: 'toolNotCalled', value: { tools: tools('b'), count: null } }, 'passed', 'passed'],
  [{ kind: 'toolNotCalled', value: { tools: tools('a'), count: null } }, 'failed', 'failed'],
  [{ kind: 'lastTool', value: 'b' }, 'notApplicable', 'failed'],
  [{ kind: 'firstTool', value: 'b' }, 'failed', 'failed'],
  [{ kind: 'onlyTools', value: ['b'] }, 'failed', 'failed'],
  [{ kind: 'resultContains', value: [['nowhere']] }, 'notApplicable', 'notApplicable'],
  [{ kind: 'result', value: { tool: null, expect: { at: '', text: 'nowhere' } } }, 'notApplicable', 'notApplicable'],
  [{ kind: 'limits', value: { turns: atLeast(5) } }, 'notApplicable', 'notApplicable'],
  [{ kind: 'limits', value: { durationMs: atLeast(5000) } }, 'notApplicable', 'notApplicable'],
  [{ kind: 'limits', value: { toolCalls: atLeast(5) } }, 'notApplicable', 'failed'],
  [{ kind: 'limits', value: { toolCalls: { min: null, max: 0 } } }, 'failed', 'failed'],
  [{ kind: 'limits', value: { toolCalls: atLeast(1), turns: atLeast(5) } }, 'passed', 'passed'],
])('%j: %s, %s', (body, untilExpected, never) => {
  const happened = { calls: [a], end: STOPPED };
  expect(checkOf(body, happened, { route: route(['a']), execute: 'untilExpected' }).outcome).toBe(untilExpected);
  expect(checkOf(body, happened, { execute: false }).outcome).toBe(never);
});

test('tokens that were not reported are no failure of the server', () => {
  const unreported = { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null };
  const reply = { text: 'Hi.', calls: [], finish: 'stop', usage: unreported, startMs: 0, durationMs: 1, warnings: [] };
  const happened = { replies: [reply] };
  expect(checkOf({ kind: 'limits', value: { tokens: atLeast(1) } }, happened).outcome).toBe('notMeasured');
  expect(checkOf({ kind: 'limits', value: { costUsd: atLeast(1) } }, happened).outcome).toBe('notMeasured');
});
