import { expect, test } from 'vitest';
import { createCallLog } from '../../../src/engine/trial/callLog.ts';
import { startClock } from '../../../src/engine/trial/clock.ts';
import type { TrialEvent } from '../../../src/engine/trial/index.ts';

const OUTCOME = { argumentsValid: true, resultValid: null };

function aLog() {
  const events: TrialEvent[] = [];
  const log = createCallLog('x#1', startClock(), (event) => events.push(event));
  const add = (tool: string) => log.add({ id: tool, by: 'model', server: 's', tool, arguments: {} });
  return { log, events, add };
}

test('what ended stays as it ended', () => {
  const { log, events, add } = aLog();
  const call = add('t');
  log.begin(call);
  log.finish(call, OUTCOME);
  log.abandon('the trial ended');
  log.finish(call, { ...OUTCOME, error: { kind: 'timeout', text: 'late' } });
  expect(call.error).toBeUndefined();
  expect(events.map((event) => event.type)).toEqual(['callStarted', 'callEnded']);
});

test('each call is told of once at its start and once at its end, also one that never ran', () => {
  const { log, events, add } = aLog();
  const [first, second] = [add('first'), add('second')];
  log.begin(first);
  expect(log.running()).toEqual(['first']);
  log.abandon('the trial ended');
  expect(log.running()).toEqual([]);
  expect(log.calls).toEqual([first, second]);
  expect(log.calls.map((call) => call.error)).toEqual(Array(2).fill({ kind: 'cancelled', text: 'the trial ended' }));
  expect(second.durationMs).toBe(0);
  expect(events.map((event) => [event.type, 'call' in event && event.call])).toEqual([
    ['callStarted', 'first'],
    ['callEnded', 'first'],
    ['callStarted', 'second'],
    ['callEnded', 'second'],
  ]);
});
