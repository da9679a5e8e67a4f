import { expect, test } from 'vitest';
import { StartGate } from '../../../src/engine/servers/startGate.ts';

const never = new AbortController().signal;

test('lets so many in at a time, the others in order', async () => {
  const gate = new StartGate(2);
  const entered: string[] = [];
  const enter = async (name: string) => {
    const leave = await gate.enter(never);
    entered.push(name);
    return leave;
  };
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(enter);
  const leaveA = await a;
  await b;
  expect(entered).toEqual(['a', 'b']);
  leaveA?.();
  leaveA?.();
  await c;
  expect(entered).toEqual(['a', 'b', 'c']);
  (await b)?.();
  await d;
  expect(entered).toEqual(['a', 'b', 'c', 'd']);
});

test('who gives up while waiting takes no place', async () => {
  const gate = new StartGate(1);
  const leave = await gate.enter(never);
  const controller = new AbortController();
  const given = gate.enter(controller.signal);
  const kept = gate.enter(never);
  controller.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  leave();
  (await kept)();
  await expect(gate.enter(AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  (await gate.enter(never))();
});
