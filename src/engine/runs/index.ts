/**
 * Runs: which trials there are (plan), when each of them runs (schedule), and the one file that keeps what came of them
 * (write, read, list). Everything that leaves a run, to the disk or to a face, is redacted here and nowhere else. Nothing is
 * graded here: verdicts come from grading/, and a run file is never changed once it is written.
 */
export { cellName } from './cellName.ts';
export { ciName, gitFacts, isCi } from './facts.ts';
export { type LastVerdict, lastVerdicts } from './lastVerdicts.ts';
export { listRuns, type RunSummary } from './list.ts';
export { type Overrides, planRun, suiteCells } from './plan.ts';
export type { Plan, PlanEnvironment } from './planned.ts';
export { type OpenRun, openRun } from './read.ts';
export { Redactor } from './redact.ts';
export { runSuite } from './run.ts';
export type { RunInput, RunResult } from './runInput.ts';
export type { Selection } from './selection.ts';
export { workspacePath } from './workspacePath.ts';
