/** What a trial was about, from the input of its step. */
import type { Json, Trial } from '../../engine/index.ts';

/** The first user message; null where there is none. */
export function promptOf(trial: Trial): string | null {
  const step = trial.transcript.steps.find(({ kind }) => kind === 'prompt');
  const prompt = step === undefined ? undefined : member(step.input, 'prompt');
  return typeof prompt === 'string' ? prompt : null;
}

/** A member of a value that should be an object. */
export function member(value: Json, key: string): Json | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value[key] : undefined;
}
