import type { Call, Json } from '../record.ts';
import type { ExpectedCall, MatchOptions } from '../suite/model.ts';
import { matchesTool } from '../suite/toolName.ts';
import { type AnswerVerdict, failureText, judgeAnswer, MET } from './answer.ts';
import { matchesValue } from './compare.ts';
import type { Patterns } from './patterns.ts';
import type { Mode } from './search.ts';

/** How expected calls are compared with actual ones. */
export interface FitRules {
  arguments: MatchOptions['arguments'];
  /** False where tools do not run: then nothing is asked of a call's outcome. */
  requireSuccess: boolean;
  patterns: Patterns;
}

/** `unknown`: it fits but for a result that the record does not hold. */
export type Fit = 'yes' | 'no' | 'unknown';

export function fitOf(expected: ExpectedCall, call: Call, rules: FitRules): Fit {
  if (!matchesTool(expected.tool, call.server, call.tool) || !argumentsFit(expected, call, rules)) return 'no';
  const { state } = judgeOutcome(expected, call, rules);
  if (state === 'met') return 'yes';
  return state === 'refused' ? 'no' : 'unknown';
}

/**
 * An expected call is met only by one that ran without error, unless its `result` says otherwise or nothing ran; and never by
 * one of a tool that does not exist.
 */
export function judgeOutcome(expected: ExpectedCall, call: Call, rules: FitRules): AnswerVerdict {
  if (call.error?.kind === 'unknownTool') return { state: 'refused', text: failureText(call), differences: [] };
  if (!rules.requireSuccess) return MET;
  if (expected.result !== undefined) return judgeAnswer(expected.result, call, false, rules.patterns);
  const failed = call.error !== undefined || call.result?.isError === true;
  return failed ? { state: 'refused', text: failureText(call), differences: [] } : MET;
}

function argumentsFit(expected: ExpectedCall, call: Call, rules: FitRules): boolean {
  const mode = argumentMode(expected, rules);
  return mode === null || matchesValue(expected.arguments ?? {}, givenArguments(call), mode, rules.patterns);
}

/** Null where arguments are not compared. */
export function argumentMode(expected: ExpectedCall, rules: FitRules): Mode | null {
  return expected.arguments === undefined || rules.arguments === 'ignore' ? null : rules.arguments;
}

/** A call without arguments has an empty object of them. */
export function givenArguments(call: Call): Json {
  return call.arguments ?? {};
}
