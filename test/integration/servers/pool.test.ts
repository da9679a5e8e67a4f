import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, type TestContext, test } from 'vitest';
import { type Connection, type Lease, ServerDiedError, type ServerPool } from '../../../src/engine/servers/index.ts';
import { serverEnvironment } from '../../../src/engine/servers/serverEnvironment.ts';
import { Session } from '../../../src/engine/servers/session.ts';
import { StdioTransport } from '../../../src/engine/servers/stdioTransport.ts';
import { type FaultServer, faultServer, gone, marked, never, testPool, until } from './faultServer.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcprove-pool-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function leaseOne(pool: ServerPool): Promise<{ lease: Lease; connection: Connection }> {
  const lease = await pool.lease(never);
  const [connection] = lease.connections;
  if (connection === undefined) throw new Error('no connection');
  return { lease, connection };
}

async function textOf(connection: Connection, tool: string, args = {}): Promise<string | undefined> {
  const [block] = (await connection.call(tool, args, never)).result?.content ?? [];
  return (block as { text: string } | undefined)?.text;
}

function countingServer(context: TestContext, failures: number): { server: FaultServer; starts(): number } {
  const file = join(folder, `${context.task.id}.count`);
  const server = faultServer('fails-first', { env: { FAULT_COUNT: file } }, String(failures));
  return { server, starts: () => readFileSync(file, 'utf8').length };
}

describe.concurrent('shared servers', () => {
  test('start with the first lease, once for all', async (context) => {
    const { server, starts } = countingServer(context, 0);
    const { pool } = testPool(context, server);
    expect(marked(server.mark)).toEqual([]);
    const leases = await Promise.all([pool.lease(never), pool.lease(never), pool.lease(never)]);
    for (const lease of leases) await lease.release();
    await pool.lease(never);
    expect(starts()).toBe(1);
  });

  test('come in the order of the suite, whichever starts first', async (context) => {
    const { pool } = testPool(context, faultServer('slow', {}, '300'), faultServer('ok'));
    const { connections } = await pool.lease(never);
    expect(connections.map(({ server }) => server)).toEqual(['slow', 'ok']);
    expect(pool.facts().map(({ name }) => name)).toEqual(['slow', 'ok']);
  });

  test('S30 at most 4 start at once', async (context) => {
    const servers = Array.from({ length: 7 }, (_, n) => faultServer('slow', { name: `slow-${n}` }, '250'));
    const { pool } = testPool(context, ...servers);
    const lease = pool.lease(never);
    const running = () => servers.filter(({ mark }) => marked(mark).length > 0).length;
    let most = 0;
    const timer = setInterval(() => {
      if (pool.facts().length === 0) most = Math.max(most, running());
    }, 10);
    await lease;
    clearInterval(timer);
    expect(most).toBe(4);
    expect(running()).toBe(7);
  });

  test('the cancel of one waiter does not stop the start for another', async (context) => {
    const { pool } = testPool(context, faultServer('slow', {}, '300'));
    const controller = new AbortController();
    const given = pool.lease(controller.signal);
    const kept = pool.lease(never);
    setTimeout(() => controller.abort(), 50);
    await expect(given).rejects.toThrow(/abort/);
    expect((await kept).connections).toHaveLength(1);
  });

  test('a start nobody waits for any more is ended, and the next lease starts anew', async (context) => {
    const server = faultServer('slow', {}, '600');
    const { pool } = testPool(context, server);
    const controller = new AbortController();
    const first = pool.lease(controller.signal);
    await until(() => marked(server.mark).length, 1);
    const [old] = marked(server.mark);
    controller.abort();
    await expect(first).rejects.toThrow();
    await pool.lease(never);
    expect(marked(server.mark)).not.toContain(old);
  });

  test('one that does not start fails the lease at once, while another is still starting', async (context) => {
    const { pool } = testPool(context, faultServer('mute'), faultServer('exit'));
    const start = performance.now();
    await expect(pool.lease(never)).rejects.toThrow(/server "exit" exited/);
    expect(performance.now() - start).toBeLessThan(3000);
  });

  test('a start that fails once is tried again by the next lease', async (context) => {
    const { server, starts } = countingServer(context, 1);
    const { pool } = testPool(context, server);
    await expect(pool.lease(never)).rejects.toThrow(/exited with code 7/);
    await pool.lease(never);
    expect(starts()).toBe(2);
  });

  test('after two failures in a row it is not tried again', async (context) => {
    const { server, starts } = countingServer(context, 99);
    const { pool } = testPool(context, server);
    for (let lease = 1; lease <= 4; lease++) await expect(pool.lease(never)).rejects.toThrow(/exited with code 7/);
    expect(starts()).toBe(2);
  });
});

describe.concurrent('a death', () => {
  test('restarts the server for the next call, once for each lease', async (context) => {
    const { pool } = testPool(context, faultServer('ok'));
    const { lease, connection } = await leaseOne(pool);
    const first = await textOf(connection, 'pid');
    expect(await connection.call('act', { what: 'exit' }, never)).toMatchObject({ error: { kind: 'crashed' } });
    const second = await textOf(connection, 'pid');
    expect(second).not.toBe(first);
    const dying = connection.call('act', { what: 'exit' }, never);
    await expect(dying).rejects.toThrow(ServerDiedError);
    await expect(dying).rejects.toMatchObject({
      code: 'SERVER009',
      server: 'ok',
      stage: 'call',
      message: expect.stringContaining('about to exit'),
    });
    await expect(connection.call('pid', {}, never)).rejects.toThrow(ServerDiedError);
    await lease.release();
    const next = await leaseOne(pool);
    expect(await textOf(next.connection, 'pid')).toMatch(/^\d+$/);
  });

  test('between two calls counts like one during a call', async (context) => {
    const { pool } = testPool(context, faultServer('ok'));
    const { connection } = await leaseOne(pool);
    expect(await textOf(connection, 'act', { what: 'exit-after-reply' })).toBe('goodbye');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await textOf(connection, 'act', { what: 'exit-after-reply' })).toBe('goodbye');
    await new Promise((resolve) => setTimeout(resolve, 400));
    await expect(connection.call('pid', {}, never)).rejects.toThrow(/exited with code 0 between two calls/);
  });

  test('is the end of all calls in flight, also of other leases, and one restart serves them', async (context) => {
    const server = faultServer('ok');
    const { pool } = testPool(context, server);
    const one = await leaseOne(pool);
    const two = await leaseOne(pool);
    const calls = [
      one.connection.call('sleep', { ms: 30_000 }, never),
      one.connection.call('sleep', { ms: 30_000 }, never),
      two.connection.call('sleep', { ms: 30_000 }, never),
      two.connection.call('act', { what: 'exit' }, never),
    ];
    for (const outcome of await Promise.all(calls)) expect(outcome).toMatchObject({ error: { kind: 'crashed' } });
    const pids = await Promise.all([one.connection, one.connection, two.connection].map((each) => textOf(each, 'pid')));
    expect(new Set(pids).size).toBe(1);
    expect(marked(server.mark)).toHaveLength(1);
  });

  test('is what a server that no longer reads its stdin comes to', async (context) => {
    const { pool } = testPool(context, faultServer('ok'));
    const { connection } = await leaseOne(pool);
    expect(await textOf(connection, 'act', { what: 'close-stdin' })).toBe('deaf now');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await connection.call('pid', {}, never)).toMatchObject({
      error: { kind: 'crashed', text: expect.stringContaining('closed its stdin while it ran on') },
    });
  });

  test('while nobody holds a lease is mended by the next', async (context) => {
    const server = faultServer('ok');
    const { pool } = testPool(context, server);
    const { lease } = await leaseOne(pool);
    await lease.release();
    for (const pid of marked(server.mark)) process.kill(pid, 'SIGKILL');
    await gone(server.mark, 1000);
    // The kernel knows of the death before we are told.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { connection } = await leaseOne(pool);
    expect(await textOf(connection, 'count')).toBe('1');
  });
});

describe.concurrent('a call left unfinished', () => {
  test.for(['hang', 'stopped', 'busy'])(
    '%s: the next lease gets a fresh process, the old one goes with its last lease',
    async (how, context) => {
      const server =
        how === 'stopped' ? faultServer('stopped', { callTimeoutMs: 400 }) : faultServer('ok', { callTimeoutMs: 900 });
      const { pool } = testPool(context, server);
      const [one, other] = [await leaseOne(pool), await leaseOne(pool)];
      const [old] = marked(server.mark);
      expect(await one.connection.call('act', { what: 'hang' }, never)).toMatchObject({ error: { kind: 'timeout' } });
      const next = await leaseOne(pool);
      expect(marked(server.mark)).toHaveLength(2);
      await one.lease.release();
      expect(marked(server.mark)).toContain(old);
      await other.lease.release();
      await until(() => marked(server.mark).includes(old ?? 0), false, 3000);
      await next.lease.release();
      expect(marked(server.mark)).toHaveLength(1);
    },
  );

  test('R15 so does one that was cancelled', async (context) => {
    const server = faultServer('ok');
    const { pool } = testPool(context, server);
    const { connection, lease } = await leaseOne(pool);
    const [old] = marked(server.mark);
    const controller = new AbortController();
    const call = connection.call('act', { what: 'hang' }, controller.signal);
    setTimeout(() => controller.abort(), 30);
    await call;
    await lease.release();
    await leaseOne(pool);
    await until(() => marked(server.mark).includes(old ?? 0), false, 3000);
  });

  test('S25 progress for ever ends at the limit for the whole call', async ({ onTestFinished }) => {
    const server = faultServer('ok', { callTimeoutMs: 900 });
    const mark = { line: 'MCPROVE_SERVER=progress.', locks: [1, 1] } as const;
    const session = await Session.start(
      server,
      {
        open: (onFinding) =>
          new StdioTransport({
            ...server.transport,
            env: { ...serverEnvironment(server.transport.env, process.env), MCPROVE_SERVER: 'progress.' },
            mark,
            keeper: { started: () => {}, ending: () => {} },
            onFinding,
          }),
        onNotice: () => {},
        onToolListChanged: () => {},
        callTotalMs: 1000,
      },
      never,
    );
    onTestFinished(() => session.close());
    expect(await session.call('act', { what: 'progress-for-ever' }, never)).toMatchObject({
      error: { kind: 'timeout', text: 'server "ok" reported progress, but gave no answer to "act" in 1 s' },
    });
    expect(session.isStale).toBe(true);
  });
});
