import type { Call, Check, Stage, StageName, TrialEnd, Verdict } from '../record.ts';
import { ended } from '../sentence.ts';
import { answerOf, failureText } from './answer.ts';
import { because, isCallingError, isToolError, validityOfArguments, validityOfResult } from './checks/callChecks.ts';
import { stageOfDiscrepancy } from './checks/routeCheck.ts';
import type { Evidence } from './evidence.ts';
import { counted, listed } from './inWords.ts';
import { counts } from './route.ts';
import { discrepancySentence } from './sentences.ts';

/** A check with what the value chain wants to know of it. */
export interface StagedCheck {
  check: Check;
  stage: StageName;
  /** Ids of calls whose error was asked for. */
  wantedErrors: readonly string[];
}

const ORDER: readonly StageName[] = [
  'sessionConnected',
  'toolsDiscovered',
  'toolSelected',
  'toolCalled',
  'responseReturned',
  'requestSatisfied',
];

type Finding = Omit<Stage, 'stage'>;

/**
 * The user-value chain: how far the way from a session to a satisfied request went, and where it broke first. What lies
 * behind a break is not reached, unless it was measured all the same; in a trial that passed, a break kept nothing back.
 */
export function valueChain(evidence: Evidence, checks: readonly StagedCheck[], verdict: Verdict): Stage[] {
  const findings: Record<StageName, Finding> = {
    sessionConnected: session(evidence),
    toolsDiscovered: discovery(evidence),
    toolSelected: selection(evidence, checks),
    toolCalled: calling(evidence, checks),
    responseReturned: answering(evidence, checks),
    requestSatisfied: satisfaction(evidence, checks),
  };
  const chain = ORDER.map((stage): Stage => ({ stage, ...findings[stage] }));
  const first = chain.findIndex((stage) => stage.state === 'broke');
  if (first === -1 || verdict === 'passed') return chain;
  const behind = `Not reached: ${chain[first]?.evidence ?? ''}`;
  return chain.map((stage, index) =>
    index > first && stage.state === 'notMeasured' ? { ...stage, state: 'notReached', evidence: behind } : stage,
  );
}

const ok = (evidence: string): Finding => ({ state: 'ok', evidence });
const broke = (evidence: string): Finding => ({ state: 'broke', evidence });
const notReached = (evidence: string): Finding => ({ state: 'notReached', evidence });
const notMeasured = (evidence: string): Finding => ({ state: 'notMeasured', evidence });

function session({ attempt: { transcript }, testCase, calls }: Evidence): Finding {
  const { end, offered } = transcript;
  if (failedAt(end, 'connect')) return broke(reasonText(end));
  const servers = [...new Set(offered.map((tool) => tool.server))];
  if (servers.length > 0) return ok(`Connected to ${listed(servers)}.`);
  if (testCase.subject.kind === 'trace') return notMeasured('A trace was read; no session was opened.');
  if (failedAt(end, 'discover') || calls.some((call) => call.server !== null)) return ok('The handshake was made.');
  return unstarted(end) ?? notMeasured('No server offered anything.');
}

function discovery({ attempt: { transcript }, testCase }: Evidence): Finding {
  const { end, offered } = transcript;
  if (failedAt(end, 'discover')) return broke(reasonText(end));
  if (offered.length > 0) return ok(`${counted(offered.length, 'tool')} offered.`);
  if (testCase.subject.kind === 'trace') return notMeasured('A trace was read; no tools were listed.');
  return unstarted(end) ?? notMeasured('No tool was offered.');
}

function failedAt(end: TrialEnd, stage: string): boolean {
  return end.kind === 'errored' && end.reason.stage === stage;
}

function unstarted(end: TrialEnd): Finding | null {
  return end.kind === 'errored' || end.kind === 'cancelled' ? notReached(reasonText(end)) : null;
}

function reasonText(end: TrialEnd): string {
  return 'reason' in end ? end.reason.text : '';
}

/** No missing, extra or out-of-order call. */
function selection(evidence: Evidence, checks: readonly StagedCheck[]): Finding {
  if (evidence.testCase.subject.kind === 'tool') return notMeasured('The runner made the call.');
  return judged('toolSelected', checks) ?? notMeasured('No particular tool is expected.');
}

/** No argument mismatch, no schema or protocol error. */
function calling(evidence: Evidence, checks: readonly StagedCheck[]): Finding {
  const found = judged('toolCalled', checks);
  if (found?.state === 'broke') return found;
  const { broken, mended } = faults(evidence, checks, miscall);
  if (broken !== null) return broke(broken);
  const made = evidence.judged.length;
  if (made === 0) return found?.state === 'notReached' ? found : notMeasured('No tool was called.');
  return ok(`${counted(made, 'call')} made${mended}.`);
}

/** No `isError`, every result valid. */
function answering(evidence: Evidence, checks: readonly StagedCheck[]): Finding {
  const found = judged('responseReturned', checks);
  if (found?.state === 'broke') return found;
  const { broken, mended } = faults(evidence, checks, misanswer);
  if (broken !== null) return broke(broken);
  const answers = evidence.judged.filter((call) => answerOf(call) !== null).length;
  return answers === 0
    ? notMeasured('No tool returned anything.')
    : ok(`${counted(answers, 'result')} returned${mended}.`);
}

function miscall(call: Call): string | null {
  if (isCallingError(call)) return ended(`The call of ${call.tool} ${failureText(call)}`);
  const found = validityOfArguments(call);
  return found.valid === false
    ? `The arguments of ${call.tool} do not satisfy its input schema${because(found)}.`
    : null;
}

function misanswer(call: Call): string | null {
  if (isToolError(call) && !isCallingError(call)) return ended(`The call of ${call.tool} ${failureText(call)}`);
  const found = validityOfResult(call);
  return found.valid === false
    ? `The result of ${call.tool} does not satisfy its output schema${because(found)}.`
    : null;
}

/** The first fault that was neither asked for nor mended: by a later call of the same tool that went well. */
function faults(
  { judged: calls }: Evidence,
  checks: readonly StagedCheck[],
  faultOf: (call: Call) => string | null,
): { broken: string | null; mended: string } {
  const wanted = new Set(checks.flatMap((each) => each.wantedErrors));
  let mended = 0;
  for (const [index, call] of calls.entries()) {
    const fault = wanted.has(call.id) ? null : faultOf(call);
    if (fault === null) continue;
    const isMended = calls
      .slice(index + 1)
      .some((later) => later.tool === call.tool && later.server === call.server && wentWell(later));
    if (!isMended) return { broken: fault, mended: '' };
    mended += 1;
  }
  return { broken: null, mended: mended === 0 ? '' : `, after ${counted(mended, 'vain attempt')}` };
}

function wentWell(call: Call): boolean {
  return answerOf(call)?.isError === false && call.argumentsValid !== false && call.resultValid !== false;
}

/** All other required checks, within the trial's limits. */
function satisfaction({ attempt: { transcript } }: Evidence, checks: readonly StagedCheck[]): Finding {
  const found = judged('requestSatisfied', checks);
  if (found?.state === 'broke') return found;
  const { end } = transcript;
  if (end.kind === 'limit') return broke(end.text);
  return unstarted(end) ?? found ?? notMeasured('Nothing else is required.');
}

/** What the required checks of one stage come to: the worst of them; null where none says anything. */
function judged(stage: StageName, checks: readonly StagedCheck[]): Finding | null {
  const here = checks.flatMap((each) => findingsOf(each, stage));
  for (const state of ['broke', 'notMeasured', 'notReached', 'ok'] as const) {
    const found = here.filter((finding) => finding.state === state);
    const [first] = found;
    if (first === undefined) continue;
    if (state !== 'broke' || found.length === 1) return first;
    return broke(`${first.evidence.replace(/\.$/, '')} (and ${found.length - 1} more).`);
  }
  return null;
}

const STATES = { passed: 'ok', failed: 'broke', notMeasured: 'notMeasured', notReached: 'notReached' } as const;

function findingsOf({ check, stage }: StagedCheck, at: StageName): Finding[] {
  if (check.role !== 'required' || check.outcome === 'notApplicable') return [];
  // The route alone speaks at several stages.
  if (check.outcome === 'failed' && check.diff !== undefined) {
    const counting = check.diff.filter(counts);
    const here = counting.filter((discrepancy) => stageOfDiscrepancy(discrepancy) === at);
    if (here.length > 0) return here.map((discrepancy) => broke(ended(discrepancySentence(discrepancy))));
    return at === 'toolSelected' ? [ok('The expected tools were called.')] : [];
  }
  // The right tool with other arguments.
  if (check.kind === 'toolCalled' && stage === 'toolCalled' && at === 'toolSelected')
    return [ok('The expected tools were called.')];
  return stage === at ? [{ state: STATES[check.outcome], evidence: check.reason }] : [];
}
