/**
 * The engine's one door, for every face: types, the few light things that are needed at once, and small functions that
 * load their room when first called. No logic of its own: what a face needs beyond this belongs into a room.
 */
import type { FoundSuite } from './findSuites.ts';

export type { Position, Problem, Severity, SourceRange } from './errors.ts';
export { formatProblem, McproveError } from './errors.ts';
export type { FoundSuite } from './findSuites.ts';
export type * from './record.ts';
export { inlineJson } from './reports/inline.ts';
export { describeCheck, describeDifference, describeDiscrepancy } from './reports/text.ts';
export { visible, visibleLine } from './reports/visible.ts';
export { isCi } from './runs/facts.ts';
export type { Case, Suite } from './suite/model.ts';
export { nearest } from './suite/nearest.ts';

/** @see findSuites in findSuites.ts */
export async function findSuites(words: readonly string[], cwd: string): Promise<FoundSuite[]> {
  return (await import('./findSuites.ts')).findSuites(words, cwd);
}
