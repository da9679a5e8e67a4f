import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { TestContext } from 'vitest';
import type { Connection, ServerCommand, ServerDefinition, ServerNotice } from '../../../src/engine/servers/index.ts';
import { createServerPool } from '../../../src/engine/servers/index.ts';

const SCRIPT = fileURLToPath(new URL('../../fixtures/servers/fault.mjs', import.meta.url));
let servers = 0;

export type FaultServer = ServerDefinition & { transport: ServerCommand; mark: string };

/** What a test says of a server differently: keys of its command stand beside the others. */
export type Over = Partial<Omit<ServerDefinition, 'transport'> & Omit<ServerCommand, 'kind'>>;

/** The fault server in one of its modes, with a mark in its environment by which its processes can be counted. */
export function faultServer(mode: string, over: Over = {}, value = ''): FaultServer {
  const mark = `${process.pid}-${++servers}-${mode}`;
  const { command = process.execPath, args = [SCRIPT, mode, value], cwd = process.cwd(), env, ...rest } = over;
  return {
    name: mode,
    transport: {
      kind: 'stdio',
      command,
      args,
      cwd,
      env: { TEST_MARK: mark, ...env },
    },
    isolation: 'shared',
    origin: { file: '/suite/.mcp.json', pointer: `/mcpServers/${mode}` },
    startTimeoutMs: 10_000,
    callTimeoutMs: 10_000,
    ...rest,
    mark,
  };
}

/** The processes that still run with this mark, of whatever group. */
export function marked(mark: string): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) return [];
    try {
      if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return [];
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`TEST_MARK=${mark}`) ? [pid] : [];
    } catch {
      return [];
    }
  });
}

/** The processes that run this command, whatever their environment. */
export function running(command: string): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    try {
      const words = readFileSync(`/proc/${Number(entry)}/cmdline`, 'latin1');
      return words.split('\0').join(' ').trim() === command ? [Number(entry)] : [];
    } catch {
      return [];
    }
  });
}

/** Waits until nothing with this mark runs. */
export function gone(mark: string, limitMs: number): Promise<void> {
  return until(() => marked(mark), [], limitMs);
}

/** Waits until `look` gives what is wanted. (`expect.poll` does not know its test in concurrent ones.) */
export async function until<T>(look: () => T, wanted: T, limitMs = 2000): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const seen = look();
    if (isDeepStrictEqual(seen, wanted)) return;
    if (performance.now() > deadline) throw new Error(`after ${limitMs} ms still ${JSON.stringify(seen)}`);
    await wait(10);
  }
}

export const never = new AbortController().signal;

/** A pool that is closed when the test ends, which is then failed if a process is left. */
export function testPool({ onTestFinished }: TestContext, ...definitions: FaultServer[]) {
  const notices: ServerNotice[] = [];
  const pool = createServerPool(definitions, { runId: 'test', onNotice: (notice) => notices.push(notice) });
  onTestFinished(async () => {
    await pool.close();
    for (const { mark } of definitions) await gone(mark, 0);
  });
  return { pool, notices };
}

/** The only server of a pool of its own, leased. */
export async function connect(
  context: TestContext,
  server: FaultServer,
): Promise<{ connection: Connection; notices: ServerNotice[] }> {
  const { pool, notices } = testPool(context, server);
  const [connection] = (await pool.lease(never)).connections;
  if (connection === undefined) throw new Error('no connection');
  return { connection, notices };
}
