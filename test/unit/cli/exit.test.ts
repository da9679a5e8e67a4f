import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type ExitCode, worst } from '../../../src/cli/exitCodes.ts';
import { watchSignals } from '../../../src/cli/interrupt.ts';

describe('worst', () => {
  it.each<[ExitCode[], ExitCode]>([
    [[], 0],
    [[0, 0], 0],
    [[0, 3], 3],
    [[3, 1, 0], 1],
    [[1, 2, 3], 2],
    [[2, 130, 1], 130],
    [[130, 143], 143],
  ])('of %j is %i', (codes, expected) => {
    expect(worst(codes)).toBe(expected);
  });
});

describe('signals', () => {
  function watched() {
    const source = new EventEmitter();
    const log: unknown[] = [];
    let time = 0;
    const interruption = watchSignals(
      source,
      { first: () => log.push('first'), again: (code) => log.push(code) },
      () => time,
    );
    const send = (signal: 'SIGINT' | 'SIGTERM', at: number) => {
      time = at;
      source.emit(signal, signal);
    };
    return { source, log, interruption, send };
  }

  it('cancels at the first Ctrl-C', () => {
    const { log, interruption, send } = watched();
    expect(interruption.signal.aborted).toBe(false);
    expect(interruption.exitCode).toBeUndefined();
    send('SIGINT', 0);
    expect(interruption.signal.aborted).toBe(true);
    expect(interruption.exitCode).toBe(130);
    expect(log).toEqual(['first']);
  });

  it("takes two within a second for one: npm sends the terminal's once more", () => {
    const { log, send } = watched();
    send('SIGINT', 0);
    send('SIGINT', 999);
    expect(log).toEqual(['first']);
  });

  it('leaves at once when asked again', () => {
    const { log, send } = watched();
    send('SIGINT', 0);
    send('SIGINT', 1000);
    expect(log).toEqual(['first', 130]);
  });

  it('ends with 143 after SIGTERM, whichever came first', () => {
    const { log, interruption, send } = watched();
    send('SIGTERM', 0);
    expect(interruption.exitCode).toBe(143);
    send('SIGINT', 2000);
    expect(log).toEqual(['first', 143]);
  });

  it('stops listening', () => {
    const { source, interruption } = watched();
    interruption.dispose();
    expect(source.listenerCount('SIGINT') + source.listenerCount('SIGTERM')).toBe(0);
  });
});
