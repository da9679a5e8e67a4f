import type { AssertionKind } from '../../suite/model.ts';
import { isUnanswered } from '../answer.ts';
import type { Evidence } from '../evidence.ts';

/** Why an assertion finds nothing to look at. */
export interface Obstacle {
  why: string;
  /** What becomes of an assertion that the case itself makes; one inherited from the defaults is not applicable. */
  own: 'notMeasured' | 'notApplicable' | 'evaluated';
}

/** What an assertion looks at. */
export type Needs = 'modelCalls' | 'calls' | 'results' | 'answer' | 'figures';

/** Null where there is something to look at. */
export function obstacle(needs: Needs, kind: AssertionKind, evidence: Evidence): Obstacle | null {
  const { testCase, judged, answer } = evidence;
  const { subject } = testCase;
  if (needs === 'figures') return null;
  if (needs === 'modelCalls') {
    return subject.kind === 'tool'
      ? { why: 'No model takes part, which could choose a tool.', own: 'notMeasured' }
      : null;
  }
  if (needs === 'answer') return answerObstacle(answer.kind, subject.kind);
  if (subject.kind === 'tool' && subject.expect?.isError === true && kind !== 'result' && kind !== 'resultContains') {
    return { why: 'The call is meant to end in an error.', own: 'evaluated' };
  }
  if (needs !== 'results') return null;
  if (testCase.execute === false && kind !== 'noToolErrors')
    return { why: 'No tool runs in this case.', own: 'notApplicable' };
  const silent = subject.kind === 'trace' && judged.length > 0 && judged.every(isUnanswered);
  return silent ? { why: 'The trace holds no results.', own: 'notMeasured' } : null;
}

function answerObstacle(answer: Evidence['answer']['kind'], subject: string): Obstacle | null {
  if (answer === 'notWanted')
    return { why: 'The trial was stopped on purpose before a final answer.', own: 'notApplicable' };
  if (answer !== 'none') return null;
  const why = subject === 'tool' ? 'No model takes part, which could answer.' : 'There is no answer in the record.';
  return { why, own: 'notMeasured' };
}
