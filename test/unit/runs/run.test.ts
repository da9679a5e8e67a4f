import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { McproveError } from '../../../src/engine/errors.ts';
import type { RunEvent } from '../../../src/engine/record.ts';
import { type Overrides, planRun } from '../../../src/engine/runs/plan.ts';
import { openRun } from '../../../src/engine/runs/read.ts';
import { REDACTED, Redactor } from '../../../src/engine/runs/redact.ts';
import { runSuite } from '../../../src/engine/runs/run.ts';
import type { RunInput, RunResult } from '../../../src/engine/runs/runInput.ts';
import type { Case, Suite } from '../../../src/engine/suite/model.ts';
import { modelNamed } from '../../../src/engine/suite/modelId.ts';
import { type MemoryPool, memoryPool } from './memoryPool.ts';
import { sampleCase, sampleSuite } from './samples.ts';

let workspace = '';
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'mcprove-run-'));
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

const adder = () => memoryPool({ add: ({ a, b }) => Number(a) + Number(b) });

interface Ran extends RunResult {
  events: RunEvent[];
  pool: MemoryPool;
}

type Change = Partial<Omit<RunInput, 'plan' | 'suite' | 'onEvent'>> & {
  pool?: MemoryPool;
  suite?: Partial<Suite>;
  overrides?: Overrides;
  onEvent?(event: RunEvent): void;
};

async function run(cases: readonly Case[], change: Change = {}): Promise<Ran> {
  const { pool = adder(), suite: suiteChange, overrides = {}, onEvent = () => {}, ...more } = change;
  const suite = sampleSuite(cases, { workspace, file: join(workspace, 'evals', 'sums.eval.yaml'), ...suiteChange });
  const env = more.env ?? {};
  const events: RunEvent[] = [];
  const result = await runSuite({
    plan: planRun(suite, {}, overrides, { env, platform: 'linux' }),
    suite,
    servers: [],
    redactor: new Redactor(),
    env,
    signal: new AbortController().signal,
    facts: { toolVersion: '0.1.0', origin: 'cli', note: 'try', git: null, ci: null },
    createPool: () => pool,
    ...more,
    onEvent: (event) => {
      events.push(event);
      onEvent(event);
    },
  });
  return { ...result, events, pool };
}

/** A case whose script calls other tools than expected. */
function failing(id: string, change: Partial<Case> = {}): Case {
  const at = `/cases/${id}/calls`;
  return sampleCase(id, { route: { at, expected: [{ at: `${at}/0`, tool: 'subtract', count: null }] }, ...change });
}

function script(...calls: { tool: string; arguments: Record<string, string | number> }[]): Case['script'] {
  return [
    { at: '', say: null, calls, fails: null },
    { at: '', say: 'Done.', calls: [], fails: null },
  ];
}

function types(events: readonly RunEvent[]): string[] {
  return events.map((event) =>
    'trial' in event && typeof event.trial === 'string' ? `${event.type} ${event.trial}` : event.type,
  );
}

describe('a run', () => {
  test('tells what is planned, what goes on and how it ended, in this order', async () => {
    const { events, head, end, file, pool } = await run([sampleCase('a')]);
    expect(types(events)).toEqual([
      'planned',
      'trialStarted',
      'reply a#1',
      'callStarted a#1',
      'callEnded a#1',
      'reply a#1',
      'trialEnded',
      'ended',
    ]);
    expect(events[0]).toEqual({ type: 'planned', head, trials: [expect.objectContaining({ id: 'a#1' })], file });
    expect(events.at(-1)).toEqual({ type: 'ended', end, head, file });
    expect(head).toMatchObject({
      suite: { path: 'evals/sums.eval.yaml', name: 'sums' },
      planned: { trials: 1, cells: 1 },
      models: ['scripted'],
      note: 'try',
    });
    expect(end).toMatchObject({ decision: 'passed', totals: { planned: 1, passed: 1 }, servers: [{ name: 'sums' }] });
    expect([pool.leased, pool.released]).toEqual([1, 1]);
    expect(pool.closed).toBeGreaterThan(0);
  });

  test('stands in its file as it was told', async () => {
    const cases = [sampleCase('a', { trials: 3 }), failing('b'), sampleCase('c', { skip: 'later' })];
    const { events, head, end, file } = await run(cases);
    const opened = await openRun(file);
    expect(opened).toMatchObject({ head, end, notes: [] });
    expect(head.skipped).toEqual([{ cell: 'c', reason: 'later' }]);
    expect(end).toMatchObject({
      decision: 'failed',
      failedChecks: { calls: 1 },
      totals: { planned: 4, passed: 3, failed: 1 },
    });
    const told = events.flatMap((event) => (event.type === 'trialEnded' ? [event.trial] : []));
    expect(told).toHaveLength(4);
    for (const trial of told) expect(await opened.trial(trial.id)).toEqual(trial);
  });

  test('warns once of what all its trials have in common', async () => {
    const tools: Case['tools'] = { allow: null, deny: ['substract', 'drop_*'], readOnly: false };
    const { end, file } = await run([sampleCase('a', { tools, trials: 3 }), sampleCase('b', { tools })]);
    expect(end).toMatchObject({
      decision: 'passed',
      warnings: ['tools.deny: no server offers substract.', 'tools.deny: no tool of any server fits drop_*.'],
    });
    const trial = await (await openRun(file)).trial('a#1');
    expect(trial).not.toHaveProperty('warnings');
  });

  test('lists so many warnings, and counts the others', async () => {
    const deny = Array.from({ length: 25 }, (_, index) => `none_${index}`);
    const { end } = await run([sampleCase('a', { tools: { allow: null, deny, readOnly: false } })]);
    expect(end.warnings).toHaveLength(21);
    expect(end.warnings.at(-1)).toBe('And 5 more of this kind.');
  });

  test('runs tools without a model and reads traces', async () => {
    const tool: Case['subject'] = {
      kind: 'tool',
      at: '',
      tool: 'add',
      arguments: { a: 1, b: 2 },
      expect: { at: '', json: 3 },
    };
    const trace: Case['subject'] = { kind: 'trace', at: '', path: join(workspace, 'none.json') };
    const bare = { route: null, script: null };
    const { end, pool } = await run([
      sampleCase('t', { ...bare, subject: tool }),
      sampleCase('f', { ...bare, subject: trace }),
    ]);
    expect(end.cells.map(({ name, totals }) => [name, totals.passed, totals.errored])).toEqual([
      ['t', 1, 0],
      ['f', 0, 1],
    ]);
    expect(pool.leased).toBe(1);
  });

  test('fills placeholders for each trial', async () => {
    const testCase = sampleCase('a', {
      trials: 2,
      requires: { env: ['PLACE'], os: [] },
      script: script({ tool: 'note', arguments: { text: '{{trial.id}} in {{env.PLACE}}' } }),
      route: null,
      assertions: [
        { kind: 'noToolErrors', value: null, at: '', label: 'noToolErrors', role: 'required', inherited: false },
      ],
    });
    const seen: unknown[] = [];
    const pool = memoryPool({ note: ({ text }) => seen.push(text) });
    await run([testCase], { pool, env: { PLACE: 'Berlin' } });
    expect(seen.sort()).toEqual(['a#1 in Berlin', 'a#2 in Berlin']);
  });

  test('is refused for a model that cannot be had, and leaves no file', async () => {
    const models = [modelNamed('acme/one')];
    await expect(run([sampleCase('a')], { suite: { models } })).rejects.toMatchObject({ code: 'MODEL001' });
    expect(await readdir(workspace)).toEqual([]);
  });
});

describe('a trial that cannot be carried out', () => {
  test('by its server is errored with the stage', async () => {
    const pool = adder();
    pool.lease = async () => {
      throw new McproveError('SERVER001', 'server "sums" exited with code 3');
    };
    const { end } = await run([sampleCase('a')], { pool });
    expect(end).toMatchObject({ decision: 'inconclusive', totals: { errored: 1 } });
  });

  test('by a bug of ours is errored and told, and the others go on', async () => {
    const pool = adder();
    const lease = pool.lease;
    pool.lease = async (signal) => {
      if (pool.leased++ === 0) throw new TypeError('x is not a function');
      return lease(signal);
    };
    const { end, file, events } = await run([sampleCase('a'), sampleCase('b')], { pool, concurrency: 1 });
    expect(end.totals).toMatchObject({ errored: 1, passed: 1 });
    expect((await (await openRun(file)).trial('a#1'))?.reason).toMatchObject({
      stage: 'harness',
      cause: 'harness',
      text: expect.stringMatching(/a bug in mcprove: TypeError: x is not a function \(at /),
    });
    expect(events).toContainEqual({ type: 'notice', level: 'error', text: expect.stringMatching(/^a#1: a bug/) });
  });

  test('by a missing variable is errored as configuration', async () => {
    const { end, file } = await run([sampleCase('a', { system: '{{env.GONE}}' }), sampleCase('b')]);
    expect(end.totals).toMatchObject({ errored: 1, passed: 1 });
    expect((await (await openRun(file)).trial('a#1'))?.reason).toMatchObject({ stage: 'config', cause: 'config' });
  });
});

test('a trial too large for the file loses its transcript, and the others go on', { timeout: 30_000 }, async () => {
  const say = 'x'.repeat(65 * 1024 * 1024);
  const large = sampleCase('a', { route: null, assertions: always, script: [{ at: '', say, calls: [], fails: null }] });
  const { end, file, events } = await run([{ ...large, route: { at: '', expected: [] } }, sampleCase('b')]);
  expect(end).toMatchObject({ decision: 'inconclusive', totals: { errored: 1, passed: 1 } });
  const opened = await openRun(file);
  expect(opened).toMatchObject({ end, notes: [] });
  expect(await opened.trial('a#1')).toMatchObject({
    verdict: 'errored',
    reason: { stage: 'storage', text: expect.stringMatching(/too large/) },
    transcript: { steps: [] },
  });
  expect(events.filter(({ type }) => type === 'notice')).toHaveLength(1);
});

describe('a run that is cancelled', () => {
  async function cancelled(reason?: string): Promise<Ran> {
    const controller = new AbortController();
    const pool = memoryPool({ add: (_, signal) => hanging(signal) });
    let calls = 0;
    return run([sampleCase('a', { trials: 10 })], {
      pool,
      concurrency: 3,
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'callStarted' && ++calls === 3) queueMicrotask(() => controller.abort(reason));
      },
    });
  }

  test('starts nothing more, keeps what ended and says who stopped it', async () => {
    const { end, file, events, pool } = await cancelled();
    expect(end).toMatchObject({ decision: 'cancelled', totals: { planned: 10, cancelled: 3, pending: 7 } });
    expect(end.reasons).toHaveLength(1);
    expect(types(events).filter((type) => type === 'trialStarted')).toHaveLength(3);
    expect([pool.leased, pool.released]).toEqual([3, 3]);
    const opened = await openRun(file);
    expect(opened.entries.map(({ verdict }) => verdict)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect((await opened.trial('a#1'))?.reason).toMatchObject({ cause: 'user' });
  });

  test('keeps the reason that was given', async () => {
    expect((await cancelled('the window was closed')).end.reasons).toContain(
      'The reason given: the window was closed.',
    );
  });

  test('before anything starts has only pending trials', async () => {
    const { end, pool } = await run([sampleCase('a', { trials: 2 })], { signal: AbortSignal.abort() });
    expect(end).toMatchObject({ decision: 'cancelled', totals: { pending: 2 } });
    expect(pool.leased).toBe(0);
  });

  test('after its last trial ended is not cancelled', async () => {
    const controller = new AbortController();
    const { end } = await run([sampleCase('a')], {
      signal: controller.signal,
      onEvent: (event) => void (event.type === 'trialEnded' && controller.abort()),
    });
    expect(end.decision).toBe('passed');
  });
});

function hanging(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

describe('bail', () => {
  test('ends the run after so many failed cells and cancels what runs', async () => {
    const slow = sampleCase('slow', { script: script({ tool: 'hang', arguments: {} }), route: null });
    const cases = [
      slow,
      failing('b'),
      failing('c'),
      ...Array.from({ length: 10 }, (_, index) => sampleCase(`d${index}`)),
    ];
    const pool = memoryPool({ add: () => 3, hang: (_, signal) => hanging(signal) });
    const { end, file } = await run(
      cases.map((each) => ({ ...each, assertions: always })),
      { pool, concurrency: 2, bail: 2 },
    );
    expect(end).toMatchObject({ decision: 'failed', totals: { failed: 2, cancelled: 1, pending: 10 } });
    expect((await (await openRun(file)).trial('slow#1'))?.reason?.text).toMatch(/^stopped by --bail 2: cancelled/);
  });

  test('waits until the bar of a cell is out of reach', async () => {
    const cases = [failing('a', { trials: 4, pass: 0.5 }), sampleCase('b', { trials: 5 })];
    const { end } = await run(cases, { concurrency: 1, bail: 1 });
    expect(end.totals).toMatchObject({ failed: 3, passed: 0, pending: 6 });
  });
});

const always: Case['assertions'] = [
  { kind: 'noToolErrors', value: null, at: '/always', label: 'noToolErrors', role: 'required', inherited: false },
];

test('an error of the listener ends the run and is thrown on; what was written stays', async () => {
  const pool = adder();
  const listening = run([sampleCase('a', { trials: 100 })], {
    pool,
    concurrency: 1,
    onEvent: (event) => {
      if (event.type === 'trialEnded' && event.trial.number === 3) throw new Error('the terminal is gone');
    },
  });
  await expect(listening).rejects.toThrow('the terminal is gone');
  expect(pool.closed).toBeGreaterThan(0);
  const folder = join(workspace, '.mcprove', 'runs');
  const [name = ''] = await readdir(folder);
  const opened = await openRun(join(folder, name));
  expect(opened.notes).toEqual([]);
  expect(opened.entries.length).toBeGreaterThanOrEqual(3);
  // Trials that ran while the third was on its way to the disk, but not all of them.
  expect(opened.end?.totals).toMatchObject({ passed: opened.entries.length, pending: 100 - opened.entries.length });
  expect(opened.end?.totals.pending).toBeGreaterThan(0);
});

test('secrets of servers and cases are in no event and not on the disk', async () => {
  const redactor = new Redactor();
  redactor.add('server-secret-1');
  const pool = memoryPool({
    add: ({ key }) => ({
      echoed: key ?? null,
      leaked: `Bearer ${Buffer.from('x:server-secret-1').toString('base64')}`,
    }),
  });
  const testCase = sampleCase('a', {
    requires: { env: ['API_TOKEN', 'PORT'], os: [] },
    script: script({ tool: 'add', arguments: { key: '{{env.API_TOKEN}}', port: '{{env.PORT}}' } }),
  });
  const env = { API_TOKEN: 'case-secret-22', PORT: '300012345' };
  const { events, file, end } = await run([testCase], { pool, redactor, env });
  expect(end.decision).toBe('passed');
  for (const text of [JSON.stringify(events), await readFile(file, 'utf8')]) {
    expect(text).toContain(REDACTED);
    expect(text).toContain('300012345');
    expect(text).not.toMatch(/server-secret-1|case-secret-22/);
    expect(text).not.toContain(Buffer.from('server-secret').toString('base64').slice(2, -2));
  }
});

test('many trials at once share syncs and all end up in the file', async () => {
  const { end, file } = await run([sampleCase('a', { trials: 300 })], { concurrency: 50 });
  expect(end.totals.passed).toBe(300);
  expect((await openRun(file)).entries).toHaveLength(300);
});
