/**
 * Trials: the one place that acts. Leases servers, lets a model talk and call tools, makes the runner's own call, or reads a
 * trace; what happened comes back as an `Attempt`. This room judges nothing: it knows no expectation, check or verdict.
 */
export { runTrial, type TrialInput } from './runTrial.ts';
export type { Gates, TrialEvent } from './trialContext.ts';
