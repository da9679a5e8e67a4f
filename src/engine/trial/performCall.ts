import { McproveError } from '../errors.ts';
import type { Gate, Place } from '../models/limits/index.ts';
import type { Call, Reason } from '../record.ts';
import type { CallOutcome, Connection } from '../servers/connection.ts';
import { errorText } from './errorText.ts';
import type { TrialContext } from './trialContext.ts';

type CallContext = Pick<TrialContext, 'log' | 'stopper' | 'gates' | 'onWaiting'>;

/**
 * Makes one call, as soon as its server has a place for it, and writes down what came of it. A server that fails for good
 * ends the trial. Where the trial ends before the call does, the call is left open.
 */
export async function performCall(call: Call, connection: Connection, context: CallContext): Promise<void> {
  const { stopper, gates } = context;
  if (stopper.signal.aborted) return;
  const gate = gates.servers?.get(connection.server);
  const place = gate === undefined ? null : (gate.enterNow() ?? (await waitForPlace(gate, context)));
  try {
    // It may have ended while the call waited.
    if (!stopper.signal.aborted) await carryOut(call, connection, context);
  } finally {
    place?.leave('answered');
  }
}

/** Null when the trial ended before there was a place. */
async function waitForPlace(gate: Gate, { log, stopper, onWaiting }: CallContext): Promise<Place | null> {
  let hasWaited = false;
  try {
    return await gate.enter({
      ticket: gate.takeTicket(),
      signal: stopper.signal,
      onWaiting(text) {
        // While another of its calls runs, so does the trial.
        if (log.running().length > 0) return;
        hasWaited = true;
        onWaiting(text);
      },
    });
  } catch (error) {
    if (stopper.signal.aborted) return null;
    throw error;
  } finally {
    if (hasWaited) onWaiting(null);
  }
}

async function carryOut(
  call: Call,
  connection: Connection,
  { log, stopper }: Pick<TrialContext, 'log' | 'stopper'>,
): Promise<void> {
  log.begin(call);
  let outcome: CallOutcome;
  try {
    outcome = await stopper.race(connection.call(call.tool, call.arguments, stopper.signal));
  } catch (error) {
    if (stopper.signal.aborted) return;
    if (!(error instanceof McproveError)) throw error;
    const reason = serverFailure(error, 'call');
    outcome = { error: { kind: 'crashed', text: reason.text }, argumentsValid: null, resultValid: null };
    stopper.stop({ kind: 'errored', reason });
  }
  log.finish(call, outcome);
}

/** Why a server cannot be used, in its own words, and at which stage: the error's own where it names one. */
export function serverFailure(error: McproveError, during: 'connect' | 'call'): Reason {
  const stage = 'stage' in error && typeof error.stage === 'string' ? error.stage : during;
  return { stage, cause: 'server', text: errorText(error) };
}
