/**
 * The suite room: the text of a `*.eval.yaml` becomes a checked `Suite`, and every mistake in it a located problem.
 * Nothing is started, asked or sent from here, and nothing but the suite file itself is read; the text is untrusted.
 */
export { type FillValues, fillCase } from './fillCase.ts';
export { jsonSchema } from './jsonSchema.ts';
export {
  isMatcherMap,
  isMatcherName,
  isTypeWord,
  MATCHERS,
  type MatcherMap,
  type MatcherName,
  type MatcherRow,
  TYPE_WORDS,
  type TypeWord,
} from './matchers.ts';
export type * from './model.ts';
export { nearest } from './nearest.ts';
export { type ReadOptions, type ReadResult, readSuite } from './read.ts';
export { readSuiteFile } from './readFile.ts';
export { matchesTool } from './toolName.ts';
export { findWorkspace, resolveInside } from './workspace.ts';
