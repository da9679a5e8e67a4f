import { APICallError, type LanguageModelV4Content, type LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type Call, type Reply, Transcript } from '../../../src/engine/record.ts';
import { memoryPool, says } from './memoryPool.ts';
import { aReply, asks, mockModel, script, speaks, tryCase } from './tryCase.ts';

const weather = () =>
  memoryPool({ name: 'weather', tools: { get_weather: () => says('sunny'), get_time: () => says('noon') } });

/** Runs these replies, then one that says "ok". */
async function afterReplies(...replies: Partial<LanguageModelV4GenerateResult>[]) {
  const pool = weather();
  const model = mockModel(...replies, aReply([speaks('ok')]));
  const { transcript } = await tryCase(pool, {}, { model });
  const [step] = transcript.steps;
  const told = model
    .prompts()
    .at(-1)
    ?.prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
    .map((part) => (part.type === 'tool-result' ? part.output : part));
  return { pool, model, transcript, calls: step?.calls ?? [], replies: step?.replies ?? [], told };
}

describe('a call that cannot be made is told to the model and written down', () => {
  test.each<[string, string, Partial<Call>, string]>([
    [
      'broken JSON',
      '{"city":',
      {
        arguments: '{"city":',
        error: { kind: 'invalidArguments', text: expect.stringMatching(/^the arguments are not JSON: /) },
      },
      'the arguments are not JSON',
    ],
    [
      'a list',
      '[1]',
      {
        arguments: [1],
        error: { kind: 'invalidArguments', text: 'the arguments must be a JSON object; found a list' },
      },
      'found a list',
    ],
    ['null', 'null', { arguments: null, error: { kind: 'invalidArguments', text: expect.any(String) } }, 'found null'],
    ['a text', '"x"', { arguments: 'x', error: { kind: 'invalidArguments', text: expect.any(String) } }, 'a string'],
    [
      'depth without end',
      `{"a":${'['.repeat(300)}${']'.repeat(300)}}`,
      { error: { kind: 'invalidArguments', text: 'the arguments are nested deeper than 256 levels' } },
      'nested deeper',
    ],
  ])('%s', async (_, input, expected, text) => {
    const { pool, calls, told, transcript, model } = await afterReplies(aReply([asks('get_weather', input)]));
    expect(pool.received).toEqual([]);
    expect(calls).toMatchObject([{ server: 'weather', tool: 'get_weather', argumentsValid: false, ...expected }]);
    expect(told).toEqual([{ type: 'error-text', value: expect.stringContaining(text) }]);
    expect(model.prompts()[1]?.prompt[1]).toMatchObject({ content: [{ type: 'tool-call', input: {} }] });
    expect(transcript.end).toEqual({ kind: 'completed' });
  });

  test.each([
    ['get_wether', 'There is no tool "get_wether". Did you mean "get_weather"?'],
    ['Get_Weather', 'There is no tool "Get_Weather". Did you mean "get_weather"?'],
    ['frobnicate', 'There is no tool "frobnicate". Available: get_weather, get_time.'],
    ['constructor', 'There is no tool "constructor". Available: get_weather, get_time.'],
    ['__proto__', 'There is no tool "__proto__". Available: get_weather, get_time.'],
  ])('the unknown tool %s', async (name, text) => {
    const { calls, told, model } = await afterReplies(aReply([asks(name, '{"city":"Berlin"}')]));
    expect(calls).toMatchObject([
      { server: null, tool: name, arguments: { city: 'Berlin' }, error: { kind: 'unknownTool', text } },
    ]);
    expect(told).toEqual([{ type: 'error-text', value: text }]);
    expect(model.prompts()[1]?.prompt[1]).toMatchObject({ content: [{ toolName: name, input: { city: 'Berlin' } }] });
  });

  test('an unknown tool where none is offered', async () => {
    const { transcript } = await tryCase(memoryPool(), { script: script({ calls: ['x'] }) });
    expect(transcript.steps[0]?.calls[0]?.error?.text).toBe('There is no tool "x"; no tools are offered at all.');
  });
});

test('arguments that only look dangerous reach the server as they are', async () => {
  const { pool, calls } = await afterReplies(
    aReply([asks('get_weather', '{"__proto__":{"x":1},"constructor":{"prototype":{}}}')]),
  );
  const [received] = pool.received;
  expect(JSON.stringify(received?.args)).toBe('{"__proto__":{"x":1},"constructor":{"prototype":{}}}');
  expect(JSON.stringify(calls[0]?.arguments)).toBe(JSON.stringify(received?.args));
});

test('arguments that come as JSON instead of text are taken as such, and a missing id is given', async () => {
  const part = { type: 'tool-call', toolName: 'get_weather', input: { city: 'Berlin' } } as never;
  const { pool, calls } = await afterReplies(aReply([part]));
  expect(pool.received).toMatchObject([{ args: { city: 'Berlin' } }]);
  expect(calls).toMatchObject([{ id: 'call', arguments: { city: 'Berlin' } }]);
});

test('no text at all means no arguments', async () => {
  const { pool } = await afterReplies(aReply([asks('get_weather', ' ')]));
  expect(pool.received[0]?.args).toEqual({});
});

test('call ids are made unique, within a reply and over replies', async () => {
  const twice = aReply([
    asks('get_weather', '{"n":1}', 'a'),
    asks('get_time', '{"n":2}', 'a'),
    asks('get_time', '{}', ''),
  ]);
  const { calls, replies, model, told } = await afterReplies(twice, aReply([asks('get_weather', '{}', 'a')]));
  expect(calls.map((call) => call.id)).toEqual(['a', 'a-2', 'call', 'a-3']);
  expect(replies.map((reply) => reply.calls)).toEqual([['a', 'a-2', 'call'], ['a-3'], []]);
  expect(calls.map((call) => call.arguments)).toEqual([{ n: 1 }, { n: 2 }, {}, {}]);
  expect(told?.map((output) => 'value' in output && output.value)).toEqual(['sunny', 'noon', 'noon', 'sunny']);
  const ids = model
    .prompts()
    .at(-1)
    ?.prompt.flatMap((message) =>
      message.role === 'assistant' || message.role === 'tool'
        ? message.content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []))
        : [],
    );
  expect(ids).toEqual(['a', 'a-2', 'call', 'a', 'a-2', 'call', 'a-3', 'a-3']);
});

test('200 parallel calls are all made', async () => {
  const many = Array.from({ length: 200 }, (_, n) => asks('get_weather', `{"n":${n}}`, `id${n}`));
  const { pool, calls, told } = await afterReplies(aReply(many));
  expect(pool.received).toHaveLength(200);
  expect(calls.map((call) => call.arguments)).toEqual(many.map((_, n) => ({ n })));
  expect(told).toHaveLength(200);
});

describe('how a reply ends', () => {
  const reason = (unified: LanguageModelV4GenerateResult['finishReason']['unified'], raw?: string) => ({
    finishReason: { unified, raw },
  });

  test('cut off: a limit', async () => {
    const { transcript } = await afterReplies(aReply([speaks('The wea')], reason('length')));
    expect(transcript.end).toMatchObject({ kind: 'limit', limit: 'maxOutputTokens' });
    expect(transcript.steps[0]?.replies).toMatchObject([{ text: 'The wea', finish: 'length' }]);
  });

  test('cut off within a call: it is written down and not made', async () => {
    const cut = aReply([asks('get_weather', '{"city":"Ber', 'a'), asks('get_time', '{}', 'b')], reason('length'));
    const { transcript, pool, calls } = await afterReplies(cut);
    expect(transcript.end).toMatchObject({ kind: 'limit', limit: 'maxOutputTokens' });
    expect(transcript.steps[0]?.replies).toHaveLength(1);
    expect(pool.received).toEqual([]);
    expect(calls).toMatchObject([
      { arguments: '{"city":"Ber', error: { kind: 'invalidArguments' } },
      { error: { kind: 'cancelled', text: 'not run: the reply was cut off at its token limit' } },
    ]);
  });

  test('content filter: the answer it is', async () => {
    const filtered = aReply([speaks('I can'), asks('get_time', '{}')], reason('content-filter'));
    const { transcript, pool, calls } = await afterReplies(filtered);
    expect(transcript.end).toEqual({ kind: 'completed' });
    expect(transcript.steps[0]?.replies).toMatchObject([{ text: 'I can', finish: 'content-filter' }]);
    expect(pool.received).toEqual([]);
    expect(calls).toMatchObject([{ error: { kind: 'cancelled' } }]);
  });

  test.each(['error', 'interrupted'] as const)('%s: the provider failed', async (unified) => {
    const { transcript, pool } = await afterReplies(aReply([asks('get_time', '{}')], reason(unified)));
    expect(transcript.end).toMatchObject({ kind: 'errored', reason: { stage: 'model', cause: 'provider' } });
    expect(pool.received).toEqual([]);
  });

  test('unknown, with calls: they are made', async () => {
    const { transcript, pool, replies } = await afterReplies(aReply([asks('get_time', '{}')], reason('other', 'eos')));
    expect(pool.received).toHaveLength(1);
    expect(transcript.end).toEqual({ kind: 'completed' });
    expect(replies[0]).toMatchObject({ finish: 'other', warnings: ['unknown finish reason "eos"'] });
  });

  test('"stop", with calls: they are made', async () => {
    const { pool } = await afterReplies(aReply([asks('get_time', '{}')], reason('stop')));
    expect(pool.received).toHaveLength(1);
  });
});

test.each<[string, Partial<LanguageModelV4GenerateResult> | undefined]>([
  ['no content', aReply([])],
  ['only reasoning', aReply([{ type: 'reasoning', text: 'hm' }])],
  ['nothing at all', {}],
  ['null content', { content: null, usage: null, finishReason: null, warnings: null } as never],
])('an empty answer is an answer: %s', async (_, reply) => {
  const { transcript } = await tryCase(weather(), {}, { model: mockModel(reply ?? {}) });
  expect(transcript.end).toEqual({ kind: 'completed' });
  expect(transcript.steps[0]?.replies).toMatchObject([{ text: '', calls: [] }]);
});

test('what a provider did by itself, and files by URL, are left out and noted', async () => {
  const download = vi.spyOn(globalThis, 'fetch');
  const { replies, model } = await afterReplies(
    aReply([
      { type: 'tool-call', toolCallId: 'w', toolName: 'web_search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 'w', toolName: 'web_search', result: 'x' },
      { type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('http://127.0.0.1:9/x.png') } },
      asks('get_time', '{}'),
    ]),
  );
  expect(replies[0]?.warnings).toEqual([
    'the reply held something that was left out: tool-call',
    'the reply held something that was left out: tool-result',
    'the reply held something that was left out: file',
  ]);
  expect(model.prompts()[1]?.prompt[1]).toMatchObject({ content: [{ type: 'tool-call', toolName: 'get_time' }] });
  expect(download).not.toHaveBeenCalled();
});

test('warnings are written down and never printed', async () => {
  const printed = [vi.spyOn(process, 'emitWarning'), vi.spyOn(console, 'warn'), vi.spyOn(process.stderr, 'write')];
  const warnings: LanguageModelV4GenerateResult['warnings'] = [
    { type: 'unsupported', feature: 'seed', details: 'ignored' },
    { type: 'unsupported', feature: 'topK' },
    { type: 'compatibility', feature: 'tools' },
    { type: 'deprecated', setting: 'temperature', message: 'use effort' },
    { type: 'other', message: 'be careful' },
  ];
  const { replies } = await afterReplies(aReply([speaks('hi')], { warnings }));
  expect(replies[0]?.warnings).toEqual([
    'not supported: seed: ignored',
    'not supported: topK',
    'in compatibility mode: tools',
    'deprecated: temperature: use effort',
    'be careful',
  ]);
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
});

describe('a provider that throws', () => {
  const api = (statusCode: number | undefined, message: string, responseBody?: string) =>
    new APICallError({
      message,
      url: 'https://api.example.com/v1/chat?key=secret',
      requestBodyValues: {},
      ...(statusCode === undefined ? {} : { statusCode }),
      ...(responseBody === undefined ? {} : { responseBody }),
    });

  test.each([
    [api(429, 'Rate limit reached'), { status: 429, text: 'api.example.com answered 429: Rate limit reached' }],
    [api(401, 'Bad key'), { status: 401, text: 'api.example.com answered 401: Bad key' }],
    [api(undefined, 'it hung up'), { text: 'no answer from api.example.com: it hung up' }],
    [new Error('stream cut'), { text: 'stream cut' }],
    [new TypeError(''), { text: 'TypeError' }],
  ])('%s', async (error, told) => {
    const model = mockModel(aReply([asks('get_time', '{}')]), error);
    const { transcript } = await tryCase(weather(), {}, { model });
    expect(transcript.end).toEqual({ kind: 'errored', reason: { stage: 'model', cause: 'provider', ...told } });
    expect(model.prompts()).toHaveLength(2);
    expect(transcript.steps[0]?.calls).toMatchObject([{ tool: 'get_time', result: { isError: false } }]);
  });

  test.each([
    api(400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."),
    api(400, 'prompt is too long: 208310 tokens > 200000 maximum'),
    api(400, 'Your input exceeds the context window of this model.'),
    api(400, 'Bad Request', '{"error":{"code":"context_length_exceeded"}}'),
    api(400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
    api(413, 'Input is too long for requested model.'),
  ])('a full context is a limit: %s', async (error) => {
    const { transcript } = await tryCase(weather(), {}, { model: mockModel(error) });
    expect(transcript.end).toMatchObject({ kind: 'limit', limit: 'context' });
  });

  test('a message without end is cut', async () => {
    const { transcript } = await tryCase(weather(), {}, { model: mockModel(new Error('x'.repeat(5000))) });
    expect(transcript.end).toMatchObject({ reason: { text: `${'x'.repeat(2000)}…` } });
  });

  test('a script may play one', async () => {
    const { transcript } = await tryCase(weather(), {
      script: script({ calls: ['get_time'] }, { fails: 'overloaded' }),
    });
    expect(transcript.end).toEqual({
      kind: 'errored',
      reason: { stage: 'model', cause: 'provider', text: 'overloaded' },
    });
    expect(transcript.steps[0]?.calls).toHaveLength(1);
  });

  test('a script that cannot be played is a mistake of the suite', async () => {
    const { transcript } = await tryCase(weather(), { script: script({ say: '{{calls[0].text}}' }) });
    expect(transcript.end).toMatchObject({ kind: 'errored', reason: { stage: 'model', cause: 'config' } });
  });

  test('a model that cannot be had, too', async () => {
    const { transcript } = await tryCase(weather(), { script: null });
    expect(transcript.end).toMatchObject({ kind: 'errored', reason: { stage: 'model', cause: 'config' } });
  });
});

test('whatever a model replies, the trial ends with a transcript that reads back', async () => {
  const name = fc.oneof(fc.constantFrom('get_weather', 'get_time', '', '__proto__', 'x::y'), fc.string());
  const input = fc.oneof(fc.json(), fc.string(), fc.constant(''), fc.constant('{"a":'));
  const part: fc.Arbitrary<LanguageModelV4Content> = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string() }),
    fc.record({ type: fc.constant('reasoning' as const), text: fc.string() }),
    fc.record({
      type: fc.constant('tool-call' as const),
      toolCallId: fc.constantFrom('a', 'b', ''),
      toolName: name,
      input,
    }),
    fc
      .oneof(
        fc.record({ type: fc.constant('hologram') }),
        fc.record({ type: fc.constant('tool-call'), toolName: name, input: fc.object() }),
        fc.record({ type: fc.constant('tool-call'), toolName: name }),
        fc.record({ type: fc.constantFrom('tool-call', 'text', 'file', 'tool-result') }),
        fc.constantFrom(null, undefined, 'text', 7),
      )
      .map((odd) => odd as never),
  );
  const unified = fc.constantFrom(
    'stop',
    'length',
    'content-filter',
    'tool-calls',
    'error',
    'interrupted',
    'other',
    undefined,
  );
  const reply = fc.record({ content: fc.array(part, { maxLength: 4 }), finishReason: fc.record({ unified }) });
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { maxLength: 4 }), async (replies) => {
      const { transcript, events } = await tryCase(
        weather(),
        { maxTurns: 3 },
        { model: mockModel(...(replies as Partial<LanguageModelV4GenerateResult>[])) },
      );
      expect(Transcript.parse(JSON.parse(JSON.stringify(transcript)))).toEqual(transcript);
      const [step] = transcript.steps;
      const asked = (step?.replies ?? []).flatMap((told: Reply) => told.calls);
      expect(asked).toEqual(step?.calls.map((call) => call.id));
      expect(new Set(asked).size).toBe(asked.length);
      expect(events.filter((event) => event.type === 'callEnded')).toHaveLength(asked.length);
    }),
    { numRuns: 150 },
  );
});
