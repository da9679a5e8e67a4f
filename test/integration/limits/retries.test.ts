import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { adding, modelOn, type Ran, runOn, waits } from './runOn.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ latencyMs: 10 });
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const retriesOf = ({ trials }: Ran) =>
  trials.flatMap(({ transcript }) =>
    transcript.steps.flatMap(({ replies }) => replies.flatMap(({ retries }) => retries ?? [])),
  );

describe('a storm of 429', () => {
  test.each([
    ['with Retry-After', '429 retry-after-ms=50'],
    ['without', '429'],
  ])('%s ends in waiting: every trial passes, and fewer requests are under way', async (_, fault) => {
    const load: { inFlight: number; isRefused: boolean }[] = [];
    server.setFaults(({ inFlight }) => {
      load.push({ inFlight, isRefused: inFlight > 4 });
      return inFlight > 4 ? fault : undefined;
    });
    const ran = await runOn([modelOn(server)], [adding('a', { trials: 80 })], { concurrency: 32, random: () => 0.02 });
    expect(ran.end).toMatchObject({ decision: 'passed', totals: { passed: 80 } });
    expect(Math.max(...load.slice(0, 32).map(({ inFlight }) => inFlight))).toBeGreaterThan(8);
    const later = load.slice(load.length / 2);
    expect(Math.max(...later.map(({ inFlight }) => inFlight))).toBeLessThanOrEqual(6);
    expect(later.filter(({ isRefused }) => isRefused).length).toBeLessThan(later.length / 5);
    expect(waits(ran)).toContainEqual(
      expect.stringMatching(
        /^waiting (?:for a place: openai-compatible gets \d+ requests? at a time|0\.1 s: openai-compatible answered 429)$/,
      ),
    );
    expect(waits(ran).filter((text) => text === null).length).toBeGreaterThan(0);
  });
});

describe('a provider that fails for a while', () => {
  test('is left alone for as long as it says, by all trials', async () => {
    server.setFaults(['429 retry-after=1']);
    const ran = await runOn([modelOn(server)], [adding('a'), adding('b')], { concurrency: 1 });
    expect(ran.end.decision).toBe('passed');
    expect(retriesOf(ran)).toEqual([{ text: 'openai-compatible answered 429', waitMs: 1000 }]);
    expect(ran.ms).toBeGreaterThanOrEqual(1000);
    // Waiting is no time of the trial.
    expect(ran.trials[0]?.durationMs).toBeLessThan(900);
    expect(waits(ran)).toEqual(['waiting 1 s: openai-compatible answered 429', null]);
  });

  test('by a date', async () => {
    server.setFaults(['503 retry-after=date:1']);
    const ran = await runOn([modelOn(server)], [adding('a')]);
    expect(ran.end.decision).toBe('passed');
    expect(retriesOf(ran)).toHaveLength(1);
    expect(retriesOf(ran)[0]?.waitMs).toBeGreaterThan(0);
  });

  test.each(['408', '409', '429', '500', '502', '503', '504', '529', '503 body=html', '500 body=empty'])(
    'with %s is asked again',
    async (fault) => {
      server.setFaults([fault, fault, 'ok', fault]);
      const ran = await runOn([modelOn(server)], [adding('a')]);
      expect(ran.end.decision).toBe('passed');
      const text = `openai-compatible answered ${fault.slice(0, 3)}`;
      expect(retriesOf(ran)).toEqual(Array.from({ length: 3 }, () => ({ text, waitMs: 0 })));
      expect(server.requests).toHaveLength(5);
    },
  );

  test.each(['truncate', 'cut=0', 'reset', 'reset=0'])('whose answer breaks off (%s) is asked again', async (fault) => {
    server.setFaults([fault]);
    const ran = await runOn([modelOn(server)], [adding('a')]);
    expect(ran.end.decision).toBe('passed');
    expect(retriesOf(ran)).toHaveLength(1);
  });

  test('all the time errors the trial after six tries', async () => {
    server.setFaults(() => '503');
    const { end, trials } = await runOn([modelOn(server)], [adding('a')]);
    expect(end).toMatchObject({ decision: 'inconclusive', totals: { errored: 1 } });
    expect(trials[0]?.reason).toMatchObject({
      stage: 'model',
      cause: 'provider',
      status: 503,
      text: expect.stringContaining('in the last of 6 tries'),
    });
    expect(server.requests).toHaveLength(6);
  });
});

describe('a provider that never answers', () => {
  test('is the timeout of its trial, and takes no place from the others', async () => {
    server.setFaults(({ index }) => (index < 3 ? 'hang' : undefined));
    const cases = [adding('slow', { trials: 3, timeoutMs: 300 }), adding('a', { trials: 5 })];
    const { end, trials } = await runOn([modelOn(server)], cases, { concurrency: 3 });
    expect(end.totals).toMatchObject({ passed: 5, failed: 3 });
    const slow = trials.filter(({ verdict }) => verdict === 'failed');
    expect(slow.map(({ reason }) => reason?.stage)).toEqual(['limit:timeout', 'limit:timeout', 'limit:timeout']);
  });

  test('after a wait longer than the timeout is still given the whole timeout', async () => {
    server.setFaults(['429 retry-after-ms=400', 'latency=150']);
    const { end } = await runOn([modelOn(server)], [adding('a', { timeoutMs: 350 })]);
    expect(end.decision).toBe('passed');
  });
});

test.each([
  ['a retry', '503'],
  ['the provider', '429 retry-after=60'],
])('cancelling while waiting for %s obeys at once', async (_, fault) => {
  server.setFaults(() => fault);
  const controller = new AbortController();
  let cancelledAt = 0;
  const { end, trials } = await runOn([modelOn(server)], [adding('a', { trials: 20 })], {
    concurrency: 4,
    random: () => 1,
    signal: controller.signal,
    onEvent(event) {
      if (event.type !== 'waiting' || cancelledAt > 0) return;
      cancelledAt = performance.now();
      controller.abort();
    },
  });
  expect(performance.now() - cancelledAt).toBeLessThan(1000);
  expect(end.decision).toBe('cancelled');
  expect(trials.every(({ verdict }) => verdict === 'cancelled')).toBe(true);
  expect(trials.some(({ reason }) => /while it was waiting \d+ s: openai-compatible/.test(reason?.text ?? ''))).toBe(
    true,
  );
});
