import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import type { Connection, ServerDefinition } from '../../../src/engine/servers/index.ts';
import { never, until } from './faultServer.ts';
import { type HttpFixture, remote, remotePool, startHttpServer } from './httpServers.ts';

const KINDS = ['http', 'sse'] as const;
let server: HttpFixture;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

function definitionOf(kind: 'http' | 'sse', over: Partial<ServerDefinition> = {}): ServerDefinition {
  return remote(kind === 'http' ? server.url : server.sseUrl, { kind, ...over });
}

function poolOf(context: TestContext, definition: ServerDefinition) {
  return remotePool(context, definition, () => server.open());
}

async function connect(context: TestContext, definition: ServerDefinition) {
  const { pool, notices } = poolOf(context, definition);
  const lease = await pool.lease(never);
  const [connection] = lease.connections;
  if (connection === undefined) throw new Error('no connection');
  return { connection, pool, lease, notices };
}

async function textOf(connection: Connection, tool: string, args = {}): Promise<unknown> {
  const { result, error } = await connection.call(tool, args, never);
  const [block] = result?.content ?? [];
  return error?.text ?? (block as { text?: string } | undefined)?.text;
}

describe.for(KINDS)('over %s', (kind) => {
  test('tools are listed and called, and faults of calls told as over stdio', async (context) => {
    const { connection, pool, notices } = await connect(context, definitionOf(kind));
    expect(connection.tools.map(({ name }) => name)).toEqual(['add', 'echo', 'fail', 'count', 'slow', 'grow']);
    expect(await connection.call('add', { a: 1, b: 2 }, never)).toMatchObject({
      result: { structured: { sum: 3 }, isError: false },
      argumentsValid: true,
      resultValid: true,
    });
    expect((await connection.call('add', { a: 'x' }, never)).error?.kind).toMatch(/content|invalidArguments/);
    expect((await connection.call('fail', { text: 'no' }, never)).error).toEqual({ kind: 'content', text: 'no' });
    expect(pool.facts()).toMatchObject([{ name: 'remote', version: '1.2.3', protocol: '2025-11-25' }]);
    expect(notices).toEqual([]);
  });

  test('many calls at the same time get each their own answer', async (context) => {
    const { connection } = await connect(context, definitionOf(kind));
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const sums = await Promise.all(numbers.map((a) => textOf(connection, 'add', { a, b: 1000 })));
    expect(sums).toEqual(numbers.map((a) => String(a + 1000)));
  });

  test('progress prolongs a call, and its absence ends it', async (context) => {
    const { connection } = await connect(context, definitionOf(kind, { callTimeoutMs: 200 }));
    expect(await textOf(connection, 'slow', { ms: 400 })).toBe('after 400 ms');
  });

  test('resources and prompts can be read', async (context) => {
    const { connection } = await connect(context, definitionOf(kind));
    expect(await connection.listResources(never)).toEqual({
      value: [{ uri: 'notes://all', name: 'notes', description: '', mimeType: 'text/plain' }],
    });
    expect(await connection.read('notes://all', never)).toEqual({ value: [{ uri: 'notes://all', text: 'a note' }] });
    expect(await connection.read('notes://none', never)).toMatchObject({
      error: { text: expect.stringMatching(/notes:\/\/none/) },
    });
    expect(await connection.listPrompts(never)).toEqual({
      value: [{ name: 'greet', description: 'Greets.', arguments: [{ name: 'name', required: true }] }],
    });
    expect((await connection.getPrompt('greet', { name: 'Ada' }, never)).value?.messages).toMatchObject([
      { content: { text: 'Hello Ada' } },
    ]);
  });

  test('all trials share a session, and end it', async (context) => {
    const before = server.sessions();
    const { pool, connection } = await connect(context, definitionOf(kind));
    const other = (await pool.lease(never)).connections[0];
    expect([await textOf(connection, 'count'), other && (await textOf(other, 'count'))]).toEqual(['1', '2']);
    await pool.close();
    await until(() => server.sessions(), before);
  });

  test('isolation: trial gives each lease a session of its own, closed with it', async (context) => {
    const before = server.sessions();
    const { pool, lease, connection } = await connect(context, definitionOf(kind, { isolation: 'trial' }));
    const other = await pool.lease(never);
    expect(server.sessions()).toBe(before + 2);
    const [second] = other.connections;
    expect([await textOf(connection, 'count'), second && (await textOf(second, 'count'))]).toEqual(['1', '1']);
    await Promise.all([lease.release(), other.release()]);
    await until(() => server.sessions(), before);
  });

  test.for([
    ['shared', [expect.stringMatching(/^changed its tool list, .*"isolation: trial"/)]],
    ['trial', []],
  ] as const)('a changed tool list is read at once; isolation %s', async ([isolation, told], context) => {
    const { connection, notices } = await connect(context, definitionOf(kind, { isolation }));
    await connection.call('grow', {}, never);
    await until(() => connection.tools.length, 7);
    await connection.call('grow', {}, never);
    await until(() => connection.tools.length, 8);
    expect(connection.toolListChanged).toBe(true);
    expect(notices.map(({ text }) => text)).toEqual(told);
  });
});

test('a server of the older kind is found under type http', async (context) => {
  const { connection } = await connect(context, remote(server.sseUrl));
  expect(await textOf(connection, 'add', { a: 1, b: 2 })).toBe('3');
});

test('but one of the newer kind is none of type sse', async (context) => {
  const { pool } = poolOf(context, remote(server.url.replace('/mcp', '/nothing'), { kind: 'sse' }));
  await expect(pool.lease(never)).rejects.toMatchObject({
    code: 'SERVER012',
    message: expect.stringMatching(/answered HTTP 404/),
  });
});

test.for(KINDS)('headers are sent with everything: %s', async (kind, context) => {
  const locked = await startHttpServer({ token: 'open-sesame' });
  context.onTestFinished(() => locked.close());
  const url = kind === 'http' ? locked.url : locked.sseUrl;
  const headers = { Authorization: 'Bearer open-sesame' };
  const { pool } = remotePool(context, remote(url, { kind, headers }), () => locked.open());
  const [connection] = (await pool.lease(never)).connections;
  expect(connection && (await textOf(connection, 'echo', { text: 'hi' }))).toBe('hi');
  const without = remotePool(context, remote(url, { kind }), () => 0).pool;
  await expect(without.lease(never)).rejects.toMatchObject({ code: 'SERVER011' });
});

test.for(KINDS)('a server that dies during a call is noticed at once: %s', async (kind, context) => {
  const mortal = await startHttpServer();
  const url = kind === 'http' ? mortal.url : mortal.sseUrl;
  const { pool } = remotePool(context, remote(url, { kind }), () => mortal.open());
  const [connection] = (await pool.lease(never)).connections;
  const call = connection?.call('slow', { ms: 5000 }, never);
  await wait(150);
  const began = performance.now();
  await mortal.close();
  expect((await call)?.error).toMatchObject({
    kind: 'crashed',
    text: expect.stringMatching(/^server "remote" .* during the call of "slow"$/),
  });
  expect(performance.now() - began).toBeLessThan(1000);
  await expect(pool.lease(never)).rejects.toMatchObject({ code: 'SERVER010' });
});

test('a server that was started anew between two trials goes unnoticed', async (context) => {
  const { pool, lease, connection } = await connect(context, definitionOf('http'));
  await connection.call('count', {}, never);
  await lease.release();
  server.forget();
  const [next] = (await pool.lease(never)).connections;
  expect(next && (await textOf(next, 'count'))).toBe('1');
});
