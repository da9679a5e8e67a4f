import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import {
  type Connection,
  type ServerDefinition,
  ServerDiedError,
  ServerStartError,
} from '../../../src/engine/servers/index.ts';
import { never, until } from './faultServer.ts';
import { type FaultFixture, remote, remotePool, startFaultServer } from './httpServers.ts';

let faults: FaultFixture;
let elsewhere: FaultFixture;
let secure: FaultFixture;
let closedPort = 0;
let tests = 0;

beforeAll(async () => {
  elsewhere = await startFaultServer();
  faults = await startFaultServer({ other: elsewhere.origin });
  secure = await startFaultServer({ tls: true });
  const server = createServer().listen(0, '127.0.0.1');
  await until(() => server.listening, true);
  const address = server.address();
  closedPort = typeof address === 'object' ? (address?.port ?? 0) : 0;
  server.close();
});
afterAll(() => Promise.all([faults.close(), elsewhere.close(), secure.close()]));

const TOKEN = 'Bearer secret-0123456789';

function place(mode: string): { url: string; path: string } {
  const path = `/${mode}/${++tests}`;
  return { url: `${faults.origin}${path}?key=very-secret-key`, path };
}

async function connect(
  context: TestContext,
  mode: string,
  over: Partial<ServerDefinition> = {},
): Promise<{ connection: Connection; path: string; notices: string[]; close(): Promise<void> }> {
  const { url, path } = place(mode);
  const definition = remote(url, { headers: { Authorization: TOKEN }, ...over });
  const { pool, notices } = remotePool(context, definition, () => faults.open(path));
  const [connection] = (await pool.lease(never)).connections;
  if (connection === undefined) throw new Error('no connection');
  return {
    connection,
    path,
    get notices() {
      return notices.map(({ text }) => text);
    },
    close: () => pool.close(),
  };
}

async function startError(context: TestContext, url: string, headers: Record<string, string> = {}, path = '') {
  const definition = remote(url, { headers: { Authorization: TOKEN, ...headers }, startTimeoutMs: 300 });
  const { pool } = remotePool(context, definition, () => faults.open(path));
  const error: unknown = await pool.lease(never).catch((reason) => reason);
  if (!(error instanceof ServerStartError)) throw error;
  expect(`${error.message} ${error.hint}`).not.toMatch(/secret/);
  return error;
}

describe('a server that does not start', () => {
  test.for([
    ['H01 reset', 'resetAtOnce', 'SERVER010', /broke off the connection to http:.*: it was reset \(ECONNRESET\)$/],
    ['H02 401', '401', 'SERVER011', /needs sign-in: it answered HTTP 401 Unauthorized at .*: "Token is missing"$/],
    ['H02 401 that tells the token', 'echo401', 'SERVER011', /: "Bad token …"$/],
    ['H03 403', '403', 'SERVER011', /refuses access: it answered HTTP 403 .*wants the scope "notes:write": "No"$/],
    [
      '404',
      'notFound',
      'SERVER012',
      /answered HTTP 404 .*: "Nothing here"; nor does it speak the older SSE there: it answered HTTP 405/,
    ],
    ['H06 no answer', 'silent', 'SERVER005', /gave no answer to initialize in 0\.3 s$/],
    [
      'H09 a login page',
      'page',
      'SERVER012',
      /answered HTTP 200 with a web page in place of .*, a page titled "Sign in"$/,
    ],
    [
      'H11 a redirect to another origin',
      'elsewhere',
      'SERVER012',
      /redirects \(HTTP 307\) .*to another origin, http:\/\/127\.0\.0\.1:\d+, which is not followed$/,
    ],
    [
      'a JSON-RPC error with status 400',
      'refusal',
      'SERVER006',
      /refused the handshake: Too old \(JSON-RPC error -32000\)$/,
    ],
  ] as const)('%s', async ([, mode, code, message], context) => {
    const { url, path } = place(mode);
    const began = performance.now();
    const error = await startError(context, url, { 'x-at-start': 'yes' }, path);
    expect(performance.now() - began).toBeLessThan(1000);
    expect(error).toMatchObject({ code, stage: 'connect', message: expect.stringMatching(message) });
    if (code === 'SERVER011') expect(error.hint).toContain('Put a token into "headers"');
  });

  test('H11 and nothing is sent there', () => {
    expect(elsewhere.log).toEqual([]);
  });

  test('H01 nobody listens', async (context) => {
    const error = await startError(context, `http://127.0.0.1:${closedPort}/mcp?key=very-secret-key`);
    expect(error).toMatchObject({
      code: 'SERVER010',
      message: `server "remote" cannot be reached at http://127.0.0.1:${closedPort}/mcp: the connection was refused (ECONNREFUSED)`,
    });
  });

  test('H01 no such host', async (context) => {
    const error = await startError(context, 'http://no-such-host.invalid/mcp');
    expect(error.code).toBe('SERVER010');
    expect(error.message).toMatch(/at http:\/\/no-such-host\.invalid\/mcp: .*\((?:ENOTFOUND|EAI_AGAIN)\)$/);
  });

  test('H13 a certificate that nobody vouches for', async (context) => {
    const error = await startError(context, `${secure.origin}/ok/tls`);
    expect(error).toMatchObject({
      code: 'SERVER010',
      message: expect.stringMatching(
        /its certificate is not trusted: self-signed certificate.*\(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
      ),
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(secure.log).toEqual([]);
  });

  test('H13 no TLS there', async (context) => {
    const error = await startError(context, `${faults.origin.replace('http:', 'https:')}/ok/tls`);
    expect(error.message).toMatch(/cannot be reached at https:.*: it does not speak TLS there/);
  });
});

describe('a call that comes to nothing', () => {
  test.for([
    ['H01 reset', 'reset', 'crashed', /broke off the connection to .*\(ECONNRESET\), during the call of "act"$/],
    ['H07 the stream ends', 'cut', 'crashed', /ended the event stream without an answer, during/],
    ['H07 the stream breaks off', 'cutOff', 'crashed', /ended the event stream without an answer/],
    ['H07 nor can it be taken up again', 'cutForGood', 'crashed', /ended the event stream without an answer/],
    ['H08 a cut body', 'truncated', 'crashed', /broke off its answer after 22 of 1,000 bytes/],
    ['H09 broken JSON in an event', 'brokenEvent', 'protocol', /^The answer is no message of JSON-RPC: /],
    ['H09 broken JSON', 'brokenJson', 'protocol', /^The answer is no message of JSON-RPC: "\{\\"jsonrpc\\":"\.$/],
    ['an answer to something else', 'otherId', 'protocol', /^The answer does not belong to the request/],
    ['H09 202', 'accepted', 'protocol', /accepted the request \(HTTP 202\) at .* and will not answer it/],
    ['H09 a login page', 'page', 'protocol', /with a web page in place of JSON .*, a page titled "Log in to Sums"/],
    ['plain text', 'plain', 'protocol', /with "text\/plain" in place of .*: "three"/],
    ['H02 the token expired', 'signedOut', 'protocol', /needs sign-in: .*: "The token expired"/],
    ['500', 'crash', 'protocol', /answered HTTP 500 Internal Server Error at .*: "TypeError: x is undefined"/],
    [
      'H05 busy for too long',
      'busyForAnHour',
      'protocol',
      /HTTP 429 .*: "Quota exceeded", to be asked again after 3600/,
    ],
    ['H10 600 MiB', 'big', 'protocol', /^The answer is longer than 32 MiB/],
    ['H10 an event of 600 MiB', 'bigEvent', 'protocol', /^The answer is longer than 32 MiB/],
    ['H10 a bomb', 'bomb', 'protocol', /^The answer is longer than 32 MiB/],
    ['H11 a redirect to another origin', 'elsewhereLater', 'protocol', /to another origin, .*, which is not followed/],
  ] as const)('%s', async ([, mode, kind, text], context) => {
    const { connection, path } = await connect(context, mode);
    const began = performance.now();
    const { error } = await connection.call('act', {}, never);
    expect(performance.now() - began).toBeLessThan(1000);
    expect(error).toMatchObject({ kind, text: expect.stringMatching(text) });
    expect(error?.text).not.toMatch(/secret/);
    await until(() => faults.open(path), 0, 1000);
    // A session that lives goes on; one that died is followed by a new one, once.
    const again = connection.call('act', {}, never);
    if (kind === 'protocol') expect(await again).toMatchObject({ error: { kind } });
    else await expect(again).rejects.toBeInstanceOf(ServerDiedError);
    const starts = faults.log.filter((entry) => entry.path.startsWith(path) && entry.method === 'initialize');
    expect(starts).toHaveLength(kind === 'protocol' ? 1 : 2);
  });

  test('H06 no answer in time, and the request is given up', async (context) => {
    const { connection, path } = await connect(context, 'hang', { callTimeoutMs: 200 });
    const { error } = await connection.call('act', {}, never);
    expect(error).toEqual({ kind: 'timeout', text: 'server "remote" gave no answer to "act" in 0.2 s' });
    await until(() => faults.open(path), 0, 1000);
    const told = faults.log.filter((entry) => entry.path.startsWith(path)).map(({ method }) => method);
    expect(told).toContain('notifications/cancelled');
  });
});

describe('a call that is answered all the same', () => {
  test.for([
    ['H05 after the seconds it asked for', 'busy', /^answered HTTP 429; waited 1 s and asked again$/],
    ['H05 after the date it named', 'busyUntil', /^answered HTTP 503; waited [01]\S* s and asked again$/],
    ['H05 after a while', 'busyOnce', /^answered HTTP 503; waited 0\.\d s and asked again$/],
    ['H07 taken up again where the stream was cut', 'cutThenResumed', null],
    ['a zipped answer', 'zipped', null],
    ['H11 a redirect within the origin', 'moved', null],
  ] as const)('%s', async ([, mode, notice], context) => {
    const server = await connect(context, mode);
    const { result } = await server.connection.call('act', {}, never);
    expect(result?.content).toMatchObject([{ text: expect.stringMatching(/done|resumed/) }]);
    expect(server.notices).toEqual(notice === null ? [] : [expect.stringMatching(notice)]);
  });

  test('H05 a cancelled call does not wait', async (context) => {
    const { connection, path } = await connect(context, 'busyForAWhile');
    const controller = new AbortController();
    const call = connection.call('act', {}, controller.signal);
    await until(() => faults.log.some((entry) => entry.path.startsWith(path) && entry.method === 'tools/call'), true);
    const began = performance.now();
    controller.abort();
    expect((await call).error?.kind).toBe('cancelled');
    expect(performance.now() - began).toBeLessThan(200);
  });

  test('H05 what it waited for is told when the time is up', async (context) => {
    const { connection } = await connect(context, 'busyForAWhile', { callTimeoutMs: 200 });
    const { error } = await connection.call('act', {}, never);
    expect(error?.text).toMatch(/in 0\.2 s; it was waiting, for the server answered HTTP 429$/);
  });

  test('H04 a session lost before anything was done in it is begun anew', async (context) => {
    const { connection } = await connect(context, 'lostOnce');
    expect((await connection.call('act', {}, never)).error).toBeUndefined();
  });

  test('H04 a session lost later is told, for with it went what was done in it', async (context) => {
    const { connection } = await connect(context, 'lostLater');
    expect((await connection.call('act', {}, never)).error).toBeUndefined();
    const { error } = await connection.call('act', {}, never);
    expect(error).toMatchObject({ kind: 'crashed', text: expect.stringMatching(/has lost the session \(HTTP 404 at/) });
    expect((await connection.call('act', {}, never)).error).toBeUndefined();
  });

  test('H04 a session lost for ever is not begun for ever', async (context) => {
    const { connection } = await connect(context, 'lostAlways');
    await expect(connection.call('act', {}, never)).rejects.toBeInstanceOf(ServerDiedError);
  });

  test('H12 a server that does not let go is left', async (context) => {
    const { path, close } = await connect(context, 'endless');
    const began = performance.now();
    await close();
    expect(performance.now() - began).toBeLessThan(2500);
    await until(() => faults.open(path), 0, 500);
  });

  test('H12 the session is ended', async (context) => {
    const { path, close } = await connect(context, 'ok');
    await close();
    const last = faults.log.filter((entry) => entry.path.startsWith(path)).at(-1);
    expect(last).toMatchObject({ http: 'DELETE', headers: { 'mcp-session-id': 's1', authorization: TOKEN } });
  });
});
