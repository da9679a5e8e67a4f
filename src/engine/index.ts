/**
 * The engine's one door, for every face: types, the few light things that are needed at once, and small functions that
 * load their room when first called. No logic of its own: what a face needs beyond this belongs into a room.
 */
import type { FirstSuite, FirstSuiteRequest } from './authoring/index.ts';
import type { CheckOptions } from './checkSuite.ts';
import type { DoctorRequest, Examination } from './doctor/index.ts';
import type { Problem } from './errors.ts';
import type { FoundSuite } from './findSuites.ts';
import type { ServerStart } from './listStarts.ts';
import type { Json, RunEnd } from './record.ts';
import type { JunitOptions } from './reports/junit.ts';
import type { UnrunSuite } from './reports/unrunSuite.ts';
import type { LastVerdict, OpenRun, Overrides, Plan, PlanEnvironment, RunResult, Selection } from './runs/index.ts';
import type { RunRequest } from './startRun.ts';
import type { ReadResult, Suite } from './suite/index.ts';
import { findWorkspace } from './suite/workspace.ts';
import type { WorkspaceServers } from './workspaceServers.ts';

export type { FirstSuite } from './authoring/index.ts';
export type { Examination, Finding } from './doctor/index.ts';
export type { Problem, Severity, SourceRange } from './errors.ts';
export { formatProblem, McproveError } from './errors.ts';
export type { FoundSuite } from './findSuites.ts';
export type { ServerStart } from './listStarts.ts';
export type * from './record.ts';
export { inlineExpected, inlineJson } from './reports/inline.ts';
export { describeCheck, describeDiscrepancy } from './reports/text.ts';
export type { UnrunSuite } from './reports/unrunSuite.ts';
export { visible, visibleLine } from './reports/visible.ts';
export { isCi } from './runs/facts.ts';
export type { OpenRun, Overrides, Plan, PlanEnvironment, RunResult, RunSummary, Selection } from './runs/index.ts';
export { workspacePath } from './runs/workspacePath.ts';
export { advised, quotation } from './sentence.ts';
export type { RunRequest } from './startRun.ts';
export type { MatchOptions, ReadResult, Suite } from './suite/index.ts';
export { nearest } from './suite/nearest.ts';
export { findWorkspace } from './suite/workspace.ts';
export type { WorkspaceServers } from './workspaceServers.ts';

/** @see findSuites in findSuites.ts */
export async function findSuites(words: readonly string[], cwd: string): Promise<FoundSuite[]> {
  return (await import('./findSuites.ts')).findSuites(words, cwd);
}

/**
 * @param cwd the workspace folder of a suite that lies in no other
 * @see readSuiteFile in suite/readFile.ts
 */
export async function readSuiteFile(file: string, cwd: string): Promise<ReadResult> {
  return (await import('./suite/index.ts')).readSuiteFile(file, findWorkspace(file, cwd));
}

/** @see checkSuite in checkSuite.ts */
export async function checkSuite(suite: Suite, env: NodeJS.ProcessEnv, options?: CheckOptions): Promise<Problem[]> {
  return (await import('./checkSuite.ts')).checkSuite(suite, env, options);
}

/** @see listStarts in listStarts.ts */
export async function listStarts(
  suite: Suite,
  env: NodeJS.ProcessEnv,
  more?: { inputs?: ReadonlyMap<string, string> },
): Promise<ServerStart[]> {
  return (await import('./listStarts.ts')).listStarts(suite, env, more);
}

/** @see workspaceServers in workspaceServers.ts */
export async function workspaceServers(
  folder: string,
  env: NodeJS.ProcessEnv,
  inputs?: ReadonlyMap<string, string>,
): Promise<WorkspaceServers> {
  return (await import('./workspaceServers.ts')).workspaceServers(folder, env, inputs);
}

/** @see draftFirstSuite in authoring/draftFirstSuite.ts */
export async function draftFirstSuite(request: FirstSuiteRequest): Promise<FirstSuite> {
  return (await import('./authoring/index.ts')).draftFirstSuite(request);
}

/** @see examine in doctor/examine.ts */
export async function* examine(request: DoctorRequest): AsyncGenerator<Examination, void, undefined> {
  yield* (await import('./doctor/index.ts')).examine(request);
}

/** @see planRun in runs/plan.ts */
export async function planRun(
  suite: Suite,
  selection: Selection,
  overrides: Overrides,
  environment: PlanEnvironment,
): Promise<Plan> {
  return (await import('./runs/index.ts')).planRun(suite, selection, overrides, environment);
}

/** @see startRun in startRun.ts */
export async function startRun(request: RunRequest): Promise<RunResult> {
  return (await import('./startRun.ts')).startRun(request);
}

/** @see openRun in runs/read.ts */
export async function openRun(file: string, known: { end?: RunEnd } = {}): Promise<OpenRun> {
  return (await import('./runs/index.ts')).openRun(file, known);
}

/** @see listRuns in runs/list.ts */
export async function listRuns(workspace: string): ReturnType<typeof import('./runs/index.ts').listRuns> {
  return (await import('./runs/index.ts')).listRuns(workspace);
}

/** What became of each cell of a suite in the newest run that held it; null where there is no run. @see lastVerdicts */
export async function lastVerdictsOf(suite: Suite, overrides: Overrides): Promise<LastVerdict[] | null> {
  const [{ lastVerdicts, suiteCells }, { workspacePath }] = await Promise.all([
    import('./runs/index.ts'),
    import('./runs/workspacePath.ts'),
  ]);
  const path = workspacePath(suite.workspace, suite.file);
  return lastVerdicts(suite.workspace, path, suiteCells(suite, overrides));
}

/** @see jsonReport in reports/json.ts */
export async function jsonReport(runs: readonly OpenRun[], unrun: readonly UnrunSuite[]): Promise<Json> {
  return (await import('./reports/json.ts')).jsonReport(runs, unrun);
}

/** @see junitReport in reports/junit.ts */
export async function junitReport(runs: readonly OpenRun[], options: JunitOptions): Promise<string> {
  return (await import('./reports/junit.ts')).junitReport(runs, options);
}
