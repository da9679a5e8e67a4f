import { describe, expect, test } from 'vitest';
import type { ModelSettings, ToolChoice } from '../../../src/engine/suite/model.ts';
import { memoryPool, says } from './memoryPool.ts';
import { aReply, asks, mockModel, speaks, tryCase } from './tryCase.ts';

const weather = () =>
  memoryPool({ name: 'weather', tools: { get_time: () => says('noon'), get_date: () => says('1 May') } });
const NOTHING: ModelSettings = { temperature: null, maxOutputTokens: null, toolChoice: null, seed: null };

async function ask(testCase: Partial<ModelSettings>, own: Partial<ModelSettings> = {}) {
  const mock = mockModel(aReply([asks('get_time', '{}')]), aReply([speaks('Noon.')]));
  const { transcript } = await tryCase(weather(), testCase, { model: { ...mock, settings: { ...NOTHING, ...own } } });
  return { transcript, prompts: mock.prompts() };
}

describe('the settings of a model', () => {
  test('are its own, with those of the case over them', async () => {
    const { transcript, prompts } = await ask({ temperature: 0, seed: 2 }, { temperature: 1, maxOutputTokens: 50 });
    for (const prompt of prompts) expect(prompt).toMatchObject({ temperature: 0, seed: 2, maxOutputTokens: 50 });
    expect(transcript.steps[0]?.input).toEqual({
      prompt: 'Do it.',
      settings: { temperature: 0, maxOutputTokens: 50, seed: 2 },
    });
  });

  test('are left to the provider where nothing is said', async () => {
    const { transcript, prompts } = await ask({});
    for (const { temperature, seed, maxOutputTokens } of prompts) {
      expect([temperature, seed, maxOutputTokens]).toEqual([undefined, undefined, undefined]);
    }
    expect(transcript.steps[0]?.input).toEqual({ prompt: 'Do it.' });
  });
});

describe('the choice of a tool', () => {
  test.each<[ToolChoice | null, unknown, unknown]>([
    [null, { type: 'auto' }, { type: 'auto' }],
    ['auto', { type: 'auto' }, { type: 'auto' }],
    ['none', { type: 'none' }, { type: 'none' }],
    ['required', { type: 'required' }, { type: 'auto' }],
    [{ tool: 'get_time' }, { type: 'tool', toolName: 'get_time' }, { type: 'auto' }],
    [{ tool: 'weather::get_time' }, { type: 'tool', toolName: 'get_time' }, { type: 'auto' }],
  ])('%j is %j, then %j', async (toolChoice, first, later) => {
    const { prompts } = await ask({ toolChoice });
    expect(prompts.map((prompt) => prompt.toolChoice)).toEqual([first, later]);
  });

  test('of one that is not offered is a mistake of the suite', async () => {
    const { transcript, prompts } = await ask({ toolChoice: { tool: 'get_tme' } });
    expect(prompts).toEqual([]);
    expect(transcript.end).toEqual({
      kind: 'errored',
      reason: {
        stage: 'model',
        cause: 'config',
        text: 'the toolChoice "get_tme" is no tool that is offered. There is no tool "get_tme". Did you mean "get_time"?',
      },
    });
  });
});
