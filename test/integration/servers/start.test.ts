import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ServerStartError } from '../../../src/engine/servers/index.ts';
import { connect, faultServer, never, type Over, testPool } from './faultServer.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcprove-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

function script(name: string, text: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

interface Failure {
  fault: string;
  mode?: string;
  over?: Over;
  code: string;
  stage?: 'connect' | 'discover';
  message: RegExp[];
  hint?: RegExp;
  /** It must be told faster than this. */
  withinMs?: number;
}

const SLOW = { startTimeoutMs: 600 };

const failures: Failure[] = [
  {
    fault: 'S01 command not found',
    over: { command: 'no-such-program', env: { PATH: '/usr/bin:/bin' } },
    code: 'SERVER001',
    message: [/^server "ok" did not start: command "no-such-program" not found on PATH \(searched 2 folders\)$/],
    hint: /full path/,
  },
  {
    fault: 'S01 a path that does not exist',
    over: { command: '/no/such/program' },
    code: 'SERVER001',
    message: [/command "\/no\/such\/program" does not exist/],
  },
  {
    fault: 'S01 an interpreter that does not exist',
    over: { command: script('lost', '#!/no/such/interpreter\n') },
    code: 'SERVER001',
    message: [/the first line of ".*lost" names does not exist/],
  },
  {
    fault: 'S02 no such folder',
    over: { cwd: '/no/such/folder' },
    code: 'SERVER002',
    message: [/working directory "\/no\/such\/folder" does not exist/],
  },
  {
    fault: 'S03 not executable',
    over: { command: script('plain.js', '// a script\n', 0o644) },
    code: 'SERVER003',
    message: [/"\/.*plain\.js" is not executable/],
    hint: /chmod \+x .*#!/,
  },
  {
    fault: 'S03 a folder',
    over: { command: '/etc' },
    code: 'SERVER003',
    message: [/did not start: "\/etc" is a folder, not a program$/],
    hint: /path of the program in it/,
  },
  {
    fault: 'arguments that are too large',
    over: { args: ['x'.repeat(4 * 1024 * 1024)] },
    code: 'SERVER001',
    message: [/its "args" and "env" are too large/],
    hint: /Give it a file/,
  },
  {
    fault: 'S04 exits before the handshake',
    mode: 'exit',
    code: 'SERVER004',
    message: [/^server "exit" exited with code 3 in the handshake/, /\n {2}stderr line 11\n/, /\n {2}stderr line 30$/],
    withinMs: 1500,
  },
  {
    fault: 'S04 exits in the handshake',
    mode: 'exit-in-initialize',
    code: 'SERVER004',
    message: [/exited with code 4 in the handshake/, /\n {2}boom in initialize/],
  },
  { fault: 'S04 killed', mode: 'killed', code: 'SERVER004', message: [/was ended by SIGKILL/, /its stderr is empty/] },
  {
    fault: 'S05 hangs in the handshake',
    mode: 'mute',
    over: SLOW,
    code: 'SERVER005',
    message: [/gave no answer to initialize in 0\.6 s; nothing came on stdout/],
    hint: /one JSON message a line/,
  },
  {
    fault: 'S08 an answer without a line end',
    mode: 'no-newline',
    over: SLOW,
    code: 'SERVER005',
    message: [/stdout so far: "\{\\"jsonrpc\\"/],
  },
  {
    fault: 'a program that speaks no MCP',
    over: { ...SLOW, command: 'sh', args: ['-c', 'echo Hello; sleep 60'] },
    code: 'SERVER005',
    message: [/stdout so far: Hello/],
  },
  {
    fault: 'S29 an old protocol',
    mode: 'old-protocol',
    code: 'SERVER006',
    message: [/speaks MCP protocol "1999-01-01"/],
    hint: /speaks MCP 2025-11-25/,
  },
  {
    fault: 'S29 only newer protocols',
    mode: 'new-only',
    code: 'SERVER006',
    message: [
      /refused the handshake: Unsupported protocol version \(JSON-RPC error -32602\), it supports "2099-01-01"/,
    ],
  },
  {
    fault: 'an error, and then an exit',
    mode: 'refuse-and-exit',
    code: 'SERVER006',
    message: [/refused the handshake: no licence found/],
  },
  {
    fault: 'S29 a malformed greeting',
    mode: 'bad-greeting',
    code: 'SERVER006',
    message: [/answer to initialize that is not valid: serverInfo/],
  },
  {
    fault: 'S20 pages for ever',
    mode: 'pages-for-ever',
    code: 'SERVER007',
    stage: 'discover',
    message: [/more than 64 pages/],
  },
  {
    fault: 'S20 a repeated cursor',
    mode: 'cursor-again',
    code: 'SERVER007',
    stage: 'discover',
    message: [/repeats the cursor "again"/],
  },
  {
    fault: 'S20 too many tools',
    mode: 'many-tools',
    code: 'SERVER007',
    stage: 'discover',
    message: [/more than 2,000 tools/],
  },
  {
    fault: 'an error for a list',
    mode: 'list-error',
    code: 'SERVER007',
    stage: 'discover',
    message: [/does not list its tools: the tool registry is down \(JSON-RPC error -32603\)/],
  },
  {
    fault: 'no list in the answer',
    mode: 'list-nothing',
    code: 'SERVER007',
    stage: 'discover',
    message: [/holds no list/],
  },
  {
    fault: 'no answer for a list',
    mode: 'list-hang',
    over: SLOW,
    code: 'SERVER005',
    stage: 'discover',
    message: [/did not list its tools in 0\.6 s/],
  },
  {
    fault: 'death for a list',
    mode: 'list-exit',
    code: 'SERVER004',
    stage: 'discover',
    message: [/exited with code 5 while its tools were listed/],
  },
  {
    fault: 'S22 two tools of one name',
    mode: 'same-name',
    code: 'SERVER008',
    stage: 'discover',
    message: [/two tools named "echo" \(numbers 1 and 9\)/],
  },
];

describe.concurrent('a server that does not start', () => {
  test.for(failures)(
    '$fault',
    async ({ mode = 'ok', over, code, stage = 'connect', message, hint, withinMs }, context) => {
      const server = faultServer(mode, over);
      const { pool } = testPool(context, server);
      const start = performance.now();
      const error = await pool.lease(never).catch((thrown: unknown) => thrown);
      if (!(error instanceof ServerStartError)) throw error;
      expect(error).toMatchObject({ code, stage, server: mode });
      for (const pattern of message) expect(error.message).toMatch(pattern);
      expect(error.hint).toMatch(hint ?? /./);
      expect(performance.now() - start).toBeLessThan(withinMs ?? 10_000);
      expect(pool.facts()).toEqual([]);
    },
  );
});

describe.concurrent('a server that starts all the same', () => {
  test('says who it is', async (context) => {
    const server = faultServer('ok');
    const { pool } = testPool(context, server);
    const { connections } = await pool.lease(never);
    const [connection] = connections;
    expect(connection?.tools.map(({ name }) => name)).toEqual([
      'echo',
      'add',
      'fail',
      'sleep',
      'env',
      'pid',
      'count',
      'act',
    ]);
    expect(connection?.tools[0]).toMatchObject({
      server: 'ok',
      description: 'The tool echo.',
      annotations: { readOnlyHint: true },
    });
    expect(connection?.tools[0]?.hash).toMatch(/^[0-9a-f]{16}$/);
    expect(pool.facts()).toEqual([
      {
        name: 'ok',
        origin: server.origin,
        version: '1.2.3',
        protocol: '2025-11-25',
        toolListHash: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ]);
  });

  test('S07 junk before the handshake is counted and told once', async (context) => {
    const { connection, notices } = await connect(context, faultServer('junk'));
    expect(connection.violations).toEqual([
      { kind: 'junk', text: 'a line on stdout that is not JSON: "Starting up..."', count: 2 },
    ]);
    expect(notices).toEqual([{ server: 'junk', text: expect.stringContaining('Starting up') }]);
  });

  test('S10 5 MiB on stderr do not block it', async (context) => {
    const { connection } = await connect(context, faultServer('stderr-flood'));
    expect((await connection.call('echo', { text: 'hi' }, never)).result?.content).toEqual([
      { type: 'text', text: 'hi' },
    ]);
  });

  test('S20 two pages make one list', async (context) => {
    const { connection } = await connect(context, faultServer('pages'));
    expect(connection.tools).toHaveLength(8);
  });

  test('S21 a bad tool does not spoil the others', async (context) => {
    const { connection } = await connect(context, faultServer('bad-tool'));
    expect(connection.tools.map(({ name }) => name)).toEqual([
      'echo',
      'add',
      'fail',
      'sleep',
      'env',
      'pid',
      'count',
      'act',
      'odd',
    ]);
    expect(connection.violations.map(({ kind, count }) => [kind, count])).toEqual([
      ['badTool', 3],
      ['oddTool', 3],
    ]);
    expect(await connection.call('broken', {}, never)).toMatchObject({
      error: {
        kind: 'unknownTool',
        text: 'server "bad-tool" offers "broken", but it cannot be used: its inputSchema is no object: "not a schema"',
      },
    });
  });

  test('without the tools capability it has none', async (context) => {
    const { connection } = await connect(context, faultServer('no-tools'));
    expect(connection.tools).toEqual([]);
  });

  test('inherits what it needs, and none of the keys of the runner', async (context) => {
    process.env.MCPROVE_TEST_API_KEY = 'not-for-servers';
    const { connection } = await connect(context, faultServer('ok', { env: { OWN: 'mine' } }));
    const { result } = await connection.call('env', {}, never);
    const [block] = result?.content ?? [];
    const env = JSON.parse(String((block as { text: string }).text));
    expect(env).toMatchObject({
      PATH: process.env.PATH,
      OWN: 'mine',
      MCPROVE_SERVER: expect.stringMatching(/^test\./),
    });
    expect(env).not.toHaveProperty('MCPROVE_TEST_API_KEY');
  });
});
