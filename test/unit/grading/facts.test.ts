import { describe, expect, test } from 'vitest';
import { type TrialFacts, trialFacts } from '../../../src/engine/grading/index.ts';
import { call, result, route } from './build.ts';
import { attemptOf, type Happened, PROMPT, reply } from './trialOf.ts';

function facts(happened: Happened, calls: Parameters<typeof route>[0] | null = null): TrialFacts {
  return trialFacts(attemptOf(PROMPT, happened).transcript, calls === null ? null : route(calls));
}

describe('facts of a trial', () => {
  const at = (startMs: number, durationMs: number, tool = 'a') => call(tool, {}, { startMs, durationMs });

  test('count calls of the model, by tool and by failure', () => {
    const calls = [
      call('b', {}, { result: result('', { isError: true }) }),
      call('a', {}, { error: { kind: 'timeout', text: '' } }),
      call('a'),
      call('x', {}, { server: null }),
      call('a', {}, { by: 'runner' }),
    ];
    expect(facts({ calls })).toMatchObject({
      calls: 4,
      failedCalls: 2,
      callsByTool: { 'files::a': 2, 'files::b': 1, x: 1 },
    });
    expect(Object.keys(facts({ calls }).callsByTool)).toEqual(['files::a', 'files::b', 'x']);
  });

  test.each<[string, Happened, Parameters<typeof route>[0] | null, boolean | null]>([
    ['none called, none wanted', {}, 'none', true],
    ['one called, none wanted', { calls: [call('a')] }, 'none', false],
    ['one wanted', { calls: [call('a')] }, ['a'], null],
    ['any route', {}, null, null],
  ])('no-tool-call correct: %s', (_, happened, calls, correct) => {
    expect(facts(happened, calls).noToolCallCorrect).toBe(correct);
  });

  test('sum tokens, and say when some were not reported', () => {
    const usage = { inputTokens: 7, outputTokens: 3, cachedTokens: 2, reasoningTokens: 1 };
    const told = { input: 14, output: 6, cached: 4, reasoning: 2, total: 20 };
    const replies = [reply('', { usage }), reply('', { usage })];
    expect(facts({ replies }).tokens).toEqual({ ...told, complete: true });
    const partly = reply('', {
      usage: { inputTokens: null, outputTokens: 5, cachedTokens: null, reasoningTokens: null },
    });
    expect(facts({ replies: [...replies, partly] }).tokens).toEqual({
      ...told,
      output: 11,
      total: 25,
      complete: false,
    });
    expect(facts({ answer: null }).tokens).toMatchObject({ total: 0, complete: true });
  });

  test.each<[string, ReturnType<typeof at>[], number]>([
    ['none', [], 0],
    ['one after the other', [at(0, 10), at(20, 10)], 20],
    ['side by side', [at(0, 10), at(5, 10)], 15],
    ['one within the other', [at(0, 30), at(5, 10), at(10, 5)], 30],
    ['told in another order', [at(20, 10), at(0, 10)], 20],
  ])('time in tools: %s', (_, calls, toolsMs) => {
    expect(facts({ calls }).toolsMs).toBe(toolsMs);
  });

  test('time in the model, and turns', () => {
    const replies = [reply('', { durationMs: 30 }), reply('', { durationMs: 12 })];
    expect(facts({ replies })).toMatchObject({ turns: 2, modelMs: 42 });
  });
});
