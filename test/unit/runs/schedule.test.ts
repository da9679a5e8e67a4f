import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { PlannedTrial } from '../../../src/engine/record.ts';
import { schedule } from '../../../src/engine/runs/schedule.ts';

function trials(...counts: [model: string | null, count: number][]): PlannedTrial[] {
  return counts.flatMap(([model, count]) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${model}#${index + 1}`,
      cell: { case: 'a', row: null, variant: null, model },
      cellName: 'a',
      number: index + 1,
    })),
  );
}

test('runs every trial once, never more than allowed at the same time', async () => {
  const started: string[] = [];
  let running = 0;
  let most = 0;
  await schedule({
    trials: trials(['a', 30]),
    concurrency: 8,
    signal: new AbortController().signal,
    run: async (trial) => {
      started.push(trial.id);
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
    },
  });
  expect(most).toBe(8);
  expect(started).toEqual(Array.from({ length: 30 }, (_, index) => `a#${index + 1}`));
});

test('models take turns, also one at a time', async () => {
  const started: string[] = [];
  const run = async (trial: PlannedTrial) => void started.push(trial.id);
  await schedule({ trials: trials(['a', 3], [null, 1], ['b', 2]), concurrency: 1, signal: AbortSignal.any([]), run });
  expect(started).toEqual(['a#1', 'null#1', 'b#1', 'a#2', 'b#2', 'a#3']);
});

test('a slow model takes no places from a fast one', async () => {
  let finishSlow = () => {};
  const slow = new Promise<void>((resolve) => {
    finishSlow = resolve;
  });
  const done: string[] = [];
  const all = schedule({
    trials: trials(['slow', 10], ['fast', 10]),
    concurrency: 4,
    signal: AbortSignal.any([]),
    run: async (trial) => {
      if (trial.cell.model === 'slow') await slow;
      done.push(trial.id);
      if (trial.id === 'fast#8') finishSlow();
      await setImmediate();
    },
  });
  await all;
  expect(done.slice(0, 8)).toEqual(Array.from({ length: 8 }, (_, index) => `fast#${index + 1}`));
  expect(done).toHaveLength(20);
});

test('starts nothing new once aborted, and waits for what runs', async () => {
  const controller = new AbortController();
  const started: string[] = [];
  const ended: string[] = [];
  await schedule({
    trials: trials(['a', 10]),
    concurrency: 2,
    signal: controller.signal,
    run: async (trial) => {
      started.push(trial.id);
      if (trial.id === 'a#3') controller.abort();
      await setImmediate();
      ended.push(trial.id);
    },
  });
  expect(started).toEqual(['a#1', 'a#2', 'a#3']);
  expect(ended.sort()).toEqual(started);
});

test('an error of run stops the rest and is thrown', async () => {
  const started: string[] = [];
  const all = schedule({
    trials: trials(['a', 10]),
    concurrency: 2,
    signal: AbortSignal.any([]),
    run: async (trial) => {
      started.push(trial.id);
      await setImmediate();
      throw new Error(`bug in ${trial.id}`);
    },
  });
  await expect(all).rejects.toThrow('bug in a#1');
  expect(started).toEqual(['a#1', 'a#2']);
});

test('providers share the places, whatever the number of their models', async () => {
  const started: string[] = [];
  const left = await schedule({
    trials: trials(['a', 6], ['b', 6], ['c', 6]),
    concurrency: 4,
    signal: AbortSignal.any([]),
    providerOf: ({ cell }) => (cell.model === 'c' ? 'other' : 'one'),
    run: async (trial) => {
      started.push(trial.id);
      await setImmediate();
    },
  });
  expect(started.slice(0, 4)).toEqual(['a#1', 'c#1', 'b#1', 'c#2']);
  expect([started.length, left]).toEqual([18, 0]);
});

test('who is told to wait lets others go first', async () => {
  const started: string[] = [];
  await schedule({
    trials: trials(['paused', 2], ['open', 2]),
    concurrency: 1,
    signal: AbortSignal.any([]),
    isPaused: (provider) => provider === 'paused',
    run: async (trial) => void started.push(trial.id),
  });
  expect(started).toEqual(['open#1', 'open#2', 'paused#1', 'paused#2']);
});

test('what may not start yet is asked for again when a trial ended, and left over in the end', async () => {
  const started: string[] = [];
  let running = 0;
  const left = await schedule({
    trials: trials(['a', 5], ['b', 2]),
    concurrency: 4,
    signal: AbortSignal.any([]),
    // One of `a` at a time, three in all.
    mayStart: ({ cell, number }) => cell.model === 'b' || (running === 0 && number <= 3),
    run: async (trial) => {
      started.push(trial.id);
      if (trial.cell.model === 'a') running += 1;
      await setImmediate();
      if (trial.cell.model === 'a') running -= 1;
    },
  });
  expect(started).toEqual(['a#1', 'b#1', 'b#2', 'a#2', 'a#3']);
  expect(left).toBe(2);
});
