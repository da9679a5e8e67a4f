import type { Call, RunEvent } from '../record.ts';
import type { CallOutcome } from '../servers/connection.ts';
import type { Clock } from './clock.ts';

/** What was asked for, before anything came of it. */
type AskedCall = Pick<Call, 'id' | 'by' | 'server' | 'tool' | 'arguments'>;

/** The calls of one trial in the order in which they were asked for, each told of as it starts and ends. */
export interface CallLog {
  readonly calls: readonly Call[];
  /** Takes a call up; an id that is empty or taken gets a number behind it. */
  add(asked: AskedCall): Call;
  get(id: string): Call | undefined;
  begin(call: Call): void;
  /** Ends a call with what came of it; one that never began took no time. Later ends of the same call are dropped. */
  finish(call: Call, outcome: CallOutcome): void;
  /** The tools of the calls that have begun and not ended. */
  running(): string[];
  /** Ends every call that is still open as cancelled. */
  abandon(text: string): void;
}

type CallEvent = Extract<RunEvent, { type: 'callStarted' | 'callEnded' }>;

export function createCallLog(trial: string, clock: Clock, onEvent: (event: CallEvent) => void): CallLog {
  const byId = new Map<string, Call>();
  const calls: Call[] = [];
  const open = new Map<Call, 'asked' | 'running'>();

  function freeId(wanted: string): string {
    const base = wanted === '' ? 'call' : wanted;
    let id = base;
    for (let n = 2; byId.has(id); n += 1) id = `${base}-${n}`;
    return id;
  }

  const log: CallLog = {
    calls,
    add(asked) {
      const call: Call = {
        ...asked,
        id: freeId(asked.id),
        mocked: false,
        argumentsValid: null,
        resultValid: null,
        startMs: clock.now(),
        durationMs: 0,
      };
      byId.set(call.id, call);
      calls.push(call);
      open.set(call, 'asked');
      return call;
    },
    get: (id) => byId.get(id),
    begin(call) {
      open.set(call, 'running');
      call.startMs = clock.now();
      onEvent({
        type: 'callStarted',
        trial,
        call: call.id,
        server: call.server,
        tool: call.tool,
        arguments: call.arguments,
      });
    },
    finish(call, outcome) {
      const state = open.get(call);
      if (state === undefined) return;
      if (state === 'asked') log.begin(call);
      open.delete(call);
      Object.assign(call, outcome);
      if (state === 'running') call.durationMs = clock.since(call.startMs);
      onEvent({ type: 'callEnded', trial, call: call.id, error: call.error ?? null, durationMs: call.durationMs });
    },
    running: () => [...open].flatMap(([call, state]) => (state === 'running' ? [call.tool] : [])),
    abandon(text) {
      for (const call of [...open.keys()]) {
        log.finish(call, { error: { kind: 'cancelled', text }, argumentsValid: null, resultValid: null });
      }
    },
  };
  return log;
}
