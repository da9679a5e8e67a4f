import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/engine/record.ts';
import type { CallOutcome } from '../../../src/engine/servers/index.ts';
import { connect, faultServer, never, type Over, until } from './faultServer.ts';

interface Fault {
  fault: string;
  mode?: string;
  over?: Over;
  /** What the tool `act` does, or a whole call. */
  act?: string;
  call?: { tool: string; args: Json };
  more?: { [key: string]: Json };
  outcome: object;
  /** Kinds that the connection must hold afterwards. */
  violations?: string[];
  /** The call must take less than this. */
  withinMs?: number;
  /** Whether the same process answers the next call; null does not ask. */
  livesOn?: boolean | null;
}

const valid = { argumentsValid: true, resultValid: null };
const said = (text: string): object => ({
  result: { content: [{ type: 'text', text }], isError: false, cut: false },
  ...valid,
});
const failed = (kind: string, text: RegExp): object => ({
  error: { kind, text: expect.stringMatching(text) },
  resultValid: null,
});
const QUICK = { callTimeoutMs: 500 };

const faults: Fault[] = [
  { fault: 'a call', call: { tool: 'echo', args: { text: 'hi' } }, outcome: said('hi') },
  {
    fault: 'a valid structured result',
    call: { tool: 'add', args: { a: 1, b: 2 } },
    outcome: { result: { structured: { sum: 3 }, bytes: 70 }, argumentsValid: true, resultValid: true },
  },
  {
    fault: 'S27 arguments and result that break their schemas',
    call: { tool: 'add', args: { a: 'x', b: 2 } },
    outcome: {
      result: { structured: { sum: 'x2' } },
      argumentsValid: false,
      argumentsProblems: ['/a must be number'],
      resultValid: false,
      resultProblems: ['/sum must be number'],
    },
  },
  {
    fault: 'S27 no structured content where it was promised',
    mode: 'promises',
    call: { tool: 'add', args: { a: 1, b: 2 } },
    outcome: {
      result: { content: [{ type: 'text', text: '3' }] },
      resultValid: false,
      resultProblems: ['missing structured content'],
    },
  },
  {
    fault: 'isError',
    call: { tool: 'fail', args: { text: 'no such city' } },
    outcome: { result: { isError: true }, error: { kind: 'content', text: 'no such city' }, ...valid },
  },
  {
    fault: 'a tool that is not offered',
    call: { tool: 'ecko', args: {} },
    outcome: {
      error: { kind: 'unknownTool', text: 'server "ok" has no tool "ecko"; closest is "echo"' },
      argumentsValid: null,
    },
  },
  { fault: 'arguments that are no object', call: { tool: 'echo', args: 'hi' }, outcome: { argumentsValid: false } },
  {
    fault: 'an error',
    act: 'rpc-error',
    outcome: failed('protocol', /^the database is locked \(JSON-RPC error -32000\)$/),
  },
  {
    fault: 'an error with the code of a time-out',
    act: 'timeout-code',
    outcome: failed('protocol', /upstream took too long/),
  },
  {
    fault: 'invalid arguments',
    act: 'invalid-params',
    outcome: failed('invalidArguments', /city is required \(JSON-RPC error -32602\)/),
  },
  {
    fault: 'S23 a tool the server no longer knows',
    act: 'unknown-tool',
    outcome: failed('unknownTool', /Unknown tool: act/),
  },
  { fault: 'method not found', act: 'method-not-found', outcome: failed('protocol', /-32601/) },
  {
    fault: 'S11 a crash',
    act: 'exit',
    outcome: failed(
      'crashed',
      /^server "ok" exited with code 9 during the call of "act"\. Its last stderr lines:\n {2}about to exit$/,
    ),
    withinMs: 1000,
    livesOn: false,
  },
  {
    fault: 'S12 a crash while a grandchild holds stdout',
    act: 'exit-holding-stdout',
    outcome: failed('crashed', /exited with code 9/),
    withinMs: 1000,
    livesOn: false,
  },
  {
    fault: 'S12 an answer just before an exit',
    act: 'reply-and-exit-holding-stdout',
    outcome: said('last words'),
    livesOn: false,
  },
  {
    fault: 'S12 an error just before an exit',
    act: 'error-and-exit-holding-stdout',
    outcome: failed('protocol', /out of memory/),
    livesOn: false,
  },
  {
    fault: 'S13 stdout closed',
    act: 'close-stdout',
    outcome: failed('crashed', /closed its stdout while it ran on/),
    withinMs: 1000,
    livesOn: false,
  },
  {
    fault: 'a hang',
    act: 'hang',
    over: QUICK,
    outcome: failed('timeout', /^server "ok" gave no answer to "act" in 0\.5 s$/),
  },
  {
    fault: 'S08 a hang after a start of a line',
    act: 'hang-unfinished',
    over: QUICK,
    outcome: failed('timeout', /without a line end: "loading the model\.\.\."/),
  },
  { fault: 'S08 junk glued before the answer', act: 'glued', outcome: said('glued'), violations: ['gluedJunk'] },
  { fault: 'S08 junk glued behind the answer', act: 'glued-behind', outcome: said('glued'), violations: ['gluedJunk'] },
  { fault: 'S08 two messages on a line', act: 'two-on-a-line', outcome: said('second'), violations: ['gluedJunk'] },
  { fault: 'S07 junk lines', act: 'junk', outcome: said('after junk'), violations: ['junk'] },
  {
    fault: 'S09 JSON that is no message',
    act: 'not-json-rpc',
    outcome: said('after others'),
    violations: ['notJsonRpc'],
  },
  {
    fault: 'S09 an answer without "jsonrpc"',
    act: 'no-jsonrpc',
    outcome: failed('protocol', /^The answer is not JSON-RPC 2\.0\.$/),
    violations: ['notJsonRpc', 'badAnswer'],
  },
  { fault: 'S09 bytes that are not UTF-8', act: 'bad-utf8', outcome: said('caf\uFFFD'), violations: ['invalidUtf8'] },
  { fault: 'an id as text', act: 'text-id', outcome: said('by text'), violations: ['badAnswer'] },
  { fault: 'S24 answers to unknown ids', act: 'unknown-id', outcome: said('mine'), violations: ['unknownId'] },
  { fault: 'S24 two answers', act: 'twice', outcome: said('first'), violations: ['secondAnswer'] },
  {
    fault: 'an error that is a text',
    act: 'bad-error',
    outcome: failed('protocol', /it broke/),
    violations: ['notJsonRpc'],
  },
  {
    fault: 'an error code that is no integer',
    act: 'float-code',
    outcome: failed('protocol', /odd code/),
    violations: ['notJsonRpc'],
  },
  {
    fault: 'a malformed _meta',
    act: 'bad-meta',
    outcome: failed('protocol', /malformed _meta: 5/),
    violations: ['badAnswer'],
  },
  {
    fault: 'a result that is no object',
    act: 'no-object',
    outcome: failed('protocol', /result that is no object: "done"/),
    violations: ['badAnswer'],
  },
  { fault: 'S18 11 MB', act: 'big', more: { bytes: 11_000_000 }, outcome: { result: { bytes: 11_000_039 } } },
  {
    fault: 'S18 40 MB',
    act: 'big',
    more: { bytes: 40_000_000 },
    outcome: failed('protocol', /^The answer is longer than 32 MiB, the limit for one message\.$/),
    violations: ['oversizedLine'],
  },
  {
    fault: 'S18 40 MB with the id at the end',
    act: 'big-id-last',
    more: { bytes: 40_000_000 },
    outcome: failed('protocol', /longer than 32 MiB/),
    violations: ['oversizedLine'],
  },
  {
    fault: 'S19 an answer without end',
    act: 'endless',
    outcome: failed('protocol', /longer than 32 MiB/),
    violations: ['oversizedLine'],
    livesOn: null,
  },
  {
    fault: 'T25 60,000 levels',
    act: 'deep',
    outcome: failed('protocol', /nests deeper than 256 levels/),
    violations: ['badAnswer'],
  },
  {
    fault: 'S26 unknown content',
    act: 'hologram',
    outcome: { result: { content: [{ type: 'hologram', data: 'x' }, { text: 'no type' }, 'bare'], isError: false } },
    violations: ['oddResult'],
  },
  {
    fault: 'no tool result',
    act: 'no-content',
    outcome: failed('protocol', /The answer is no tool result: \{"answer":42\}\./),
  },
  {
    fault: 'structured content only',
    act: 'structured-only',
    outcome: { result: { content: [], structured: { sum: 3 } } },
    violations: ['oddResult'],
  },
  {
    fault: 'content that is no list',
    act: 'content-text',
    outcome: { result: { content: ['just text'] } },
    violations: ['oddResult'],
  },
  { fault: '__proto__ is a key like any other', act: 'proto', outcome: { result: { isError: false } } },
  {
    fault: 'S25 progress resets the time-out',
    act: 'progress-then-reply',
    over: QUICK,
    outcome: said('after progress'),
  },
];

describe.concurrent('a call', () => {
  test.for(faults)('$fault', async (row, context) => {
    const {
      mode = 'ok',
      over,
      act,
      call = { tool: 'act', args: { what: act ?? '', ...row.more } },
      livesOn = true,
    } = row;
    const { connection } = await connect(context, faultServer(mode, over));
    const pid = await connection.call('pid', {}, never);
    const start = performance.now();
    const outcome: CallOutcome = await connection.call(call.tool, call.args, never);
    expect(performance.now() - start).toBeLessThan(row.withinMs ?? 10_000);
    expect(outcome).toMatchObject(row.outcome);
    expect(connection.violations.map(({ kind }) => kind)).toEqual(row.violations ?? []);
    if (livesOn === null) return;
    // An exit may follow an answer.
    if (!livesOn) await new Promise((resolve) => setTimeout(resolve, 500));
    const next = await connection.call('pid', {}, never);
    expect(next.error).toBeUndefined();
    if (livesOn) expect(next.result).toEqual(pid.result);
    else expect(next.result).not.toEqual(pid.result);
  });

  test('polluted nothing', async (context) => {
    const { connection } = await connect(context, faultServer('ok'));
    const { result } = await connection.call('act', { what: 'proto' }, never);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(JSON.stringify(result?.structured)).toBe('{"__proto__":{"polluted":1}}');
    expect('polluted' in {}).toBe(false);
  });
});

describe.concurrent('a cancelled call', () => {
  test('returns at once, tells the server, and takes no late answer for a violation', async (context) => {
    const { connection } = await connect(context, faultServer('ok'));
    const controller = new AbortController();
    const call = connection.call('act', { what: 'late' }, controller.signal);
    setTimeout(() => controller.abort(), 50);
    const start = performance.now();
    expect(await call).toMatchObject({ error: { kind: 'cancelled' } });
    expect(performance.now() - start).toBeLessThan(600);
    const { result } = await connection.call('act', { what: 'cancelled' }, never);
    expect(result?.content).toEqual([{ type: 'text', text: expect.stringMatching(/^\[\d+\]$/) }]);
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(connection.violations).toEqual([]);
  });

  test('is not sent when the signal is aborted already', async (context) => {
    const { connection } = await connect(context, faultServer('ok'));
    expect(await connection.call('echo', {}, AbortSignal.abort())).toMatchObject({ error: { kind: 'cancelled' } });
    expect((await connection.call('count', {}, never)).result?.content).toEqual([{ type: 'text', text: '1' }]);
  });

  test('an abort after the answer cancels nothing', async (context) => {
    const { connection } = await connect(context, faultServer('ok'));
    const controller = new AbortController();
    await connection.call('echo', { text: 'x' }, controller.signal);
    controller.abort();
    expect((await connection.call('act', { what: 'cancelled' }, never)).result?.content).toEqual([
      { type: 'text', text: '[]' },
    ]);
  });
});

describe.concurrent('a server that speaks up', () => {
  test('S23 a changed list is read again before the call returns', async (context) => {
    const { connection } = await connect(context, faultServer('ok'));
    expect(connection.toolListChanged).toBe(false);
    await connection.call('act', { what: 'change-list' }, never);
    expect(connection.toolListChanged).toBe(true);
    const names = connection.tools.map(({ name }) => name);
    expect(names).toContain('extra');
    expect(names).not.toContain('fail');
    expect(await connection.call('fail', {}, never)).toMatchObject({ error: { kind: 'unknownTool' } });
  });

  test('S23 a list that changes for ever is given up', async (context) => {
    const { connection } = await connect(context, faultServer('ok'));
    await connection.call('act', { what: 'change-list-for-ever' }, never);
    await until(() => connection.violations.map(({ kind }) => kind), ['toolListChanges']);
  });

  test('S28 gets its questions declined at once', async (context) => {
    const { connection } = await connect(context, faultServer('ok'));
    const { result } = await connection.call('act', { what: 'asks' }, never);
    const [block] = result?.content ?? [];
    expect(JSON.parse((block as { text: string }).text)).toEqual({
      'ask-0': { action: 'decline' },
      'ask-1': { code: -1, message: expect.stringContaining('Sampling was declined') },
      'ask-2': { roots: [] },
      'ask-3': { code: -32601, message: expect.stringContaining('Method not found') },
    });
    expect(connection.violations).toMatchObject([{ kind: 'clientRequest', count: 4 }]);
  });
});
