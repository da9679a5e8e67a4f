import { McproveError } from '../errors.ts';
import type { Grade } from '../grading/index.ts';
import type { Attempt, PlannedTrial, Reason, Trial } from '../record.ts';
import { advised } from '../sentence.ts';

/** The record of one trial: what was planned, what happened, what came of it. */
export function trialRecord(
  planned: PlannedTrial,
  attempt: Attempt,
  grade: Omit<Grade, 'warnings'>,
  attempts = 1,
): Trial {
  const { id, cell, number } = planned;
  return { kind: 'trial', id, cell, number, ...grade, ...attempt, attempts };
}

/** Of a trial that was not started: errored for the same reason as the one before it. */
export function unstartedRecord(planned: PlannedTrial, reason: Reason): Trial {
  const attempt = noAttempt(new Date().toISOString(), reason);
  return trialRecord(planned, attempt, { verdict: 'errored', reason, checks: [], chain: [] }, 0);
}

/** In place of an attempt that was never made, or that cannot be kept. */
export function noAttempt(startedAt: string, reason: Reason): Attempt {
  return {
    transcript: { offered: [], toolListChanged: false, steps: [], end: { kind: 'errored', reason } },
    usage: { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null },
    costUsd: null,
    startedAt,
    durationMs: 0,
  };
}

/**
 * Why a trial that threw could not be carried out. A `McproveError` is a mistake in what was configured; anything else is a
 * bug of ours, told with the place it came from.
 */
export function thrownReason(error: unknown): Reason {
  if (error instanceof McproveError) return { stage: 'config', cause: 'config', text: sentences(error) };
  return { stage: 'harness', cause: 'harness', text: `a bug in mcprove: ${bugText(error)}` };
}

/** Why a trial could not be written. */
export function lossReason(error: unknown): Reason {
  if (!(error instanceof McproveError)) return thrownReason(error);
  return { stage: 'storage', cause: 'storage', text: sentences(error) };
}

/** Message and hint of an error, for where only one text fits. */
export function sentences({ message, hint }: McproveError): string {
  return hint === undefined ? message : advised(message, hint);
}

/** The message, and the first frame of the stack. */
function bugText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return frame === undefined ? String(error) : `${error} (${frame.trim()})`;
}
