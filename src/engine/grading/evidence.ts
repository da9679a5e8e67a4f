import type { Attempt, Call, TrialEnd } from '../record.ts';
import type { Case } from '../suite/model.ts';
import { type TrialFacts, trialFacts } from './facts.ts';
import type { Patterns } from './patterns.ts';

/** What the checks of one trial look at. */
export interface Evidence {
  testCase: Case;
  attempt: Pick<Attempt, 'transcript' | 'durationMs' | 'costUsd' | 'unpriced'>;
  /** Made by the model, or read from a trace; in order. */
  calls: readonly Call[];
  /** Those whose arguments and results are judged: the same, or the runner's own call where the subject is a tool. */
  judged: readonly Call[];
  facts: TrialFacts;
  answer: FinalAnswer;
  /** Ended on purpose once all expected calls were made: what would have followed fails nothing. */
  endedByRoute: boolean;
  /** Why less happened than was to happen, as the beginning of a sentence; null where the transcript is whole. */
  cutShort: string | null;
  patterns: Patterns;
}

/** The text of the last reply, never of an earlier one. */
type FinalAnswer =
  | { kind: 'whole'; text: string }
  /** Ended by `maxOutputTokens`: what is in it is there, what is not may have followed. */
  | { kind: 'beginning'; text: string }
  /** Stopped early on purpose. */
  | { kind: 'notWanted' }
  | { kind: 'notReached' }
  /** A subject without a model, or a trace without replies. */
  | { kind: 'none' };

export function gatherEvidence(testCase: Case, attempt: Evidence['attempt'], patterns: Patterns): Evidence {
  const { transcript } = attempt;
  const all = transcript.steps.filter((step) => step.phase === 'steps').flatMap((step) => step.calls);
  const calls = all.filter((call) => call.by === 'model');
  return {
    testCase,
    attempt,
    calls,
    judged: testCase.subject.kind === 'tool' ? all.filter((call) => call.by === 'runner') : calls,
    facts: trialFacts(transcript, testCase.route),
    answer: finalAnswer(testCase, attempt),
    endedByRoute: transcript.end.kind === 'stoppedEarly' && testCase.execute === 'untilExpected',
    cutShort: cutShort(transcript.end),
    patterns,
  };
}

function finalAnswer({ subject }: Case, { transcript: { end, steps } }: Evidence['attempt']): FinalAnswer {
  if (subject.kind === 'tool') return { kind: 'none' };
  if (end.kind === 'stoppedEarly') return { kind: 'notWanted' };
  const last = steps.flatMap((step) => step.replies).at(-1);
  if (end.kind === 'completed') return last === undefined ? { kind: 'none' } : { kind: 'whole', text: last.text };
  const isAnswer = end.kind === 'limit' && end.limit === 'maxOutputTokens' && last !== undefined;
  return isAnswer ? { kind: 'beginning', text: last.text } : { kind: 'notReached' };
}

const LIMITS = {
  timeout: 'The trial ran out of time',
  maxTurns: 'The trial ran out of turns',
  context: "The trial ran out of the model's context",
  maxOutputTokens: 'The answer was cut at its token limit',
};

function cutShort(end: TrialEnd): string | null {
  switch (end.kind) {
    case 'completed':
    case 'stoppedEarly':
      return null;
    case 'limit':
      return LIMITS[end.limit];
    case 'errored':
      return 'The trial broke off';
    case 'cancelled':
      return 'The trial was cancelled';
  }
}
