import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/engine/record.ts';
import { planRun } from '../../../src/engine/runs/plan.ts';
import { openRun } from '../../../src/engine/runs/read.ts';
import { Redactor } from '../../../src/engine/runs/redact.ts';
import { runSuite } from '../../../src/engine/runs/run.ts';
import type { RunResult } from '../../../src/engine/runs/runInput.ts';
import type { Case } from '../../../src/engine/suite/model.ts';
import { sampleCase, sampleSuite } from '../../unit/runs/samples.ts';
import { type FaultServer, faultServer, gone, marked } from '../servers/faultServer.ts';

const root = mkdtempSync(join(tmpdir(), 'mcprove-servers-'));
afterAll(() => rmSync(root, { recursive: true }));
let workspaces = 0;

async function run(
  cases: readonly Case[],
  server: FaultServer,
  options: { signal?: AbortSignal; redactor?: Redactor; concurrency?: number; onEvent?(event: RunEvent): void } = {},
): Promise<RunResult & { events: RunEvent[] }> {
  const workspace = join(root, `${workspaces++}`);
  const suite = sampleSuite(cases, { workspace, file: join(workspace, 'sums.eval.yaml') });
  const events: RunEvent[] = [];
  const result = await runSuite({
    plan: planRun(suite, {}, {}, { env: {}, platform: 'linux' }),
    suite,
    servers: [server],
    redactor: options.redactor ?? new Redactor(),
    env: process.env,
    concurrency: options.concurrency ?? 8,
    signal: options.signal ?? new AbortController().signal,
    facts: { toolVersion: '0.1.0', origin: 'cli', note: null, git: null, ci: null },
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  return { ...result, events };
}

function calling(id: string, tool: string, args: Record<string, string | number>, change: Partial<Case> = {}): Case {
  const at = `/cases/${id}`;
  return sampleCase(id, {
    route: { at: `${at}/calls`, expected: [{ at: `${at}/calls/0`, tool, count: null }] },
    script: [
      { at, say: null, calls: [{ tool, arguments: args }], fails: null },
      { at, say: 'Done.', calls: [], fails: null },
    ],
    ...change,
  });
}

test('a run against a real server leaves its file and no process', async () => {
  const server = faultServer('ok');
  const { end, file } = await run(
    [calling('sum', 'add', { a: 1, b: 2 }, { trials: 20 }), calling('bad', 'fail', {})],
    server,
  );
  expect(marked(server.mark)).toEqual([]);
  expect(end).toMatchObject({ decision: 'failed', totals: { passed: 20, failed: 1 } });
  expect(end.servers).toMatchObject([{ name: 'ok', version: '1.2.3', protocol: '2025-11-25' }]);
  const opened = await openRun(file);
  expect(opened.notes).toEqual([]);
  expect((await opened.trial('sum#20'))?.transcript.steps[0]?.calls[0]?.result?.structured).toEqual({ sum: 3 });
});

test('a server that does not start errors every trial with its last words, redacted', async () => {
  const redactor = new Redactor();
  redactor.add('stderr line 30');
  const server = faultServer('exit');
  const { end, file } = await run([sampleCase('a', { trials: 3 })], server, { redactor });
  expect(end).toMatchObject({ decision: 'inconclusive', totals: { errored: 3 } });
  const text = await readFile(file, 'utf8');
  expect(text).toContain('stderr line 29');
  expect(text).not.toContain('stderr line 30');
  expect(marked(server.mark)).toEqual([]);
});

describe('cancel during a call', () => {
  test.each([
    { mode: 'ok', limitMs: 1000 },
    { mode: 'grandchildren', limitMs: 1500 },
    { mode: 'ignores-eof', limitMs: 2000 },
    { mode: 'stubborn', limitMs: 3500 },
  ])('of a server that is $mode', async ({ mode, limitMs }) => {
    const server = faultServer(mode);
    const controller = new AbortController();
    let cancelledAt = 0;
    const cases = [calling('quick', 'add', { a: 1, b: 2 }), calling('slow', 'sleep', { ms: 60_000 }, { trials: 20 })];
    const { end, events, file } = await run(cases, server, {
      signal: controller.signal,
      onEvent: (event) => {
        // `quick` has ended by the time the ninth trial's call begins: eight run at once.
        if (event.type !== 'callStarted' || event.trial !== 'slow#8') return;
        cancelledAt = performance.now();
        setTimeout(() => controller.abort('Ctrl-C'), 0);
      },
    });
    expect(performance.now() - cancelledAt).toBeLessThan(limitMs);
    await gone(server.mark, 0);
    expect(end).toMatchObject({ decision: 'cancelled', totals: { passed: 1, cancelled: 8, pending: 12 } });
    expect(end.reasons).toContain('The reason given: Ctrl-C.');
    const opened = await openRun(file);
    expect(opened).toMatchObject({ end, notes: [] });
    expect((await opened.trial('quick#1'))?.verdict).toBe('passed');
    const told = events.map(({ type }) => type);
    expect(told.at(-1)).toBe('ended');
    expect(told.filter((type) => type === 'trialStarted')).toHaveLength(9);
  });

  test('while the server starts', async () => {
    const server = faultServer('mute');
    const controller = new AbortController();
    const { end } = await run([sampleCase('a', { trials: 3 })], server, {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'trialStarted' && event.trial.number === 3) setTimeout(() => controller.abort(), 100);
      },
    });
    expect(end).toMatchObject({ decision: 'cancelled', totals: { cancelled: 3 } });
    await gone(server.mark, 0);
  });
});

test('a server that dies in a call is started again, and the trial graded', async () => {
  const server = faultServer('ok');
  const { end, file } = await run(
    [calling('a', 'act', { what: 'exit' }), calling('b', 'echo', { text: 'x' })],
    server,
    { concurrency: 1 },
  );
  expect(end.totals).toMatchObject({ passed: 1, failed: 1 });
  const call = (await (await openRun(file)).trial('a#1'))?.transcript.steps[0]?.calls[0];
  expect(call?.error).toMatchObject({ kind: 'crashed', text: expect.stringContaining('about to exit') });
  expect(marked(server.mark)).toEqual([]);
});
