import { describe, expect, test } from 'vitest';
import { Budget } from '../../../src/engine/runs/budget.ts';

const passed = (costUsd: number | null, unpriced?: string) => ({
  verdict: 'passed' as const,
  costUsd,
  ...(unpriced === undefined ? {} : { unpriced }),
});

describe('a budget', () => {
  test('lets one trial of a model find out what it costs, then as many as fit', () => {
    const budget = new Budget(1, []);
    expect(budget.hasRoomFor('m')).toBe(true);
    budget.begin('m');
    expect([budget.hasRoomFor('m'), budget.hasRoomFor('other')]).toEqual([false, true]);
    budget.end('m', passed(0.3));
    let started = 0;
    for (; budget.hasRoomFor('m'); started++) budget.begin('m');
    expect(started).toBe(2);
    // One of the two cost less than it might have, which leaves room for one more.
    budget.end('m', passed(0.1));
    expect(budget.hasRoomFor('m')).toBe(true);
    budget.begin('m');
    expect(budget.hasRoomFor('m')).toBe(false);
  });

  test('is used up to the cent, whatever binary fractions say', () => {
    const budget = new Budget(0.3, []);
    for (let trial = 0; trial < 3; trial++) {
      expect(budget.hasRoomFor('m')).toBe(true);
      budget.begin('m');
      budget.end('m', passed(0.1));
    }
    expect(budget.hasRoomFor('m')).toBe(false);
  });

  test('counts with the dearest trial so far', () => {
    const budget = new Budget(1, []);
    for (const cost of [0.1, 0.5, 0.1]) {
      budget.begin('m');
      budget.end('m', passed(cost));
    }
    expect(budget.hasRoomFor('m')).toBe(false);
  });

  test('never keeps back what costs nothing', () => {
    const budget = new Budget(0.1, ['scripted']);
    budget.begin('m');
    budget.end('m', passed(5));
    expect([null, 'scripted', 'm', 'other'].map((model) => budget.hasRoomFor(model))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('learns nothing from a trial that ended before a reply', () => {
    const budget = new Budget(1, []);
    budget.begin('m');
    budget.end('m', { verdict: 'errored', costUsd: null });
    budget.begin('m');
    expect(budget.hasRoomFor('m')).toBe(false);
  });

  test('takes a trial of unknown cost for the dearest', () => {
    const budget = new Budget(1, []);
    for (const ended of [passed(0.4), passed(0.1, 'the provider reported no usage')]) {
      budget.begin('m');
      budget.end('m', ended);
    }
    expect([budget.unknown, budget.hasRoomFor('m')]).toEqual([null, false]);
  });

  test('is lost when nothing is known of any trial', () => {
    const budget = new Budget(1, []);
    budget.begin('m');
    budget.end('m', passed(null, 'the provider reported no usage'));
    expect(budget.unknown).toBe('the provider reported no usage');
    expect([null, 'm', 'other'].map((model) => budget.hasRoomFor(model))).toEqual([true, false, false]);
  });
});
