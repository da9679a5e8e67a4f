import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connect,
  type FaultServer,
  faultServer,
  gone,
  marked,
  never,
  running,
  testPool,
  until,
} from './faultServer.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcprove-processes-'));
const source = fileURLToPath(new URL('./runner.ts', import.meta.url));
const bundle = join(folder, 'runner.mjs');

// As dist/ is built: the watchdog's source is text taken from a function, which a bundler may change.
beforeAll(() =>
  build({
    entryPoints: [source],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.15',
    mainFields: ['module', 'main'],
    minify: true,
    keepNames: true,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));

describe.concurrent('closing', () => {
  test.for([
    { mode: 'ok', act: 'running', limitMs: 700 },
    { mode: 'grandchildren', act: 'running', limitMs: 1500 },
    { mode: 'setsid', act: 'running', limitMs: 1500 },
    { mode: 'ignores-eof', act: 'running', limitMs: 1500 },
    { mode: 'stubborn', act: 'running', limitMs: 4000 },
    { mode: 'ok', act: 'stopped', limitMs: 4000 },
  ])('leaves nothing of the server $mode $act', async ({ mode, act, limitMs }, context) => {
    const server = faultServer(mode);
    const { pool, notices } = testPool(context, server);
    await pool.lease(never);
    if (act === 'stopped') for (const pid of marked(server.mark)) process.kill(pid, 'SIGSTOP');
    const expected = { grandchildren: 5, setsid: 2 }[mode] ?? 1;
    await until(() => marked(server.mark).length, expected);
    const start = performance.now();
    await Promise.all([pool.close(), pool.close()]);
    expect(performance.now() - start).toBeLessThan(limitMs);
    expect(marked(server.mark)).toEqual([]);
    const strays =
      mode === 'setsid' ? [{ server: mode, text: 'left 1 process outside its process group running; killed' }] : [];
    expect(notices).toEqual(strays);
  });

  test.for(['cleaned', 'daemon'])(
    'kills what left group, session and environment behind ($0), and nobody else',
    async (mode, context) => {
      const seconds = `61.${process.pid}${mode.length}1`;
      const stranger = spawn('sleep', ['62'], { stdio: 'ignore', detached: true });
      context.onTestFinished(() => void stranger.kill('SIGKILL'));
      const { pool, notices } = testPool(context, faultServer(mode, {}, seconds));
      await pool.lease(never);
      await until(() => running(`sleep ${seconds}`).length, 1);
      await pool.close();
      expect(running(`sleep ${seconds}`)).toEqual([]);
      const strays = mode === 'daemon' ? '2 processes' : '1 process';
      expect(notices).toEqual([{ server: mode, text: `left ${strays} outside its process group running; killed` }]);
      expect(running('sleep 62')).toContain(stranger.pid);
    },
  );

  test('ends the calls that are under way', async (context) => {
    const { pool } = testPool(context, faultServer('ok'));
    const [connection] = (await pool.lease(never)).connections;
    const call = connection?.call('sleep', { ms: 60_000 }, never);
    setTimeout(() => void pool.close(), 50);
    expect(await call).toMatchObject({ error: { kind: 'cancelled' } });
    await expect(connection?.call('echo', {}, never)).rejects.toThrow(/closed/);
    await expect(pool.lease(never)).rejects.toThrow(/closed/);
  });

  test('a start that is cancelled is given up at once, and its process with it', async (context) => {
    const server = faultServer('mute');
    const { pool } = testPool(context, server);
    const controller = new AbortController();
    const lease = pool.lease(controller.signal);
    await until(() => marked(server.mark).length, 1);
    const start = performance.now();
    controller.abort(new Error('stopped by the user'));
    await expect(lease).rejects.toThrow('stopped by the user');
    expect(performance.now() - start).toBeLessThan(500);
    await gone(server.mark, 1500);
  });

  test('while starting ends the start', async (context) => {
    const server = faultServer('mute');
    const { pool } = testPool(context, server);
    const lease = pool.lease(never);
    await until(() => marked(server.mark).length, 1);
    await Promise.all([expect(lease).rejects.toThrow(/abort/), pool.close()]);
    expect(marked(server.mark)).toEqual([]);
  });

  test('what a dead server left behind is ended while the run goes on', async (context) => {
    const server = faultServer('ok');
    const { connection } = await connect(context, server);
    await connection.call('act', { what: 'setsid' }, never);
    await connection.call('act', { what: 'exit-holding-stdout' }, never);
    await gone(server.mark, 2500);
  });
});

interface Ending {
  how: string;
  file: string;
  signal?: NodeJS.Signals;
  env?: NodeJS.ProcessEnv;
  what?: string;
}

describe.concurrent('a runner that goes', () => {
  const servers = (): FaultServer[] => ['ok', 'stubborn', 'grandchildren', 'setsid'].map((mode) => faultServer(mode));

  test.for<Ending>([
    { how: 'is killed', file: source, signal: 'SIGKILL' },
    { how: 'is killed (from a bundle)', file: bundle, signal: 'SIGKILL' },
    { how: 'is killed inside an Electron host', file: bundle, signal: 'SIGKILL', env: { ELECTRON_RUN_AS_NODE: '1' } },
    { how: 'is terminated', file: bundle, signal: 'SIGTERM' },
    { how: 'exits without closing', file: bundle, what: 'exit' },
    { how: 'is killed while its servers start', file: bundle, signal: 'SIGKILL', what: 'start' },
  ])('$how: its servers end within 2 s', async ({ file, signal, env = {}, what = '' }, { onTestFinished }) => {
    const list = servers();
    const { runner, runId } = await startRunner(file, list, what, env);
    onTestFinished(() => void runner.kill('SIGKILL'));
    if (what === '') expect(list.map(({ mark }) => marked(mark).length)).toEqual([1, 1, 5, 2]);
    if (what === 'start') await until(() => list.some(({ mark }) => marked(mark).length > 0), true);
    else if (what === '') expect(watchdogs(runId)).toHaveLength(1);
    if (signal !== undefined) runner.kill(signal);
    await Promise.all(list.map(({ mark }) => gone(mark, 2000)));
    await until(() => watchdogs(runId), []);
  });

  test('is killed: what left group, session and environment behind ends too', async ({ onTestFinished }) => {
    const list = ['cleaned', 'daemon'].map((mode) => ({ mode, seconds: `61.${process.pid}${mode.length}2` }));
    const all = () => list.map(({ seconds }) => running(`sleep ${seconds}`).length);
    const definitions = list.map(({ mode, seconds }) => faultServer(mode, {}, seconds));
    const { runner, runId } = await startRunner(bundle, definitions, '', {});
    onTestFinished(() => void runner.kill('SIGKILL'));
    await until(all, [1, 1]);
    runner.kill('SIGKILL');
    await until(all, [0, 0]);
    await until(() => watchdogs(runId), []);
  });

  test('after it closed its pool: neither servers nor a watchdog are left, and it ends by itself', async ({
    onTestFinished,
  }) => {
    const list = servers();
    const { runner, runId } = await startRunner(bundle, list, 'close', {});
    onTestFinished(() => void runner.kill('SIGKILL'));
    const code = await new Promise<unknown>((resolve) => runner.once('exit', resolve));
    expect(code).toBe(0);
    for (const { mark } of list) expect(marked(mark)).toEqual([]);
    await until(() => watchdogs(runId), []);
  });
});

test.concurrent('a runner that may open few files says so, whatever it is that finds no room', async () => {
  // From the limit with which a server does not start to the one with which the watchdog does not.
  const limits = [24, 26, 28, 29, 30, 31, 32];
  const said = await Promise.all(
    limits.map(async (limit) => {
      const line = `ulimit -n ${limit}; exec "$0" "$@"`;
      const args = ['-c', line, process.execPath, bundle, JSON.stringify([faultServer('ok')]), 'few', 'close'];
      const runner = spawn('sh', args, { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env.PATH } });
      let text = '';
      runner.stderr.on('data', (chunk) => {
        text += chunk;
      });
      await new Promise((resolve) => runner.once('close', resolve));
      return text;
    }),
  );
  expect(said.join('')).not.toMatch(/TypeError|Unhandled/);
  expect(said.join('')).toMatch(/did not start: the runner may open no more files or pipes \(EMFILE\)/);
});

let runners = 0;

async function startRunner(
  file: string,
  servers: readonly FaultServer[],
  what: string,
  env: NodeJS.ProcessEnv,
): Promise<{ runner: ChildProcess; runId: string }> {
  const runId = `test-${process.pid}-${++runners}`;
  const runner = spawn(process.execPath, [file, JSON.stringify(servers), runId, what], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  await new Promise<void>((resolve, reject) => {
    runner.stdout?.once('data', () => resolve());
    runner.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the runner exited with ${code}`))));
  });
  return { runner, runId };
}

/** The watchdogs of a run that still run: the marker is in their title, and before that in the source they are given. */
function watchdogs(runId: string): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    try {
      const title = readFileSync(`/proc/${Number(entry)}/cmdline`, 'latin1');
      return title.includes(`MCPROVE_SERVER=${runId}.`) ? [Number(entry)] : [];
    } catch {
      return [];
    }
  });
}
