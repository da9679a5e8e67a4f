import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { adding, modelOn, runOn } from './runOn.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => server.reset());
afterAll(() => server.close());

describe.each(['openai', 'anthropic', 'google', 'openai-compatible'] as const)('%s', (provider) => {
  const model = () => {
    const baseUrl = server.baseUrls[provider === 'openai-compatible' ? 'compatible' : provider];
    return modelOn(server, { provider, baseUrl, apiKey: 'key-of-the-tests' });
  };

  test('is asked again after what passes', async () => {
    server.setFaults(['429 retry-after-ms=20', '529', '500', 'truncate']);
    const { end, trials } = await runOn([model()], [adding('a')]);
    expect(end.decision).toBe('passed');
    const [first] = trials[0]?.transcript.steps[0]?.replies ?? [];
    expect(first?.retries?.map(({ text }) => text)).toEqual([
      `${provider} answered 429`,
      `${provider} answered 529`,
      `${provider} answered 500`,
      `the answer of ${provider} broke off`,
    ]);
  });

  test('is left alone for as long as it asks', async () => {
    server.setFaults([provider === 'google' ? '429 retry-after=body:1' : '429 retry-after=1']);
    const { end, trials, ms } = await runOn([model()], [adding('a')]);
    expect(end.decision).toBe('passed');
    expect(trials[0]?.transcript.steps[0]?.replies[0]?.retries?.[0]?.waitMs).toBe(1000);
    expect(ms).toBeGreaterThanOrEqual(1000);
  });

  test('that refuses is not asked again', async () => {
    server.setFaults(() => '401');
    const { end, trials } = await runOn([model()], [adding('a', { trials: 4 })], { concurrency: 1 });
    expect(end.totals.errored).toBe(4);
    expect(trials.every(({ reason }) => reason?.status === 401)).toBe(true);
    expect(server.requests).toHaveLength(1);
  });
});

test('models of one provider share its gate; those of another do not wait with them', async () => {
  server.setFaults(({ conversation }) => (conversation.model === 'one' ? '429 retry-after=1' : undefined));
  const begin = performance.now();
  let doneAt = 0;
  const other = await startModelServer();
  try {
    const models = [
      modelOn(server, { id: 'one', model: 'one' }),
      modelOn(server, { id: 'two', model: 'two' }),
      modelOn(other, { id: 'elsewhere' }),
    ];
    const controller = new AbortController();
    const waiting = new Set<string>();
    await runOn(models, [adding('a', { trials: 4 })], {
      concurrency: 6,
      signal: controller.signal,
      onEvent(event) {
        if (event.type === 'waiting') waiting.add(event.trial.replace(/.*\((.*)\)#.*/, '$1'));
        if (event.type !== 'trialEnded' || event.trial.cell.model !== 'elsewhere') return;
        if (event.trial.number !== 4) return;
        doneAt = performance.now() - begin;
        setTimeout(() => controller.abort(), 300);
      },
    });
    expect(doneAt).toBeLessThan(1000);
    expect(waiting).toContain('one');
    expect(waiting).toContain('two');
    expect(waiting).not.toContain('elsewhere');
  } finally {
    await other.close();
  }
});
