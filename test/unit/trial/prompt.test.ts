import { describe, expect, test } from 'vitest';
import { Transcript } from '../../../src/engine/record.ts';
import { fails, memoryPool, says } from './memoryPool.ts';
import { aReply, asks, mockModel, script, speaks, tokens, tryCase } from './tryCase.ts';

const math = () => ({
  name: 'math',
  tools: {
    add: (args: unknown) => says(String(Object.values(args as Record<string, number>).reduce((a, b) => a + b, 0))),
    fail: () => fails('queue unavailable'),
  },
});

test('a script plays against a server, and all of it is written down', async () => {
  const pool = memoryPool(math());
  const { transcript, usage, costUsd, events } = await tryCase(pool, {
    system: 'You are a calculator.',
    script: script({ calls: [['add', { a: 1, b: 2 }]] }, { say: 'The sum is {{calls[0].text}}.' }),
  });
  expect(pool.received).toEqual([{ server: 'math', tool: 'add', args: { a: 1, b: 2 } }]);
  expect(transcript).toMatchObject({
    offered: [
      { server: 'math', tool: 'add', hash: '0123456789abcdef' },
      { server: 'math', tool: 'fail' },
    ],
    toolListChanged: false,
    end: { kind: 'completed' },
    steps: [
      {
        kind: 'prompt',
        phase: 'steps',
        input: { prompt: 'Do it.', system: 'You are a calculator.' },
        replies: [
          { text: '', calls: ['call-1'], finish: 'tool-calls', warnings: [] },
          { text: 'The sum is 3.', calls: [], finish: 'stop', warnings: [] },
        ],
        calls: [
          {
            id: 'call-1',
            by: 'model',
            server: 'math',
            tool: 'add',
            arguments: { a: 1, b: 2 },
            mocked: false,
            result: { content: [{ type: 'text', text: '3' }], isError: false },
            argumentsValid: true,
            resultValid: null,
          },
        ],
      },
    ],
  });
  expect(Transcript.parse(transcript)).toEqual(transcript);
  expect(usage).toEqual({ inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null });
  expect(costUsd).toBe(0);
  expect(events.map((event) => event.type)).toEqual(['reply', 'callStarted', 'callEnded', 'reply']);
  expect(events[1]).toMatchObject({
    trial: 'a-case#1',
    call: 'call-1',
    server: 'math',
    tool: 'add',
    arguments: { a: 1, b: 2 },
  });
  expect(events[2]).toMatchObject({ call: 'call-1', error: null });
  expect(pool.leases).toEqual({ taken: 1, released: 1 });
});

test('times are in order and within the trial', async () => {
  const { transcript, durationMs, startedAt } = await tryCase(memoryPool(math()), {
    script: script({ calls: [['add', { a: 1 }]] }, { say: 'done' }),
  });
  const [step] = transcript.steps;
  const starts = [step?.replies[0]?.startMs, step?.calls[0]?.startMs, step?.replies[1]?.startMs, durationMs];
  expect(starts).toEqual([...starts].sort((a, b) => Number(a) - Number(b)));
  expect(new Date(startedAt).toISOString()).toBe(startedAt);
});

test('the model is told results and errors, and sees what it wrote', async () => {
  const model = mockModel(
    aReply([speaks('first'), asks('add', '{"a":1,"b":2}', 'x'), asks('fail', '', 'y')]),
    aReply([speaks('ok')]),
  );
  await tryCase(memoryPool(math()), {}, { model });
  expect(model.prompts()[0]).toMatchObject({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Do it.' }] }],
    tools: [
      { type: 'function', name: 'add', description: 'does add', inputSchema: { type: 'object' } },
      { type: 'function', name: 'fail' },
    ],
  });
  expect(model.prompts()[1]?.prompt.slice(1)).toMatchObject([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'first' },
        { type: 'tool-call', toolCallId: 'x', toolName: 'add', input: { a: 1, b: 2 } },
        { type: 'tool-call', toolCallId: 'y', toolName: 'fail', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'x', output: { type: 'text', value: '3' } },
        { type: 'tool-result', toolCallId: 'y', output: { type: 'error-text', value: 'queue unavailable' } },
      ],
    },
  ]);
});

test('a result too long for the model is noted on the reply that asked for it', async () => {
  const pool = memoryPool({ name: 's', tools: { read: () => says('x'.repeat(300 * 1024)) } });
  const { transcript } = await tryCase(pool, { script: script({ calls: ['read'] }, { say: 'ok' }) });
  expect(transcript.steps[0]?.replies.map((reply) => reply.warnings)).toEqual([
    ['result of read cut for the model: 256 KiB of 300 KiB of text'],
    [],
  ]);
  expect(transcript.steps[0]?.calls[0]?.result?.content).toEqual([{ type: 'text', text: 'x'.repeat(300 * 1024) }]);
});

test('parallel calls run together and are written down in the order asked for', async () => {
  const done: string[] = [];
  const slow = (name: string, ms: number) => async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    done.push(name);
    return says(name);
  };
  const pool = memoryPool({ name: 's', tools: { a: slow('a', 30), b: slow('b', 10), c: slow('c', 1) } });
  const { transcript, events } = await tryCase(pool, { script: script({ calls: ['a', 'b', 'c'] }) });
  expect(done).toEqual(['c', 'b', 'a']);
  expect(transcript.steps[0]?.calls.map((call) => call.tool)).toEqual(['a', 'b', 'c']);
  expect(events.filter((event) => event.type === 'callStarted').map((event) => event.tool)).toEqual(['a', 'b', 'c']);
});

describe('execute', () => {
  test('false: the first reply with calls ends the trial, and no tool runs', async () => {
    const pool = memoryPool({
      name: 'math',
      tools: { add: () => says('3') },
      about: { add: { inputSchema: { type: 'object', required: ['a'], properties: { a: { type: 'number' } } } } },
    });
    const { transcript, events } = await tryCase(pool, {
      execute: false,
      script: script({ say: 'hm', calls: [['add', { a: 1 }], ['add', { b: 1 }], 'nope'] }, { say: 'never said' }),
    });
    expect(pool.received).toEqual([]);
    expect(transcript.end).toEqual({ kind: 'stoppedEarly' });
    expect(transcript.steps[0]?.replies).toHaveLength(1);
    const calls = transcript.steps[0]?.calls ?? [];
    expect(calls).toMatchObject([
      { tool: 'add', argumentsValid: true },
      { tool: 'add', argumentsValid: false },
      { tool: 'nope', server: null, argumentsValid: null, error: { kind: 'unknownTool' } },
    ]);
    expect(calls.map((call) => [call.result, call.error?.kind])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, 'unknownTool'],
    ]);
    expect(events.filter((event) => event.type === 'callEnded')).toHaveLength(3);
  });

  test('false: an answer without calls completes the trial', async () => {
    const { transcript } = await tryCase(memoryPool(math()), { execute: false, script: script({ say: 'no need' }) });
    expect(transcript.end).toEqual({ kind: 'completed' });
  });

  test('untilExpected: it ends once the route is met', async () => {
    const { transcript } = await tryCase(
      memoryPool(math()),
      { execute: 'untilExpected', script: script({ calls: ['fail'] }, { calls: ['add'] }, { say: 'never said' }) },
      { routeMet: (calls) => calls.some((call) => call.tool === 'add' && call.error === undefined) },
    );
    expect(transcript.end).toEqual({ kind: 'stoppedEarly' });
    expect(transcript.steps[0]?.replies).toHaveLength(2);
  });

  test('untilExpected: the question comes with what was offered', async () => {
    const seen: unknown[] = [];
    await tryCase(
      memoryPool(math()),
      { execute: 'untilExpected', script: script({ calls: ['add'] }) },
      {
        routeMet: (_, more) => {
          seen.push(more);
          return false;
        },
      },
    );
    expect(seen).toMatchObject([{ offered: [{ tool: 'add' }, { tool: 'fail' }], toolListChanged: false }]);
  });

  test('untilExpected: the model may be done before', async () => {
    const { transcript } = await tryCase(
      memoryPool(math()),
      { execute: 'untilExpected', script: script({ say: 'enough' }) },
      { routeMet: () => false },
    );
    expect(transcript.end).toEqual({ kind: 'completed' });
  });

  test('untilExpected: a route met in the last turn allowed is no limit', async () => {
    const { transcript } = await tryCase(
      memoryPool(math()),
      { execute: 'untilExpected', maxTurns: 1, script: script({ calls: ['add'] }) },
      { routeMet: () => true },
    );
    expect(transcript.end).toEqual({ kind: 'stoppedEarly' });
  });

  test('true: nobody asks whether the route is met', async () => {
    const { transcript } = await tryCase(
      memoryPool(math()),
      { script: script({ calls: ['add'] }, { say: 'done' }) },
      {
        routeMet: () => {
          throw new Error('asked');
        },
      },
    );
    expect(transcript.end).toEqual({ kind: 'completed' });
  });
});

describe('maxTurns', () => {
  test('ends a model that still wants tools; its last calls are made', async () => {
    const pool = memoryPool(math());
    const { transcript } = await tryCase(pool, {
      maxTurns: 2,
      script: script({ calls: ['add'] }, { calls: ['add'] }, { calls: ['add'] }),
    });
    expect(pool.received).toHaveLength(2);
    expect(transcript.end).toEqual({
      kind: 'limit',
      limit: 'maxTurns',
      text: 'the model still called tools in reply 2, the last that maxTurns allows',
    });
  });

  test('does not end a model that is done in its last turn', async () => {
    const { transcript } = await tryCase(memoryPool(math()), {
      maxTurns: 2,
      script: script({ calls: ['add'] }, { say: 'done' }),
    });
    expect(transcript.end).toEqual({ kind: 'completed' });
  });

  test('holds for a model that calls nothing but unknown tools', async () => {
    const { transcript } = await tryCase(memoryPool(math()), {
      maxTurns: 3,
      script: script({ calls: ['x'] }, { calls: ['x'] }, { calls: ['x'] }, { calls: ['x'] }),
    });
    expect(transcript.end).toMatchObject({ kind: 'limit', limit: 'maxTurns' });
    expect(transcript.steps[0]?.replies).toHaveLength(3);
  });
});

describe('usage', () => {
  test.each([
    ['the sum of the replies', [tokens(10, 5), tokens(20, 7)], { inputTokens: 30, outputTokens: 12 }],
    [
      'unknown where one reply reports nothing',
      [tokens(10, 5), tokens(undefined, 7)],
      { inputTokens: null, outputTokens: 12 },
    ],
    [
      'unknown for what is no count',
      [tokens(Number.NaN, -1), tokens(20, 7)],
      { inputTokens: null, outputTokens: null },
    ],
  ])('is %s', async (_, [first, second], expected) => {
    const model = mockModel(
      aReply([asks('add', '{}')], first === undefined ? {} : { usage: first }),
      aReply([speaks('ok')], second === undefined ? {} : { usage: second }),
    );
    const { usage } = await tryCase(memoryPool(math()), {}, { model });
    expect(usage).toEqual({ ...expected, cachedTokens: null, reasoningTokens: null });
  });

  test('keeps cached and reasoning tokens apart', async () => {
    const model = mockModel(
      aReply([speaks('ok')], {
        usage: {
          inputTokens: { total: 10, noCache: 2, cacheRead: 8, cacheWrite: 0 },
          outputTokens: { total: 5, text: 1, reasoning: 4 },
        },
      }),
    );
    const { usage, transcript } = await tryCase(memoryPool(math()), {}, { model });
    const expected = { inputTokens: 10, outputTokens: 5, cachedTokens: 8, reasoningTokens: 4 };
    expect(usage).toEqual(expected);
    expect(transcript.steps[0]?.replies[0]?.usage).toEqual(expected);
  });
});

describe('the tools offered', () => {
  const servers = () => [
    {
      name: 'k8s',
      tools: { pods_list: () => says('p'), pods_delete: () => says('d'), search: () => says('k') },
      about: { pods_list: { annotations: { readOnlyHint: true } } },
    },
    { name: 'web', tools: { search: () => says('w') }, about: { search: { annotations: { readOnlyHint: true } } } },
  ];

  test.each([
    ['all of them', {}, ['pods_list', 'pods_delete', 'k8s__search', 'web__search']],
    ['only those allowed', { allow: ['pods_*'] }, ['pods_list', 'pods_delete']],
    ['allowed with their server', { allow: ['web::*'] }, ['search']],
    ['without those denied', { deny: ['*_delete', 'k8s::search'] }, ['pods_list', 'search']],
    ['denied, even where allowed', { allow: ['pods_*'], deny: ['pods_delete'] }, ['pods_list']],
    ['only reading ones', { readOnly: true }, ['pods_list', 'search']],
    ['none', { allow: [] }, undefined],
  ])('are %s', async (_, policy, expected) => {
    const model = mockModel(aReply([speaks('ok')]));
    const tools = { allow: null, deny: [], readOnly: false, ...policy };
    const { transcript } = await tryCase(memoryPool(...servers()), { tools }, { model });
    expect(model.prompts()[0]?.tools?.map((tool) => tool.name)).toEqual(expected);
    expect(transcript.offered).toHaveLength(expected?.length ?? 0);
  });

  test('a tool that two servers have goes to the one named, and is recorded under its own name', async () => {
    const pool = memoryPool(...servers());
    const { transcript } = await tryCase(pool, {
      script: script({ calls: ['web::search', 'k8s::search'] }, { say: '{{calls[0].text}}{{calls[1].text}}' }),
    });
    expect(pool.received.map(({ server, tool }) => `${server}::${tool}`)).toEqual(['web::search', 'k8s::search']);
    expect(transcript.steps[0]?.calls).toMatchObject([
      { server: 'web', tool: 'search' },
      { server: 'k8s', tool: 'search' },
    ]);
    expect(transcript.steps[0]?.replies[1]?.text).toBe('wk');
  });

  test('a script that does not say whose tool it means is a mistake of the suite', async () => {
    const { transcript } = await tryCase(memoryPool(...servers()), { script: script({ calls: ['search'] }) });
    expect(transcript.end).toEqual({
      kind: 'errored',
      reason: {
        stage: 'model',
        cause: 'config',
        text: 'tool "search" is offered by k8s and web. Write "k8s::search" or "web::search".',
      },
    });
  });

  test('a tool that the policy keeps back is unknown to the model', async () => {
    const pool = memoryPool(...servers());
    const { transcript } = await tryCase(pool, {
      tools: { allow: null, deny: ['pods_delete'], readOnly: false },
      script: script({ calls: ['pods_delete'] }),
    });
    expect(pool.received).toEqual([]);
    expect(transcript.withheld).toEqual([{ server: 'k8s', tool: 'pods_delete' }]);
    expect(transcript.steps[0]?.calls).toMatchObject([
      { server: null, tool: 'pods_delete', error: { kind: 'unknownTool' } },
    ]);
  });

  test('follow the servers’ lists from turn to turn', async () => {
    const pool = memoryPool({
      name: 's',
      tools: {
        login: () => {
          pool.change('s', { pay: () => says('paid') });
          return says('logged in');
        },
      },
    });
    const model = mockModel(
      aReply([asks('login', '{}')]),
      aReply([asks('pay', '{}'), asks('login', '{}')]),
      aReply([speaks('ok')]),
    );
    const { transcript } = await tryCase(pool, {}, { model });
    expect(model.prompts().map((prompt) => prompt.tools?.map((tool) => tool.name))).toEqual([
      ['login'],
      ['pay'],
      ['pay'],
    ]);
    expect(pool.received.map(({ tool }) => tool)).toEqual(['login', 'pay']);
    expect(transcript.toolListChanged).toBe(true);
    expect(transcript.offered.map(({ tool }) => tool)).toEqual(['login', 'pay']);
    expect(transcript.steps[0]?.calls[2]).toMatchObject({
      tool: 'login',
      server: null,
      error: { kind: 'unknownTool' },
    });
  });
});
