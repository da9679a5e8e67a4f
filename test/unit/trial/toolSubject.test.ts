import { expect, test } from 'vitest';
import type { Json } from '../../../src/engine/record.ts';
import { fails, memoryPool, says } from './memoryPool.ts';
import { tryCase } from './tryCase.ts';

const pool = () =>
  memoryPool(
    {
      name: 'weather',
      tools: { get_weather: (args) => says(JSON.stringify(args)), search: () => says('w'), 'a::b': () => says('ab') },
    },
    { name: 'web', tools: { search: () => fails('no network') } },
  );

const call = (tool: string, args: Record<string, Json> = {}) =>
  tryCase(pool(), { subject: { kind: 'tool', at: '', tool, arguments: args, expect: null } }, { model: null });

test('the runner makes one call', async () => {
  const { transcript, usage, events } = await call('get_weather', { city: 'Berlin' });
  expect(transcript).toMatchObject({
    offered: [{ tool: 'get_weather' }, { tool: 'search' }, { tool: 'a::b' }, { server: 'web', tool: 'search' }],
    end: { kind: 'completed' },
    steps: [
      {
        kind: 'tool',
        phase: 'steps',
        input: { tool: 'get_weather', arguments: { city: 'Berlin' } },
        replies: [],
        calls: [
          {
            id: 'call-1',
            by: 'runner',
            server: 'weather',
            tool: 'get_weather',
            arguments: { city: 'Berlin' },
            result: { content: [{ text: '{"city":"Berlin"}' }] },
            argumentsValid: true,
          },
        ],
      },
    ],
  });
  expect(usage.inputTokens).toBeNull();
  expect(events.map((event) => event.type)).toEqual(['callStarted', 'callEnded']);
});

test.each([
  ['web::search', 'web', 'search', 'content'],
  ['weather::search', 'weather', 'search', undefined],
  ['a::b', 'weather', 'a::b', undefined],
  ['weather::a::b', 'weather', 'a::b', undefined],
])('%s is found', async (name, server, tool, error) => {
  const { transcript } = await call(name);
  expect(transcript.end).toEqual({ kind: 'completed' });
  expect(transcript.steps[0]?.calls).toMatchObject([{ server, tool }]);
  expect(transcript.steps[0]?.calls[0]?.error?.kind).toBe(error);
});

test.each([
  ['get_wether', 'There is no tool "get_wether". Did you mean "get_weather"?'],
  ['weather::serch', 'There is no tool "weather::serch". Did you mean "weather::search"?'],
  ['wether::get_weather', 'There is no tool "wether::get_weather". Did you mean "weather::get_weather"?'],
  ['get_*', 'There is no tool "get_*". Available: get_weather, search, a::b.'],
])('%s is on no server: evidence to be graded', async (tool, text) => {
  const { transcript } = await call(tool);
  expect(transcript.end).toEqual({ kind: 'completed' });
  expect(transcript.steps[0]?.calls).toMatchObject([
    { by: 'runner', server: null, tool, argumentsValid: null, error: { kind: 'unknownTool', text } },
  ]);
  expect(transcript.steps[0]?.calls[0]?.result).toBeUndefined();
});

test('a name that two servers offer is a mistake of the suite; nothing is called', async () => {
  const { transcript, events } = await call('search');
  expect(transcript.end).toEqual({
    kind: 'errored',
    reason: {
      stage: 'config',
      cause: 'config',
      text: 'tool "search" is offered by weather and web. Write "weather::search" or "web::search".',
    },
  });
  expect(transcript.steps[0]?.calls).toEqual([]);
  expect(events).toEqual([]);
});

test('the case’s tool policy is the model’s, not the runner’s', async () => {
  const { transcript } = await tryCase(pool(), {
    subject: { kind: 'tool', at: '', tool: 'get_weather', arguments: {}, expect: null },
    tools: { allow: [], deny: ['*'], readOnly: true },
  });
  expect(transcript.steps[0]?.calls[0]?.error).toBeUndefined();
});
