import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Gate, type Place } from '../../../../src/engine/models/limits/gate.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Asks for a place and tells what came of it so far. */
function ask(gate: Gate, options: { signal?: AbortSignal; ticket?: number } = {}) {
  const asked = { place: null as Place | null, error: null as unknown, told: [] as string[] };
  const { signal = new AbortController().signal, ticket = gate.takeTicket() } = options;
  gate.enter({ ticket, signal, onWaiting: (text) => asked.told.push(text) }).then(
    (place) => {
      asked.place = place;
    },
    (error: unknown) => {
      asked.error = error;
    },
  );
  return asked;
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('places', () => {
  test('are given up to the limit, then in the order of asking', async () => {
    const gate = new Gate('acme', 2);
    const [a, b, c, d] = [ask(gate), ask(gate), ask(gate), ask(gate)];
    await settled();
    expect([a, b, c, d].map(({ place }) => place !== null)).toEqual([true, true, false, false]);
    expect(a.told).toEqual([]);
    expect(c.told).toEqual(['waiting for a place: acme gets 2 requests at a time']);
    b.place?.leave('answered');
    await settled();
    expect([c.place, d.place].map((place) => place !== null)).toEqual([true, false]);
  });

  test('given back twice count once', async () => {
    const gate = new Gate('acme', 1);
    const [a, b, c] = [ask(gate), ask(gate), ask(gate)];
    await settled();
    a.place?.leave('answered');
    a.place?.leave('answered');
    await settled();
    expect([b.place, c.place].map((place) => place !== null)).toEqual([true, false]);
  });

  test('go to an earlier ticket first', async () => {
    const gate = new Gate('acme', 1);
    const early = gate.takeTicket();
    const a = ask(gate);
    const later = ask(gate);
    const again = ask(gate, { ticket: early });
    await settled();
    a.place?.leave('failed');
    await settled();
    expect(again.place).not.toBeNull();
    expect(later.place).toBeNull();
  });

  test('are no longer waited for after an abort', async () => {
    const gate = new Gate('acme', 1);
    const controller = new AbortController();
    const a = ask(gate);
    const gone = ask(gate, { signal: controller.signal });
    const next = ask(gate);
    await settled();
    controller.abort(new Error('enough'));
    a.place?.leave('answered');
    await settled();
    expect(gone.error).toEqual(new Error('enough'));
    expect(next.place).not.toBeNull();
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(ask(gate, { signal: AbortSignal.abort() }).place).toBeNull();
  });
});

describe('the limit', () => {
  async function under(gate: Gate, count: number): Promise<Place[]> {
    const asked = Array.from({ length: count }, () => ask(gate));
    await settled();
    return asked.flatMap(({ place }) => (place === null ? [] : [place]));
  }

  test('halves what was under way, once for all that were sent together', async () => {
    const gate = new Gate('acme', 64);
    const places = await under(gate, 8);
    for (const place of places) place.leave('overloaded');
    expect(gate.limit).toBe(4);
  });

  test('never falls under one', async () => {
    const gate = new Gate('acme', 2);
    for (let round = 0; round < 5; round++) for (const place of await under(gate, 1)) place.leave('overloaded');
    expect(gate.limit).toBe(1);
  });

  test('rises by one when as many were answered as may be under way, up to where it began', async () => {
    const gate = new Gate('acme', 4);
    for (const place of await under(gate, 4)) place.leave('overloaded');
    const limits: number[] = [];
    for (let answers = 0; answers < 12; answers++) {
      for (const place of await under(gate, 1)) place.leave('answered');
      limits.push(gate.limit);
    }
    expect(limits).toEqual([2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4]);
  });

  test('does not rise for what was sent before it fell, nor for other failures', async () => {
    const gate = new Gate('acme', 4);
    const [first, ...others] = await under(gate, 4);
    first?.leave('overloaded');
    for (const place of others) place.leave('answered');
    for (const place of await under(gate, 2)) place.leave('failed');
    expect(gate.limit).toBe(2);
  });
});

describe('a pause', () => {
  test('holds for everybody, says why, and ends by itself', async () => {
    const gate = new Gate('acme', 2);
    const before = ask(gate);
    await settled();
    gate.pause(12_000, 'acme answered 429');
    expect(gate.isPaused).toBe(true);
    const after = [ask(gate), ask(gate)];
    before.place?.leave('answered');
    await vi.advanceTimersByTimeAsync(11_999);
    expect(after.map(({ place }) => place)).toEqual([null, null]);
    expect(after[0]?.told).toEqual(['waiting 12 s: acme answered 429']);
    await vi.advanceTimersByTimeAsync(1);
    expect(after.every(({ place }) => place !== null)).toBe(true);
    expect(gate.isPaused).toBe(false);
  });

  test('is prolonged by a longer one and not shortened by a shorter one', async () => {
    const gate = new Gate('acme', 1);
    gate.pause(1000, 'acme answered 429');
    const asked = ask(gate);
    gate.pause(3000, 'acme answered 503');
    gate.pause(100, 'acme answered 500');
    expect(asked.told).toEqual(['waiting 1 s: acme answered 429', 'waiting 3 s: acme answered 503']);
    await vi.advanceTimersByTimeAsync(2999);
    expect(asked.place).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(asked.place).not.toBeNull();
  });

  test('leaves no timer behind when nobody waits any more', async () => {
    const gate = new Gate('acme', 1);
    const controller = new AbortController();
    gate.pause(60_000, 'acme answered 429');
    ask(gate, { signal: controller.signal });
    expect(vi.getTimerCount()).toBe(1);
    controller.abort();
    await settled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
