import { APICallError } from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { Gate } from '../../../src/engine/models/limits/index.ts';
import { hangs, memoryPool, says } from './memoryPool.ts';
import { aReply, asks, mockModel, script, speaks, tryCase } from './tryCase.ts';

function refused(statusCode: number, retryAfterMs?: number): APICallError {
  return new APICallError({
    message: 'no',
    url: 'http://h/v1',
    requestBodyValues: {},
    statusCode,
    ...(retryAfterMs === undefined ? {} : { responseHeaders: { 'retry-after-ms': String(retryAfterMs) } }),
  });
}

const tools = () => memoryPool({ name: 's', tools: { quick: () => says('here'), wait: hangs } });
const call = aReply([asks('quick', '{}')]);
const answer = aReply([speaks('hi')]);

describe('a provider that refuses for a while', () => {
  test('is asked again; the reply says so, and the trial tells of the waiting', async () => {
    const gates = { model: new Gate('mock') };
    const model = mockModel(refused(429, 60), call, refused(503, 0), refused(503, 0), answer);
    const { transcript, events } = await tryCase(tools(), {}, { model, gates });
    expect(transcript.end).toEqual({ kind: 'completed' });
    expect(transcript.steps[0]?.replies.map(({ retries }) => retries)).toEqual([
      [{ text: 'mock answered 429', waitMs: 60 }],
      [
        { text: 'mock answered 503', waitMs: 0 },
        { text: 'mock answered 503', waitMs: 0 },
      ],
    ]);
    expect(events.slice(0, 3)).toMatchObject([
      { type: 'waiting', text: 'waiting 0.1 s: mock answered 429' },
      { type: 'waiting', text: null },
      { type: 'reply' },
    ]);
  });

  test('costs the trial none of its time', async () => {
    const gates = { model: new Gate('mock') };
    const { transcript, durationMs } = await tryCase(
      tools(),
      { timeoutMs: 150 },
      { model: mockModel(refused(429, 300), answer), gates },
    );
    expect(transcript.end).toEqual({ kind: 'completed' });
    expect(durationMs).toBeLessThan(150);
    const [reply] = transcript.steps[0]?.replies ?? [];
    expect((reply?.startMs ?? 0) + (reply?.durationMs ?? 0)).toBeLessThan(150);
  });

  test('does not keep the timeout from running afterwards', async () => {
    const gates = { model: new Gate('mock') };
    const { transcript } = await tryCase(
      tools(),
      { timeoutMs: 60 },
      { model: mockModel(refused(429, 100), 'hang'), gates },
    );
    expect(transcript.end).toMatchObject({ kind: 'limit', limit: 'timeout' });
  });

  test('in the end errors the trial with its status and the number of tries', async () => {
    const gates = { model: new Gate('mock'), random: () => 0 };
    const model = mockModel(...Array.from({ length: 6 }, () => refused(503)));
    const { transcript } = await tryCase(tools(), {}, { model, gates });
    const text = 'h answered 503: no (in the last of 6 tries)';
    const reason = { stage: 'model', cause: 'provider', status: 503, text };
    expect(transcript.end).toEqual({ kind: 'errored', reason });
  });

  test('is left at once when the trial is cancelled', async () => {
    const gates = { model: new Gate('mock') };
    const controller = new AbortController();
    const begin = performance.now();
    const { transcript } = await tryCase(
      tools(),
      {},
      {
        model: mockModel(refused(429, 60_000)),
        gates,
        signal: controller.signal,
        onEvent: (event) => event.type === 'waiting' && controller.abort(),
      },
    );
    const text = 'cancelled while it was waiting 60 s: mock answered 429';
    expect(transcript.end).toEqual({ kind: 'cancelled', reason: { stage: 'model', cause: 'user', text } });
    expect(performance.now() - begin).toBeLessThan(1000);
  });
});

describe('a server with as many calls as it gets', () => {
  const twoCalls = () => script({ calls: ['quick', 'quick'] }, { say: 'done' });

  test('gets the next one when one of them ended', async () => {
    let running = 0;
    let most = 0;
    const pool = memoryPool({
      name: 's',
      tools: {
        quick: async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
          return says('here');
        },
      },
    });
    const servers = new Map([['s', new Gate('s', 1)]]);
    const { transcript, events } = await tryCase(pool, { script: twoCalls() }, { gates: { servers } });
    expect(transcript.steps[0]?.calls.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(most).toBe(1);
    // The trial itself goes on while one of its calls runs.
    expect(events.filter(({ type }) => type === 'waiting')).toEqual([]);
  });

  test('lets the trials wait that have no other call, without costing them time', async () => {
    const gate = new Gate('s', 1);
    const signal = new AbortController().signal;
    const place = await gate.enter({ ticket: gate.takeTicket(), signal, onWaiting: () => undefined });
    setTimeout(() => place.leave('answered'), 200);
    const servers = new Map([['s', gate]]);
    const { transcript, events } = await tryCase(
      tools(),
      { timeoutMs: 150, script: twoCalls() },
      { gates: { servers } },
    );
    expect(transcript.end).toEqual({ kind: 'completed' });
    expect(events.filter(({ type }) => type === 'waiting').map((event) => 'text' in event && event.text)).toEqual([
      'waiting for a place: s gets 1 request at a time',
      null,
    ]);
  });

  test('gives the place back when a call is cut off', async () => {
    const gate = new Gate('s', 1);
    const gates = { servers: new Map([['s', gate]]) };
    await tryCase(tools(), { timeoutMs: 40, script: script({ calls: ['wait'] }) }, { gates });
    const { transcript } = await tryCase(tools(), { script: twoCalls() }, { gates });
    expect(transcript.end).toEqual({ kind: 'completed' });
  });
});
