import { McproveError } from '../errors.ts';
import type { Grade } from '../grading/index.ts';
import type { Attempt, PlannedTrial, Reason, Trial } from '../record.ts';

/** The record of one trial: what was planned, what happened, what came of it. */
export function trialRecord({ id, cell, number }: PlannedTrial, attempt: Attempt, grade: Grade): Trial {
  return { kind: 'trial', id, cell, number, ...grade, ...attempt, attempts: 1 };
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

/** Message and hint of an error, for where only one text fits. */
export function sentences({ message, hint }: McproveError): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}

/** The message, and the first frame of the stack. */
function bugText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frame = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '));
  return frame === undefined ? String(error) : `${error} (${frame.trim()})`;
}
