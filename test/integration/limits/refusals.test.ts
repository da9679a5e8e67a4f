import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { adding, modelOn, runOn } from './runOn.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => server.reset());
afterAll(() => server.close());

test.each([400, 401, 402, 403, 404])('a model that is refused with %i is not asked again', async (status) => {
  server.setFaults(() => String(status));
  const { end, trials, events } = await runOn([modelOn(server)], [adding('a', { trials: 6 }), adding('b')], {
    concurrency: 1,
  });
  expect(server.requests).toHaveLength(1);
  expect(end).toMatchObject({ decision: 'inconclusive', totals: { errored: 7, pending: 0 } });
  expect(trials.map(({ attempts }) => attempts)).toEqual([1, 0, 0, 0, 0, 0, 0]);
  expect(events.filter(({ type }) => type === 'trialStarted')).toHaveLength(1);
  const [first] = trials;
  expect(first?.reason).toMatchObject({ stage: 'model', cause: 'provider', status });
  for (const { reason, verdict } of trials) expect([verdict, reason]).toEqual(['errored', first?.reason]);
});

test('another model goes on', async () => {
  server.setFaults(({ conversation }) => (conversation.model === 'gone' ? '404' : undefined));
  const models = [modelOn(server, { id: 'gone', model: 'gone' }), modelOn(server, { id: 'there' })];
  const { end } = await runOn(models, [adding('a', { trials: 10 })], { concurrency: 2 });
  expect(end.totals).toMatchObject({ passed: 10, errored: 10 });
  expect(server.requests.filter(({ model }) => model === 'gone').length).toBeLessThanOrEqual(2);
});

test('a conversation that is too long concerns its own trial only', async () => {
  server.setFaults(['context-overflow']);
  const { end } = await runOn([modelOn(server)], [adding('a', { trials: 3 })], { concurrency: 1 });
  expect(end.totals).toMatchObject({ passed: 2, failed: 1 });
});
