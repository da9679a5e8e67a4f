import { McproveError } from '../errors.ts';
import type { ModelFactory } from '../models/index.ts';
import type { Attempt, TrialEnd } from '../record.ts';
import type { Connection, Lease, ServerPool } from '../servers/connection.ts';
import type { Case, Subject } from '../suite/model.ts';
import { createCallLog } from './callLog.ts';
import { callTool } from './callTool.ts';
import { type Clock, startClock } from './clock.ts';
import type { RouteMet } from './converse.ts';
import { serverFailure } from './performCall.ts';
import { raceAbort } from './raceAbort.ts';
import { type Activity, createStopper } from './stopper.ts';
import { readTrace } from './trace/readTrace.ts';
import type { Acted, Gates, TrialContext, TrialEvent } from './trialContext.ts';
import { NO_USAGE } from './usage.ts';

export interface TrialInput {
  /** With its placeholders filled. */
  testCase: Case;
  /** Null where the subject needs none. */
  model: ModelFactory | null;
  pool: ServerPool;
  /** Cancels the trial. */
  signal: AbortSignal;
  trialId: string;
  /** Needed for `execute: untilExpected`; without it such a trial goes on until the model is done. */
  routeMet?: RouteMet;
  /** Without them nothing is limited, and no request is sent again. */
  gates?: Gates;
  onEvent(event: TrialEvent): void;
}

/**
 * Acts on one trial: leases the servers, does what the case's subject says, and gives back what happened. Whatever servers,
 * models and files do wrong stands in `transcript.end`. The clock and the case's timeout start when the servers are ready, so
 * that no trial pays for starting what it shares; they stand still while it waits for a provider or for a place.
 *
 * @throws only what is a bug of ours
 */
export async function runTrial(input: TrialInput): Promise<Attempt> {
  const clock = startClock();
  const { subject } = input.testCase;
  if (subject.kind === 'trace') return readTrace(subject.path, input.signal, clock);

  const actor = await actorFor(input, subject);
  const lease = await takeLease(input.pool, input.signal);
  if ('kind' in lease) return unstarted(lease, clock);
  try {
    return await act(input, lease.connections, actor);
  } finally {
    await lease.release();
  }
}

type Actor = (connections: readonly Connection[], context: TrialContext) => Promise<Acted>;

async function actorFor(
  { testCase, model, routeMet }: TrialInput,
  subject: Exclude<Subject, { kind: 'trace' }>,
): Promise<Actor> {
  if (subject.kind === 'tool') return (connections, context) => callTool(subject, connections, context);
  if (model === null) throw new Error(`case "${testCase.id}" has a prompt, but no model to answer it`);
  const { prompt } = subject;
  // The AI SDK loads with the first prompt, before its clock runs; tools and traces need none of it.
  const { converse } = await import('./converse.ts');
  return (connections, context) => converse({ testCase, prompt, model, connections, routeMet }, context);
}

async function act(input: TrialInput, connections: readonly Connection[], actor: Actor): Promise<Attempt> {
  const { testCase, trialId, onEvent, gates = {} } = input;
  const clock = startClock();
  const log = createCallLog(trialId, clock, onEvent);
  let waiting: string | null = null;
  const doing = (): Activity => {
    if (waiting !== null) return { stage: 'model', text: `it was ${waiting}` };
    const running = log.running();
    if (running.length > 0) return { stage: 'call', text: `${running.join(', ')} ran` };
    return { stage: 'model', text: 'the model was answering' };
  };
  const stopper = createStopper({ cancel: input.signal, timeoutMs: testCase.timeoutMs, doing });
  function onWaiting(text: string | null): void {
    if (text === waiting) return;
    waiting = text;
    for (const time of [clock, stopper]) text === null ? time.goOn() : time.pause();
    onEvent({ type: 'waiting', trial: trialId, text });
  }
  const context: TrialContext = { trialId, clock, log, stopper, gates, onEvent, onWaiting };
  try {
    const { offered, withheld = [], step, end, usage, costUsd, unpriced } = await actor(connections, context);
    log.abandon(`not finished: ${whyEnded(end)}`);
    return {
      transcript: {
        offered,
        ...(withheld.length === 0 ? {} : { withheld }),
        toolListChanged: connections.some((connection) => connection.toolListChanged),
        steps: [step],
        end,
      },
      usage,
      costUsd,
      ...(unpriced === undefined ? {} : { unpriced }),
      startedAt: clock.startedAt,
      durationMs: clock.now(),
    };
  } finally {
    stopper.dispose();
  }
}

async function takeLease(pool: ServerPool, signal: AbortSignal): Promise<Lease | TrialEnd> {
  const text = 'cancelled before the servers were ready';
  const cancelled: TrialEnd = { kind: 'cancelled', reason: { stage: 'connect', cause: 'user', text } };
  if (signal.aborted) return cancelled;
  const leasing = pool.lease(signal);
  try {
    return await raceAbort(leasing, signal);
  } catch (error) {
    if (signal.aborted) {
      // A lease that comes too late is given back; that it failed no longer matters.
      leasing.then((late) => late.release()).catch(() => undefined);
      return cancelled;
    }
    if (!(error instanceof McproveError)) throw error;
    return { kind: 'errored', reason: serverFailure(error, 'connect') };
  }
}

function whyEnded(end: TrialEnd): string {
  if (end.kind === 'limit') return end.text;
  return end.kind === 'errored' || end.kind === 'cancelled' ? end.reason.text : 'the trial ended';
}

function unstarted(end: TrialEnd, clock: Clock): Attempt {
  return {
    transcript: { offered: [], toolListChanged: false, steps: [], end },
    usage: NO_USAGE,
    costUsd: null,
    startedAt: clock.startedAt,
    durationMs: clock.now(),
  };
}
