/** Cases and attempts with the defaults that most rows of a table want. */
import { type Grade, gradeTrial } from '../../../src/engine/grading/index.ts';
import type {
  Attempt,
  Call,
  CallErrorKind,
  Check,
  Limit,
  Reason,
  Reply,
  TrialEnd,
  Usage,
} from '../../../src/engine/record.ts';
import type { Assertion, AssertionBody, Case, Subject } from '../../../src/engine/suite/model.ts';
import { plainCase } from '../../fixtures/plainCase.ts';
import { call, MATCH, result } from './build.ts';

export const PROMPT: Subject = { kind: 'prompt', at: '/cases/0/prompt', prompt: 'How is the weather?' };
export const TOOL: Subject = { kind: 'tool', at: '/cases/0/tool', tool: 'a', arguments: {}, expect: null };
export const TRACE: Subject = { kind: 'trace', at: '/cases/0/trace', path: '/suite/trace.json' };

const COMPLETED: TrialEnd = { kind: 'completed' };
export const STOPPED: TrialEnd = { kind: 'stoppedEarly' };
export const OUT_OF_TURNS: TrialEnd = {
  kind: 'limit',
  limit: 'maxTurns',
  text: 'the model still called tools in reply 20',
};
export const PROVIDER_DOWN: TrialEnd = {
  kind: 'errored',
  reason: { stage: 'model', cause: 'provider', text: 'the provider answered 503' },
};

export function caseOf(more: Partial<Case> = {}): Case {
  return plainCase({ id: 'case', name: 'case', subject: PROMPT, match: MATCH, ...more });
}

export function assertion(body: AssertionBody, more: Partial<Assertion> = {}): Assertion {
  return {
    at: '/cases/0/assert/0',
    label: body.kind,
    role: 'required',
    inherited: false,
    ...body,
    ...more,
  } as Assertion;
}

const USAGE: Usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 0, reasoningTokens: 0 };

export function reply(text: string, more: Partial<Reply> = {}): Reply {
  return { text, calls: [], finish: 'stop', usage: USAGE, startMs: 0, durationMs: 100, warnings: [], ...more };
}

export interface Happened {
  calls?: readonly Call[];
  /** Of the last reply; null for no reply at all. */
  answer?: string | null;
  replies?: readonly Reply[];
  end?: TrialEnd;
  durationMs?: number;
  costUsd?: number;
  unpriced?: string;
  offered?: readonly string[];
}

export function attemptOf(subject: Subject, happened: Happened): Attempt {
  const { calls = [], answer = subject.kind === 'prompt' ? 'It is mild.' : null, end = COMPLETED } = happened;
  const replies = happened.replies ?? (answer === null ? [] : [reply(answer)]);
  const offered = happened.offered ?? (subject.kind === 'trace' ? [] : ['a', 'b', 'c']);
  return {
    transcript: {
      offered: offered.map((tool) => ({ server: 'files', tool, hash: '0' })),
      toolListChanged: false,
      steps: [
        { kind: subject.kind, phase: 'steps', input: {}, replies: [...replies], calls: [...calls], durationMs: 1000 },
      ],
      end,
    },
    usage: USAGE,
    costUsd: happened.costUsd ?? null,
    ...(happened.unpriced === undefined ? {} : { unpriced: happened.unpriced }),
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: happened.durationMs ?? (subject.kind === 'trace' ? 0 : 1000),
  };
}

export function grade(testCase: Partial<Case>, happened: Happened = {}): Grade {
  const filled = caseOf(testCase);
  return gradeTrial(filled, attemptOf(filled.subject, happened));
}

/** The check of one assertion. */
export function checkOf(body: AssertionBody, happened: Happened, more: Partial<Case> = {}, inherited = false): Check {
  const check = grade({ ...more, assertions: [assertion(body, { inherited })] }, happened).checks.at(-1);
  if (check === undefined) throw new Error('no check');
  return check;
}

export const notEmpty = assertion({ kind: 'responseNotEmpty', value: null });

export function says(word: string, more: Partial<Assertion> = {}): Assertion {
  return assertion({ kind: 'responseContains', value: [[word]] }, more);
}

/** One call of `a` with an error of this kind. */
export function callThatEnded(kind: CallErrorKind): Happened {
  const isError = kind === 'content' ? { result: result('no', { isError: true }) } : {};
  return { calls: [call('a', {}, { error: { kind, text: 'why' }, ...isError })] };
}

export function errored(stage: string, cause: Reason['cause']): TrialEnd {
  return { kind: 'errored', reason: { stage, cause, text: `${stage} did not go well` } };
}

export function outOf(name: Limit): TrialEnd {
  return { kind: 'limit', limit: name, text: `out of ${name}` };
}
