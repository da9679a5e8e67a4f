import { getEventListeners } from 'node:events';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { McproveError } from '../../../src/engine/errors.ts';
import type { Lease } from '../../../src/engine/servers/connection.ts';
import { hangs, memoryPool, says } from './memoryPool.ts';
import { aReply, asks, mockModel, script, scripted, speaks, tryCase } from './tryCase.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Rejects nothing and returns at once how long something took. */
async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const begin = performance.now();
  const value = await work;
  return { value, ms: performance.now() - begin };
}

function cancelAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

const deaf = () => memoryPool({ name: 's', tools: { wait: hangs, quick: () => says('here') } });

describe('the timeout', () => {
  test('ends a model that never answers', async () => {
    const { value, ms } = await timed(tryCase(deaf(), { timeoutMs: 40 }, { model: mockModel('hang') }));
    expect(value.transcript.end).toEqual({
      kind: 'limit',
      limit: 'timeout',
      text: 'the timeout of 0.04 s passed while the model was answering',
    });
    expect(value.transcript.steps[0]?.replies).toEqual([]);
    expect(ms).toBeLessThan(1000);
  });

  test('ends a tool that never answers; what else was done is kept', async () => {
    const pool = deaf();
    const { value, ms } = await timed(
      tryCase(pool, { timeoutMs: 40, script: script({ calls: ['quick', 'wait'] }, { say: 'never' }) }),
    );
    const text = 'the timeout of 0.04 s passed while wait ran';
    expect(value.transcript.end).toEqual({ kind: 'limit', limit: 'timeout', text });
    expect(value.transcript.steps[0]?.calls).toMatchObject([
      { tool: 'quick', result: { isError: false } },
      { tool: 'wait', error: { kind: 'cancelled', text: `not finished: ${text}` } },
    ]);
    expect(value.transcript.steps[0]?.calls[1]?.durationMs).toBeGreaterThan(0);
    expect(value.events.filter((event) => event.type === 'callEnded')).toHaveLength(2);
    expect(pool.leases).toEqual({ taken: 1, released: 1 });
    expect(ms).toBeLessThan(1000);
  });

  test('ends the runner’s own call', async () => {
    const subject = { kind: 'tool' as const, at: '', tool: 'wait', arguments: {}, expect: null };
    const { transcript } = await tryCase(deaf(), { timeoutMs: 40, subject });
    expect(transcript.end).toMatchObject({ kind: 'limit', limit: 'timeout' });
    expect(transcript.steps[0]?.calls).toMatchObject([{ tool: 'wait', error: { kind: 'cancelled' } }]);
  });

  test('of more than 24.8 days does not fire at once', async () => {
    const slow = () => new Promise<ReturnType<typeof says>>((resolve) => setTimeout(() => resolve(says('x')), 30));
    const pool = memoryPool({ name: 's', tools: { slow } });
    const { transcript } = await tryCase(pool, {
      timeoutMs: 2 ** 40,
      script: script({ calls: ['slow'] }, { say: 'hi' }),
    });
    expect(transcript.end).toEqual({ kind: 'completed' });
  });

  test('does not run while the servers start', async () => {
    const pool = deaf();
    const { lease } = pool;
    const slow = async (signal: AbortSignal) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return lease.call(pool, signal);
    };
    const { transcript, durationMs } = await tryCase(
      { ...pool, lease: slow },
      { timeoutMs: 50, script: script({ say: 'hi' }) },
    );
    expect(transcript.end).toEqual({ kind: 'completed' });
    expect(durationMs).toBeLessThan(50);
  });
});

describe('cancelling', () => {
  test.each([
    [
      'a model that never answers',
      { script: null },
      mockModel('hang'),
      'model',
      'cancelled while the model was answering',
    ],
    [
      'a tool that never answers',
      { script: null },
      mockModel(aReply([asks('wait', '{}')])),
      'call',
      'cancelled while wait ran',
    ],
  ])('obeys at once: %s', async (_, testCase, model, stage, text) => {
    const pool = deaf();
    const { value, ms } = await timed(tryCase(pool, testCase, { model, signal: cancelAfter(30) }));
    expect(value.transcript.end).toEqual({ kind: 'cancelled', reason: { stage, cause: 'user', text } });
    expect(ms).toBeLessThan(1000);
    expect(pool.leases).toEqual({ taken: 1, released: 1 });
  });

  test('before the start, nothing is started', async () => {
    const pool = deaf();
    const model = mockModel(aReply([speaks('hi')]));
    const { transcript } = await tryCase(pool, {}, { model, signal: AbortSignal.abort() });
    expect(transcript.end).toMatchObject({ kind: 'cancelled', reason: { stage: 'connect', cause: 'user' } });
    expect(pool.leases.taken).toBe(0);
    expect(model.prompts()).toEqual([]);
  });

  test('while servers start; a lease that comes too late is given back', async () => {
    const pool = deaf();
    let arrive: (lease: Lease) => void = () => undefined;
    const late = new Promise<Lease>((resolve) => {
      arrive = resolve;
    });
    const attempt = await tryCase({ ...pool, lease: () => late }, {}, { signal: cancelAfter(20) });
    expect(attempt.transcript.end).toMatchObject({ kind: 'cancelled', reason: { stage: 'connect' } });
    arrive(await pool.lease(new AbortController().signal));
    await vi.waitFor(() => expect(pool.leases).toEqual({ taken: 1, released: 1 }));
  });

  test('no call begins after it', async () => {
    const controller = new AbortController();
    const pool = memoryPool({
      name: 's',
      tools: {
        stop: () => {
          controller.abort();
          return says('stopped');
        },
        next: () => says('next'),
      },
    });
    const model = mockModel(aReply([asks('stop', '{}', 'a'), asks('next', '{}', 'b')]), aReply([asks('next', '{}')]));
    const { transcript } = await tryCase(pool, {}, { model, signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(transcript.end.kind).toBe('cancelled');
    expect(pool.received.map(({ tool }) => tool)).toEqual(['stop']);
    expect(model.prompts()).toHaveLength(1);
    expect(transcript.steps[0]?.calls[1]).toMatchObject({ tool: 'next', durationMs: 0, error: { kind: 'cancelled' } });
  });
});

test('what comes after the end changes nothing', async () => {
  let answer: (outcome: ReturnType<typeof says>) => void = () => undefined;
  const pool = memoryPool({
    name: 's',
    tools: {
      late: () =>
        new Promise<ReturnType<typeof says>>((resolve) => {
          answer = resolve;
        }),
    },
  });
  const { transcript, events } = await tryCase(pool, {
    timeoutMs: 30,
    script: script({ calls: ['late'] }, { say: 'x' }),
  });
  const [before, told] = [JSON.stringify(transcript), events.length];
  answer(says('too late'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(JSON.stringify(transcript)).toBe(before);
  expect(events).toHaveLength(told);
});

test('a reply that comes after the end is not taken up', async () => {
  let answer: () => void = () => undefined;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const mock = new MockLanguageModelV4({ doGenerate: () => late.then(() => aReply([asks('quick', '{}')])) });
  const pool = deaf();
  const { events } = await tryCase(pool, { timeoutMs: 30 }, { model: { ...scripted, forTrial: async () => mock } });
  answer();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(events).toEqual([]);
  expect(pool.received).toEqual([]);
});

test.each([
  ['does not get ready', { ...scripted, forTrial: hangs }],
  [
    'does not say what it supports',
    { ...scripted, forTrial: async () => new MockLanguageModelV4({ supportedUrls: hangs }) },
  ],
])('a model that %s holds nobody up', async (_, model) => {
  const { transcript } = await tryCase(deaf(), { timeoutMs: 30 }, { model });
  expect(transcript.end).toMatchObject({ kind: 'limit', limit: 'timeout' });
});

test('nothing is left listening to the run’s signal, and no timer runs on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { signal } = new AbortController();
  await tryCase(deaf(), { script: script({ calls: ['quick'] }, { say: 'done' }) }, { signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(vi.getTimerCount()).toBe(0);
});

describe('a server that fails for good', () => {
  class StageError extends McproveError {
    readonly stage: string;
    constructor(stage: string) {
      super('SERVER009', 'server "s" died twice', { hint: 'See its stderr.' });
      this.stage = stage;
    }
  }

  test.each(['call', 'connect'])('ends the trial at stage %s', async (stage) => {
    const pool = memoryPool({
      name: 's',
      tools: {
        die: () => {
          throw new StageError(stage);
        },
      },
    });
    const { transcript, events } = await tryCase(pool, { script: script({ calls: ['die'] }, { say: 'never' }) });
    const text = 'server "s" died twice. See its stderr.';
    expect(transcript.end).toEqual({ kind: 'errored', reason: { stage, cause: 'server', text } });
    expect(transcript.steps[0]?.calls).toMatchObject([{ error: { kind: 'crashed', text } }]);
    expect(transcript.steps[0]?.replies).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'callEnded', error: { kind: 'crashed' } });
    expect(pool.leases).toEqual({ taken: 1, released: 1 });
  });

  test.each([
    [new StageError('discover'), 'discover'],
    [new McproveError('SERVER001', 'no such command'), 'connect'],
  ])('%s: a trial without its servers is errored', async (error, stage) => {
    const pool = { ...deaf(), lease: () => Promise.reject(error) };
    const { transcript } = await tryCase(pool, { script: script({ say: 'hi' }) });
    expect(transcript).toMatchObject({
      offered: [],
      steps: [],
      end: { kind: 'errored', reason: { stage, cause: 'server' } },
    });
  });
});

describe('an error of our own is thrown, not written down as anybody’s failure', () => {
  const bug = new TypeError('a bug');
  const throwBug = () => {
    throw bug;
  };

  test('in a connection', async () => {
    const pool = memoryPool({ name: 's', tools: { t: throwBug } });
    await expect(tryCase(pool, { script: script({ calls: ['t'] }) })).rejects.toBe(bug);
    expect(pool.leases).toEqual({ taken: 1, released: 1 });
  });

  test('in the pool', async () => {
    await expect(tryCase({ ...deaf(), lease: () => Promise.reject(bug) }, {})).rejects.toBe(bug);
  });

  test.each(['reply', 'callStarted', 'callEnded'])('in a listener, at %s', async (type) => {
    const onEvent = (event: { type: string }) => (event.type === type ? throwBug() : undefined);
    await expect(tryCase(deaf(), { script: script({ calls: ['quick'] }) }, { onEvent })).rejects.toBe(bug);
  });

  test('in the question whether the route is met', async () => {
    const testCase = { execute: 'untilExpected' as const, script: script({ calls: ['quick'] }) };
    await expect(tryCase(deaf(), testCase, { routeMet: throwBug })).rejects.toBe(bug);
  });

  test('in what makes the model', async () => {
    const model = { ...scripted, forTrial: () => Promise.reject(bug) };
    await expect(tryCase(deaf(), {}, { model })).rejects.toBe(bug);
  });

  test('a prompt without a model', async () => {
    await expect(tryCase(deaf(), {}, { model: null })).rejects.toThrow('has a prompt, but no model');
  });
});
