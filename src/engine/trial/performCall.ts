import { McproveError } from '../errors.ts';
import type { Call, Reason } from '../record.ts';
import type { CallOutcome, Connection } from '../servers/connection.ts';
import { errorText } from './errorText.ts';
import type { TrialContext } from './trialContext.ts';

/**
 * Makes one call and writes down what came of it. A server that fails for good ends the trial. Where the trial ends before
 * the call does, the call is left open.
 */
export async function performCall(
  call: Call,
  connection: Connection,
  { log, stopper }: Pick<TrialContext, 'log' | 'stopper'>,
): Promise<void> {
  if (stopper.signal.aborted) return;
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
