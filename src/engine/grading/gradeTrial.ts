import { McproveError } from '../errors.ts';
import type { Attempt, Check, Reason, Stage, StageName, TrialEnd, Verdict } from '../record.ts';
import { ended } from '../sentence.ts';
import type { Case, Route } from '../suite/model.ts';
import { type StagedCheck, valueChain } from './chain.ts';
import { assertionCheck } from './checks/assertionCheck.ts';
import { type Evaluation, notMeasured } from './checks/evaluation.ts';
import { expectCheck } from './checks/expectCheck.ts';
import { routeCheck } from './checks/routeCheck.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import { listed } from './inWords.ts';
import { caseWarnings, toolsNamedIn, unknownAmong, unknownWarning } from './namedTools.ts';
import { offerOf } from './neverOffered.ts';
import { createPatterns, type Patterns } from './patterns.ts';

export interface Grade {
  verdict: Verdict;
  /** For every verdict but passed. */
  reason?: Reason;
  checks: Check[];
  chain: Stage[];
  /** What a suite most likely does not mean as it stands, though no check fails for it: the same for all trials alike. */
  warnings: string[];
}

/**
 * Grades one trial: every check on what happened, the value chain, the verdict. A trial that errored or was cancelled keeps
 * that verdict whatever its checks say; one that ran out of a limit has failed.
 *
 * @param testCase filled as it was for the trial
 * @param patterns keeps compiled patterns from trial to trial
 */
export function gradeTrial(
  testCase: Case,
  attempt: Pick<Attempt, 'transcript' | 'durationMs' | 'costUsd' | 'unpriced'>,
  patterns: Patterns = createPatterns(),
): Grade {
  const evidence = gatherEvidence(testCase, attempt, patterns);
  const staged = runChecks(evidence);
  const checks = staged.map(({ check }) => check);
  const { verdict, reason } = verdictOf(attempt.transcript.end, checks);
  const chain = valueChain(evidence, staged, verdict);
  const warnings = [...caseWarnings(testCase, offerOf(attempt.transcript)), ...staged.flatMap((each) => each.warnings)];
  if (verdict === 'passed') return { verdict, checks, chain, warnings };
  return { verdict, reason: reason ?? brokenAt(chain, testCase.subject.kind), checks, chain, warnings };
}

/** One for the route, one for the runner's own call, one for each assertion, in this order. */
function runChecks(evidence: Evidence): GradedCheck[] {
  const { route, subject, assertions } = evidence.testCase;
  const staged: GradedCheck[] = [];
  if (route !== null) {
    const about = { at: route.at, kind: 'calls', label: routeLabel(route), role: 'required' as const };
    staged.push(stagedCheck(about, 'toolSelected', () => routeCheck(route, evidence)));
  }
  if (subject.kind === 'tool') {
    const { expect } = subject;
    const about = { at: expect?.at ?? subject.at, kind: 'expect', label: subject.tool, role: 'required' as const };
    staged.push(stagedCheck(about, 'requestSatisfied', () => expectCheck(expect, evidence)));
  }
  for (const assertion of assertions) {
    const { at, kind, label, role } = assertion;
    const checked = stagedCheck({ at, kind, label, role }, 'requestSatisfied', () =>
      assertionCheck(assertion, evidence),
    );
    staged.push(namingUnknown(checked, unknownAmong(toolsNamedIn(assertion), offerOf(evidence.attempt.transcript))));
  }
  return staged;
}

/** `calls: search, fetch or read + close`. */
function routeLabel({ expected }: Route): string {
  const names = expected.map((entry) =>
    'tool' in entry ? entry.tool : entry.anyOf.map((calls) => calls.map(({ tool }) => tool).join(' + ')).join(' or '),
  );
  return `calls: ${names.length === 0 ? 'none' : listed(names, 5)}`;
}

interface GradedCheck extends StagedCheck {
  warnings: string[];
}

function stagedCheck(
  about: Pick<Check, 'at' | 'kind' | 'label' | 'role'>,
  usual: StageName,
  evaluate: () => Evaluation,
): GradedCheck {
  const { stage = usual, wantedErrors = [], ...rest } = evaluated(evaluate);
  return { check: { ...about, ...rest }, stage, wantedErrors, warnings: [] };
}

/**
 * A check that names a tool which does not exist says so. Where it does not fail, nobody would read that, and a misspelt
 * `toolNotCalled` would pass for ever: so it is a warning as well.
 */
function namingUnknown(checked: GradedCheck, unknown: readonly string[]): GradedCheck {
  const { check } = checked;
  if (unknown.length === 0) return checked;
  const told = ended(listed(unknown).replace(/^n/, 'N'));
  const warnings = check.outcome === 'failed' ? [] : unknown.map((each) => unknownWarning(check.kind, each));
  return { ...checked, check: { ...check, reason: `${check.reason} ${told}` }, warnings };
}

/** A check that cannot be carried out, such as one with a pattern that is none, measures nothing. */
function evaluated(evaluate: () => Evaluation): Evaluation {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof McproveError)) throw error;
    return notMeasured(ended(`The check cannot be carried out: ${error.message}`));
  }
}

/** Without a reason where it failed for its checks: the value chain knows where. */
function verdictOf(end: TrialEnd, checks: readonly Check[]): Pick<Grade, 'verdict' | 'reason'> {
  if (end.kind === 'errored' || end.kind === 'cancelled') return { verdict: end.kind, reason: end.reason };
  if (end.kind === 'limit') {
    return { verdict: 'failed', reason: { stage: `limit:${end.limit}`, cause: 'agent', text: end.text } };
  }
  const required = checks.filter((check) => check.role === 'required');
  if (required.some((check) => check.outcome === 'failed')) return { verdict: 'failed' };
  const unmeasured = required.find((check) => check.outcome === 'notMeasured' || check.outcome === 'notReached');
  if (unmeasured !== undefined) {
    return evaluatorError('harness', `${unmeasured.label} was not measured: ${unmeasured.reason}`);
  }
  if (required.some((check) => check.outcome === 'passed')) return { verdict: 'passed' };
  return evaluatorError('config', 'nothing was measured: no required check applies to what happened');
}

function evaluatorError(cause: Reason['cause'], text: string): Pick<Grade, 'verdict' | 'reason'> {
  return { verdict: 'errored', reason: { stage: 'evaluator', cause, text } };
}

/** The first stage that broke, in one line. */
function brokenAt(chain: readonly Stage[], subject: Case['subject']['kind']): Reason {
  const first = chain.find((stage) => stage.state === 'broke');
  const stage = first?.stage ?? 'requestSatisfied';
  const server = stage === 'responseReturned' || subject === 'tool';
  return { stage, cause: server ? 'server' : 'agent', text: first?.evidence ?? 'a required check failed' };
}
