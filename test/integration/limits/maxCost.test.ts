import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { adding, modelOn, runOn } from './runOn.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const priced = () => modelOn(server, { price: { input: 100, output: 100 } });

async function costOfOne(): Promise<number> {
  const { end } = await runOn([priced()], [adding('a')]);
  expect(end.costUsd).toBeGreaterThan(0);
  return end.costUsd ?? 0;
}

test.each([1, 8])('no trial starts that would cost too much, with %i at a time', async (concurrency) => {
  const one = await costOfOne();
  const { end, events } = await runOn([priced()], [adding('a', { trials: 20 })], {
    concurrency,
    maxCostUsd: 4.5 * one,
  });
  expect(end).toMatchObject({
    decision: 'inconclusive',
    totals: { passed: 4, cancelled: 0, pending: 16 },
    reasons: ['Cut short by --max-cost: 16 of 20 trials not carried out.'],
  });
  expect(end.costUsd).toBeCloseTo(4 * one, 12);
  expect(events.filter(({ type }) => type === 'trialStarted')).toHaveLength(4);
});

test('a run that costs as much as it may is whole', async () => {
  const one = await costOfOne();
  const { end } = await runOn([priced()], [adding('a', { trials: 5 })], { maxCostUsd: 5 * one });
  expect(end).toMatchObject({ decision: 'passed', totals: { passed: 5 } });
});

test('a cell that failed already decides', async () => {
  const one = await costOfOne();
  const at = '/cases/bad/calls';
  const bad = adding('bad', { route: { at, expected: [{ at: `${at}/0`, tool: 'subtract', count: null }] } });
  const { end } = await runOn([priced()], [bad, adding('a', { trials: 9 })], { maxCostUsd: 2 * one, concurrency: 1 });
  expect(end.decision).toBe('failed');
});

test('where a reply’s cost cannot be known nothing more is started', async () => {
  server.setFaults(() => 'usage=missing');
  const { end, events } = await runOn([priced()], [adding('a', { trials: 5 })], { maxCostUsd: 100 });
  expect(end).toMatchObject({ decision: 'inconclusive', totals: { passed: 1, pending: 4 } });
  expect(events).toContainEqual({
    type: 'notice',
    level: 'warning',
    text: expect.stringMatching(
      /^What the run has cost is not known, so that it stops: the provider reported no usage/,
    ),
  });
});

test('a model without a known price is refused before anything starts', async () => {
  const refused = runOn([modelOn(server)], [adding('a')], { maxCostUsd: 1 });
  await expect(refused).rejects.toMatchObject({
    code: 'PLAN009',
    message: expect.stringContaining('model "local"'),
    hint: expect.stringContaining('`price:`'),
  });
  expect(server.requests).toEqual([]);
});
