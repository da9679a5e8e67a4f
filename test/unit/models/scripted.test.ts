import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { streamText } from 'ai';
import { expect, test } from 'vitest';
import { McproveError } from '../../../src/engine/errors.ts';
import type { Call } from '../../../src/engine/record.ts';
import type { ScriptReply } from '../../../src/engine/suite/model.ts';
import { callWith, text } from './calls.ts';
import { resolve } from './resolve.ts';

const OPTIONS: LanguageModelV4CallOptions = { prompt: [] };

const reply = (more: Partial<ScriptReply>): ScriptReply => ({ at: '', say: null, calls: [], fails: null, ...more });

async function play(script: ScriptReply[], calls: Call[] = [], nameOf = (tool: string) => tool) {
  const model = await resolve('scripted').model.forTrial({ script, calls: () => calls, nameOf });
  return { next: async (): Promise<LanguageModelV4GenerateResult> => model.doGenerate(OPTIONS), model };
}

test('one entry is one reply; after the last there is an empty answer, for ever', async () => {
  const { next } = await play([reply({ calls: [{ tool: 'add', arguments: { a: 1 } }] }), reply({ say: 'done' })]);
  expect(await next()).toMatchObject({
    content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'add', input: '{"a":1}' }],
    finishReason: { unified: 'tool-calls' },
  });
  expect(await next()).toMatchObject({ content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop' } });
  for (let i = 0; i < 3; i += 1) {
    expect(await next()).toMatchObject({ content: [], finishReason: { unified: 'stop' }, warnings: [] });
  }
});

test('a reply may speak and call several tools; ids go on over all replies', async () => {
  const add = { tool: 'add', arguments: {} };
  const { next } = await play([reply({ say: 'let me see', calls: [add, add] }), reply({ calls: [add] })]);
  const ids = (result: LanguageModelV4GenerateResult) =>
    result.content.map((part) => (part.type === 'tool-call' ? part.toolCallId : part.type));
  expect(ids(await next())).toEqual(['text', 'call-1', 'call-2']);
  expect(ids(await next())).toEqual(['call-3']);
});

test('it reports no tokens, for it knows none', async () => {
  const { next } = await play([reply({ say: 'hello' })]);
  const { usage } = await next();
  expect(
    [...Object.values(usage.inputTokens), ...Object.values(usage.outputTokens)].every((n) => n === undefined),
  ).toBe(true);
});

test('placeholders see the calls made by the time the reply is due', async () => {
  const calls: Call[] = [];
  const { next } = await play(
    [reply({ calls: [{ tool: 'a', arguments: {} }] }), reply({ say: 'it is {{calls[0].text}}' })],
    calls,
  );
  await next();
  calls.push(callWith({ content: [text('3')] }));
  expect(await next()).toMatchObject({ content: [{ text: 'it is 3' }] });
});

test('what a result does not hold is played as empty and warned of', async () => {
  const { next } = await play(
    [reply({ say: '{{calls[0].json.sum}}', calls: [{ tool: 'a', arguments: { x: '{{calls[0].json.sum}}' } }] })],
    [callWith({ content: [text('no json')] })],
  );
  const result = await next();
  expect(result).toMatchObject({ content: [{ text: '' }, { input: '{"x":null}' }] });
  expect(result.warnings).toEqual([
    { type: 'other', message: 'script: nothing at {{calls[0].json.sum}}; played as empty' },
    { type: 'other', message: 'script: nothing at {{calls[0].json.sum}}; played as empty' },
  ]);
});

test('a call that was never made is a mistake of the script', async () => {
  const { next } = await play([reply({ say: '{{calls[0].text}}' })]);
  await expect(next()).rejects.toThrow(McproveError);
  await expect(next()).resolves.toMatchObject({ content: [] });
});

test('`fails` is thrown as a provider would throw it', async () => {
  const { next } = await play([reply({ fails: 'overloaded' }), reply({ say: 'back again' })]);
  await expect(next()).rejects.toMatchObject({ name: 'AI_APICallError', message: 'overloaded', isRetryable: false });
  expect(await next()).toMatchObject({ content: [{ text: 'back again' }] });
});

test('tools are called under the name by which the trial offers them', async () => {
  const { next } = await play([reply({ calls: [{ tool: 'weather::get', arguments: {} }] })], [], () => 'weather__get');
  expect(await next()).toMatchObject({ content: [{ toolName: 'weather__get' }] });
});

test('two trials share nothing', async () => {
  const script = [reply({ say: 'one' }), reply({ say: 'two' })];
  const [first, second] = [await play(script), await play(script)];
  await first.next();
  expect(await second.next()).toMatchObject({ content: [{ text: 'one' }] });
});

test('a stream brings the same reply', async () => {
  const { model } = await play([reply({ say: 'hello', calls: [{ tool: 'add', arguments: { a: 1 } }] })]);
  const streamed = streamText({ model, prompt: 'hi', maxRetries: 0, onError: () => undefined });
  expect(await streamed.text).toBe('hello');
  const [call] = await streamed.toolCalls;
  expect(call).toMatchObject({ toolName: 'add', input: { a: 1 } });
  expect(await streamed.finishReason).toBe('tool-calls');
});
