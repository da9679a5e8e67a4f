import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallResult, type Json, Transcript, type Trial } from '../../../src/engine/record.ts';
import { memoryPool } from './memoryPool.ts';
import { tryCase } from './tryCase.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trace-'));
});
afterAll(() => rm(folder, { recursive: true }));

const pool = memoryPool();

function readFile(path: string, signal = new AbortController().signal) {
  return tryCase(pool, { subject: { kind: 'trace', at: '', path } }, { model: null, signal });
}

async function read(name: string, content: string | Uint8Array) {
  const path = join(folder, name);
  await writeFile(path, content);
  return readFile(path);
}

const list = (calls: Json, name = 'trace.json') => read(name, JSON.stringify(calls));

/** Why a trace could not be read. */
async function refusal(name: string, content: string | Uint8Array): Promise<string> {
  const { transcript } = await read(name, content);
  expect(transcript.steps).toEqual([]);
  if (transcript.end.kind !== 'errored') throw new Error(`not errored: ${JSON.stringify(transcript)}`);
  expect(transcript.end.reason).toMatchObject({ stage: 'trace', cause: 'config' });
  return transcript.end.reason.text;
}

describe('a list of calls', () => {
  test('is one step of calls by the model; no server starts', async () => {
    const { transcript, usage, durationMs } = await list([
      { tool: 'search', arguments: { q: 'ACME' }, result: 'found', at: '2026-01-01', id: 7 },
      { tool: 'billing::get_invoice', server: null },
      { tool: 'send', server: 'mail', arguments: {} },
    ]);
    expect(transcript).toMatchObject({
      offered: [],
      toolListChanged: false,
      end: { kind: 'completed' },
      steps: [{ kind: 'trace', phase: 'steps', input: { trace: 'trace.json' }, replies: [], durationMs: 0 }],
    });
    expect(transcript.steps[0]?.calls).toMatchObject([
      { id: 'call-1', by: 'model', server: null, tool: 'search', arguments: { q: 'ACME' }, mocked: false },
      { id: 'call-2', by: 'model', server: 'billing', tool: 'get_invoice', arguments: {} },
      { id: 'call-3', by: 'model', server: 'mail', tool: 'send', arguments: {} },
    ]);
    expect(transcript.steps[0]?.calls[1]?.result).toBeUndefined();
    expect(Transcript.parse(transcript)).toEqual(transcript);
    expect(usage.inputTokens).toBeNull();
    expect(durationMs).toBe(0);
    expect(pool.leases.taken).toBe(0);
  });

  test('may have the keys of others beside ours', async () => {
    const { transcript } = await list([
      { tool: 't', name: 'first', arguments: { a: 1 }, input: 'x', result: 'y', output: 'z' },
    ]);
    expect(transcript.steps[0]?.calls).toMatchObject([{ tool: 't', arguments: { a: 1 } }]);
  });

  test('may be empty', async () => {
    const { transcript } = await list([]);
    expect(transcript.end).toEqual({ kind: 'completed' });
    expect(transcript.steps[0]?.calls).toEqual([]);
  });

  const text = (value: string) => ({ type: 'text', text: value });
  test.each<[string, Json, Partial<CallResult>]>([
    ['a text', 'sunny', { content: [text('sunny')] }],
    ['a number', 21, { content: [text('21')], structured: 21 }],
    ['null', null, { content: [text('null')], structured: null }],
    ['an object', { t: 21 }, { content: [text('{"t":21}')], structured: { t: 21 } }],
    ['a list of values', [1, 2], { content: [text('[1,2]')], structured: [1, 2] }],
    ['a list of content', [text('a')], { content: [text('a')] }],
    [
      'as MCP has it',
      { content: [text('a')], structuredContent: { a: 1 } },
      { content: [text('a')], structured: { a: 1 } },
    ],
    ['content that is a text', { content: 'a' }, { content: [text('a')] }],
    ['structure alone', { structuredContent: { a: 1 } }, { content: [text('{"a":1}')], structured: { a: 1 } }],
    ['an object with content of another kind', { content: { a: 1 } }, { structured: { content: { a: 1 } } }],
    ['an error', { content: [text('no')], isError: true }, { content: [text('no')], isError: true }],
    ['an error that is a text', { content: 'no', isError: true }, { content: [text('no')], isError: true }],
  ])('takes a result that is %s', async (_, result, expected) => {
    const { transcript } = await list([{ tool: 't', arguments: {}, result }]);
    const [call] = transcript.steps[0]?.calls ?? [];
    expect(call?.result).toMatchObject({
      isError: false,
      cut: false,
      bytes: JSON.stringify(result).length,
      ...expected,
    });
    expect('structured' in (call?.result ?? {})).toBe('structured' in expected);
    expect(call?.error).toEqual(expected.isError ? { kind: 'content', text: 'no' } : undefined);
  });
});

describe('what cannot be read is told with its place', () => {
  test.each<[string, Json, string]>([
    [
      'a text for isError',
      { content: [], isError: 'true' },
      '"isError" of "result" must be true or false; found a text',
    ],
    ['a number for isError', { isError: 1 }, '"isError" of "result" must be true or false; found a number'],
    ['null for isError', { content: 'a', isError: null }, '"isError" of "result" must be true or false; found null'],
    ['is_error', { content: 'a', is_error: true }, '"result" has the unknown key "is_error"'],
    ['a number for content', { content: 5, isError: false }, '"content" of "result" must be a text or a list'],
    ['content of no type', { content: [{ text: 'a' }], structuredContent: {} }, 'a list with something else'],
  ])('a result with %s', async (_, result, message) => {
    const text = await refusal('bad.json', JSON.stringify([{ tool: 't', result }]));
    expect(text).toContain('TRACE004');
    expect(text).toContain(message);
  });

  test('numbers that no run file can hold are null', async () => {
    const { transcript } = await read(
      'large.json',
      '[{"tool":"t","arguments":{"a":1e999},"result":{"b":-1e999,"c":1e2}}]',
    );
    expect(transcript.steps[0]?.calls).toMatchObject([
      { arguments: { a: null }, result: { structured: { b: null, c: 100 } } },
    ]);
  });

  test.each<[string, string]>([
    [
      '{"calls": []}',
      'bad.json:1:1 error TRACE004 expected a list of calls; found an object. Each entry: { "tool": "name", "arguments": {…} }, with a "result" where there is one.',
    ],
    ['null', 'bad.json:1:1 error TRACE004 expected a list of calls; found null.'],
    ['[\n  {"tool": "a"},\n  7\n]', 'bad.json:3:3 error TRACE004 call 2: expected an object; found a number.'],
    ['[{}]', 'bad.json:1:2 error TRACE004 call 1: has no "tool".'],
    ['[{"tool": 5}]', 'bad.json:1:11 error TRACE004 call 1: "tool" must be a name; found a number.'],
    ['[{"tool": ""}]', 'bad.json:1:11 error TRACE004 call 1: "tool" must be a name; found an empty text.'],
    ['[{"tool": "a", "server": 1}]', 'bad.json:1:26 error TRACE004 call 1: "server" must be a name; found a number.'],
    [
      '[{"tool": "a", "arguments": "{}"}]',
      'bad.json:1:29 error TRACE004 call 1: "arguments" must be an object; found a text. A text that holds JSON is not read; write the object itself.',
    ],
    [
      '[{"tool": "a", "arguments": [1]}]',
      'bad.json:1:29 error TRACE004 call 1: "arguments" must be an object; found a list.',
    ],
    [
      '[{"tool": "a", "args": {}}]',
      'bad.json:1:24 error TRACE004 call 1: unknown key "args". Did you mean "arguments"?',
    ],
    [
      '[{"tool": "a", "argumnets": {}}]',
      'bad.json:1:29 error TRACE004 call 1: unknown key "argumnets". Did you mean "arguments"?',
    ],
    [
      '[{"tool": "a", "isError": true}]',
      'bad.json:1:27 error TRACE004 call 1: "isError" is not read here. Write "result": { "isError": true, "content": "…" }.',
    ],
    [
      '[{"name": "a"}]',
      'bad.json:1:11 error TRACE004 call 1: unknown key "name". Did you mean "tool"?\nbad.json:1:2 error TRACE004 call 1: has no "tool".',
    ],
    ['[{"tool": "a"', 'bad.json:1:14 error TRACE003 not valid JSON: '],
    ['[1,]', 'bad.json:1:4 error TRACE003 not valid JSON: '],
    ['[1 2]', 'bad.json:1:4 error TRACE003 not valid JSON: comma expected.'],
    ['[ // no\n]', 'bad.json:1:3 error TRACE003 not valid JSON: '],
    ['', 'bad.json:1:1 error TRACE003 not valid JSON: '],
    [`${'['.repeat(100_000)}`, 'bad.json:1:1 error TRACE003 nesting deeper than 256 levels.'],
  ])('%#', async (content, message) => {
    const text = await refusal('bad.json', content);
    expect(text.startsWith(message)).toBe(true);
  });

  test('many mistakes are cut short, and told in time', async () => {
    const text = await refusal('bad.json', JSON.stringify(Array.from({ length: 20_000 }, () => ({}))));
    const lines = text.split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[9]).toContain('call 10: has no "tool"');
    expect(lines[10]).toBe('… and 19990 more.');
  });

  test('a file that is not there', async () => {
    const { transcript } = await readFile(join(folder, 'none.json'));
    expect(transcript.end).toEqual({
      kind: 'errored',
      reason: {
        stage: 'trace',
        cause: 'config',
        text: 'trace file "none.json" cannot be read: there is no such file.',
      },
    });
  });

  test('a folder', async () => {
    const { transcript } = await readFile(folder);
    expect(transcript.end).toMatchObject({
      reason: { text: expect.stringContaining('cannot be read: it is no file') },
    });
  });

  test.skipIf(process.platform === 'win32')('a pipe, which would be read for ever', async () => {
    const path = join(folder, 'pipe.json');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', path]);
    const { transcript } = await readFile(path);
    expect(transcript.end).toMatchObject({ reason: { text: expect.stringContaining('it is no file') } });
  });

  test('more than 32 MiB', async () => {
    const path = join(folder, 'large.json');
    await writeFile(path, '[]');
    await truncate(path, 33 * 1024 * 1024);
    const { transcript } = await readFile(path);
    expect(transcript.end).toMatchObject({
      reason: { text: 'trace file "large.json" has 33.0 MiB; the limit is 32 MiB.' },
    });
  });

  test('bytes that are no UTF-8', async () => {
    expect(await refusal('bad.json', Uint8Array.of(0x5b, 0xff, 0x5d))).toBe('trace file "bad.json" is not UTF-8.');
  });
});

test('a byte order mark is no mistake', async () => {
  const { transcript } = await read('bom.json', '\ufeff[]');
  expect(transcript.end).toEqual({ kind: 'completed' });
});

test('cancelling comes before reading', async () => {
  const { transcript } = await readFile(join(folder, 'none.json'), AbortSignal.abort());
  expect(transcript.end).toMatchObject({ kind: 'cancelled', reason: { stage: 'trace', cause: 'user' } });
});

describe('a run file', () => {
  const head = { kind: 'run', format: 1 };
  const usage = { inputTokens: 30, outputTokens: 12, cachedTokens: null, reasoningTokens: null };
  const call = { id: 'c', by: 'model', server: 's', tool: 't', arguments: {}, mocked: false } as const;
  const facts = { argumentsValid: true, resultValid: null, startMs: 3, durationMs: 4 };
  const reply = { text: 'done', calls: ['c'], finish: 'stop', usage, startMs: 1, durationMs: 2, warnings: [] };
  const trial: Trial = {
    kind: 'trial',
    id: 'x#1',
    cell: { case: 'x', row: null, variant: null, model: 'm' },
    number: 1,
    verdict: 'failed',
    checks: [],
    chain: [],
    transcript: {
      offered: [{ server: 's', tool: 't', hash: 'h' }],
      toolListChanged: true,
      steps: [
        {
          kind: 'tool',
          phase: 'setup',
          input: null,
          replies: [],
          calls: [{ ...call, ...facts, id: 'set up' }],
          durationMs: 1,
        },
        { kind: 'prompt', phase: 'steps', input: 'p', replies: [reply], calls: [{ ...call, ...facts }], durationMs: 9 },
      ],
      end: { kind: 'limit', limit: 'maxTurns', text: 'too many' },
    },
    usage,
    costUsd: 0.5,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 99,
    attempts: 1,
  };
  const lines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

  test('brings its replies, its usage, its duration and its end along', async () => {
    const attempt = await read('x.run.jsonl', lines(head, trial, { kind: 'end' }));
    expect(attempt).toMatchObject({ usage, costUsd: 0.5, durationMs: 99 });
    expect(attempt.startedAt).not.toBe(trial.startedAt);
    expect(attempt.transcript).toEqual({
      offered: trial.transcript.offered,
      toolListChanged: true,
      end: trial.transcript.end,
      steps: [
        {
          kind: 'trace',
          phase: 'steps',
          input: { trace: 'x.run.jsonl' },
          replies: [reply],
          calls: [{ ...call, ...facts }],
          durationMs: 99,
        },
      ],
    });
  });

  test('may end in a torn line', async () => {
    const { transcript } = await read('x.run.jsonl', `${lines(head, trial)}{"kind":"tri`);
    expect(transcript.steps[0]?.calls).toHaveLength(1);
  });

  test.each([
    [
      lines(head, { kind: 'end' }),
      'x.run.jsonl:1:1 error TRACE005 the run file holds no trial. Run the one case alone',
    ],
    [
      lines(head, trial, trial, trial),
      'x.run.jsonl:3:1 error TRACE005 the run file holds 3 trials; a trace is exactly one.',
    ],
    [lines(trial), 'x.run.jsonl:1:1 error TRACE006 not a run file: its first line has no "kind": "run".'],
    [lines([]), 'x.run.jsonl:1:1 error TRACE006 not a run file'],
    [
      lines({ kind: 'run', format: 2 }, trial),
      'x.run.jsonl:1:1 error TRACE006 the run file has format 2; this version reads 1. Update',
    ],
    ['', 'x.run.jsonl:1:1 error TRACE005 the run file holds no trial.'],
    [`${lines(head)}{"kind": tri}\n`, 'x.run.jsonl:2:10 error TRACE003 not valid JSON'],
    [`${lines(head)}{"kind": "trial",\t"id": 5}\n`, 'x.run.jsonl:2:25 error TRACE004 id: '],
  ])('is refused: %#', async (content, message) => {
    const text = await refusal('x.run.jsonl', content);
    expect(text.slice(0, message.length)).toBe(message);
  });
});
