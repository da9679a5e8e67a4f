import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Call, Json } from '../../../src/engine/record.ts';
import { aReply, asks, mockModel, script, speaks, tryCase } from '../../unit/trial/tryCase.ts';
import { type FaultServer, faultServer, type Over, testPool } from '../servers/faultServer.ts';

/** The public reference server, which nobody here wrote. */
function everything(): FaultServer {
  const folder = dirname(
    createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json'),
  );
  const args = [join(folder, 'dist/index.js'), 'stdio'];
  return faultServer('everything', { name: 'everything', args });
}

const ok = (over: Over = {}) => faultServer('ok', { name: 'ok', ...over });

function calls(attempt: { transcript: { steps: { calls: Call[] }[] } }): Call[] {
  return attempt.transcript.steps.flatMap((step) => step.calls);
}

function act(what: string, more: { [key: string]: Json } = {}): [string, { [key: string]: Json }] {
  return ['act', { what, ...more }];
}

describe('the reference server', () => {
  test('answers a script', async (context) => {
    const { pool } = testPool(context, everything());
    const { transcript } = await tryCase(pool, {
      script: script({ calls: [['get-sum', { a: 2, b: 40 }]] }, { say: '{{calls[0].text}}' }),
    });
    expect(transcript.end).toEqual({ kind: 'completed' });
    expect(transcript.offered.map(({ tool }) => tool)).toContain('get-sum');
    expect(transcript.steps[0]?.replies[1]?.text).toContain('42');
    expect(transcript.steps[0]?.calls).toMatchObject([{ server: 'everything', argumentsValid: true }]);
  });

  test('has its image shown to the model, and its structure told once', async (context) => {
    const { pool } = testPool(context, everything());
    const model = mockModel(
      aReply([
        asks('get-tiny-image', '{}', 'image'),
        asks('get-structured-content', '{"location":"Chicago"}', 'structure'),
      ]),
      aReply([speaks('ok')]),
    );
    const attempt = await tryCase(pool, {}, { model });
    const told = model.prompts()[1]?.prompt.at(-1);
    expect(told).toMatchObject({
      role: 'tool',
      content: [
        {
          toolCallId: 'image',
          output: {
            type: 'content',
            value: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }, { type: 'text' }],
          },
        },
        { toolCallId: 'structure', output: { type: 'text', value: expect.stringMatching(/^\{[^{}]*\}$/) } },
      ],
    });
    expect(calls(attempt)[1]).toMatchObject({ resultValid: true });
  });

  test('is sent arguments that break its schema, and refuses them itself', async (context) => {
    const { pool } = testPool(context, everything());
    const attempt = await tryCase(pool, {
      script: script({ calls: [['get-sum', { a: 'two' }]] }, { say: 'went on' }),
    });
    const [call] = calls(attempt);
    expect(call).toMatchObject({ argumentsValid: false });
    expect(call?.error).toBeDefined();
    expect(attempt.transcript.steps[0]?.replies[1]?.text).toBe('went on');
  });

  test('answers the runner', async (context) => {
    const { pool } = testPool(context, everything());
    const subject = {
      kind: 'tool' as const,
      at: '',
      tool: 'everything::echo',
      arguments: { message: 'hi' },
      expect: null,
    };
    const attempt = await tryCase(pool, { subject }, { model: null });
    expect(calls(attempt)).toMatchObject([{ by: 'runner', tool: 'echo', result: { content: [{ text: 'Echo: hi' }] } }]);
  });
});

describe('a server that misbehaves during a call', () => {
  test.for<[string, string, string, RegExp]>([
    ['a JSON-RPC error', 'rpc-error', 'protocol', /database is locked/],
    ['a death', 'exit', 'crashed', /about to exit/],
    ['closing its output', 'close-stdout', 'crashed', /./],
  ])('%s is told to the model, which goes on', async ([, what, kind, text], context) => {
    const { pool } = testPool(context, ok());
    const model = mockModel(
      aReply([asks('act', JSON.stringify({ what }))]),
      aReply([asks('echo', '{"text":"still there"}')]),
      aReply([speaks('done')]),
    );
    const attempt = await tryCase(pool, {}, { model });
    expect(attempt.transcript.end).toEqual({ kind: 'completed' });
    expect(calls(attempt)).toMatchObject([
      { tool: 'act', error: { kind, text: expect.stringMatching(text) } },
      { tool: 'echo', result: { content: [{ text: 'still there' }] } },
    ]);
    expect(model.prompts()[1]?.prompt.at(-1)).toMatchObject({
      content: [{ output: { type: 'error-text', value: expect.stringMatching(text) } }],
    });
  });

  test('a second death ends the trial', async (context) => {
    const { pool } = testPool(context, ok());
    const attempt = await tryCase(pool, {
      script: script({ calls: [act('exit')] }, { calls: [act('exit')] }, { say: 'never said' }),
    });
    expect(attempt.transcript.end).toMatchObject({ kind: 'errored', reason: { stage: 'call', cause: 'server' } });
    expect(calls(attempt)).toMatchObject([{ error: { kind: 'crashed' } }, { error: { kind: 'crashed' } }]);
    expect(attempt.transcript.steps[0]?.replies).toHaveLength(2);
  });

  test('its own time limit is told to the model', async (context) => {
    const { pool } = testPool(context, ok({ callTimeoutMs: 200 }));
    const attempt = await tryCase(pool, { script: script({ calls: [act('hang')] }, { say: '{{calls[0].text}}' }) });
    expect(attempt.transcript.end).toEqual({ kind: 'completed' });
    expect(calls(attempt)).toMatchObject([{ error: { kind: 'timeout' } }]);
    expect(attempt.transcript.steps[0]?.replies[1]?.text).toBe(calls(attempt)[0]?.error?.text);
  });

  test('content of an unknown type is named to the model', async (context) => {
    const { pool } = testPool(context, ok());
    const model = mockModel(aReply([asks('act', '{"what":"hologram"}')]), aReply([speaks('ok')]));
    await tryCase(pool, {}, { model });
    expect(model.prompts()[1]?.prompt.at(-1)).toMatchObject({
      content: [{ output: { type: 'text', value: expect.stringContaining('[content of unknown type "hologram"') } }],
    });
  });

  test('a result of 1 MiB is cut for the model and whole in the record', async (context) => {
    const { pool } = testPool(context, ok());
    const attempt = await tryCase(pool, { script: script({ calls: [act('big', { bytes: 2 ** 20 })] }, { say: 'ok' }) });
    expect(attempt.transcript.steps[0]?.replies[0]?.warnings).toEqual([
      'result of act cut for the model: 256 KiB of 1.0 MiB of text',
    ]);
    expect(calls(attempt)[0]?.result?.bytes).toBeGreaterThan(2 ** 20);
  });

  test('a changed tool list reaches the model in its next turn', async (context) => {
    const { pool } = testPool(context, ok());
    const model = mockModel(aReply([asks('act', '{"what":"change-list"}')]), aReply([speaks('ok')]));
    const { transcript } = await tryCase(pool, {}, { model });
    const names = model.prompts().map((prompt) => prompt.tools?.map((tool) => tool.name) ?? []);
    expect(names[0]).toContain('fail');
    expect(names[1]).not.toContain('fail');
    expect(names[1]).toContain('extra');
    expect(transcript.toolListChanged).toBe(true);
    expect(transcript.offered.map(({ tool }) => tool)).toEqual(expect.arrayContaining(['fail', 'extra']));
  });
});

describe('ending at once', () => {
  test('a timeout does not wait for a server that hangs', async (context) => {
    const { pool } = testPool(context, ok());
    await tryCase(pool, { script: script({ say: 'started' }) });
    const begin = performance.now();
    const { transcript } = await tryCase(pool, { timeoutMs: 200, script: script({ calls: [act('hang')] }) });
    expect(performance.now() - begin).toBeLessThan(1000);
    expect(transcript.end).toMatchObject({ kind: 'limit', limit: 'timeout' });
    expect(transcript.steps[0]?.calls).toMatchObject([{ error: { kind: 'cancelled' } }]);
  });

  test('a cancel does not wait for a server that hangs at its start', async (context) => {
    const { pool } = testPool(context, faultServer('mute'));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const begin = performance.now();
    const { transcript } = await tryCase(pool, {}, { signal: controller.signal });
    expect(performance.now() - begin).toBeLessThan(1000);
    expect(transcript.end).toMatchObject({ kind: 'cancelled', reason: { stage: 'connect', cause: 'user' } });
  });
});

describe('a server that cannot be used', () => {
  test.for<[string, string, RegExp]>([
    ['exit', 'connect', /stderr line 30/],
    ['list-error', 'discover', /tool registry is down/],
  ])('%s: the trial is errored at stage %s', async ([mode, stage, text], context) => {
    const { pool } = testPool(context, faultServer(mode));
    const { transcript } = await tryCase(pool, { script: script({ say: 'never said' }) });
    expect(transcript).toMatchObject({
      steps: [],
      end: { kind: 'errored', reason: { stage, cause: 'server', text: expect.stringMatching(text) } },
    });
  });
});

test('two servers with the same tools are kept apart', async (context) => {
  const { pool } = testPool(
    context,
    ok({ name: 'left', env: { SIDE: 'L' } }),
    ok({ name: 'right', env: { SIDE: 'R' } }),
  );
  const { transcript } = await tryCase(pool, {
    script: script(
      {
        calls: [
          ['right::env', { name: 'SIDE' }],
          ['left::env', { name: 'SIDE' }],
        ],
      },
      { say: '{{calls[0].text}}{{calls[1].text}}' },
    ),
  });
  expect(transcript.steps[0]?.replies[1]?.text).toBe('"R""L"');
  expect(transcript.steps[0]?.calls.map((call) => `${call.server}::${call.tool}`)).toEqual(['right::env', 'left::env']);
});
