import type { Call, StageName } from '../../record.ts';
import { failureText, isUnanswered } from '../answer.ts';
import type { Evidence } from '../evidence.ts';
import { counted, listed } from '../inWords.ts';
import { type Evaluation, failed, notApplicable, notMeasured, onTheWhole, passed } from './evaluation.ts';

/** A call that the end of the trial cut off is no tool's error. */
export function isToolError(call: Call): boolean {
  return call.error === undefined ? call.result?.isError === true : call.error.kind !== 'cancelled';
}

/** Errors in how a tool was called, rather than in what came back. */
export function isCallingError(call: Call): boolean {
  const kind = call.error?.kind;
  return kind === 'protocol' || kind === 'unknownTool' || kind === 'invalidArguments';
}

export function noToolErrors(evidence: Evidence): Evaluation {
  const { judged, testCase } = evidence;
  const broken = judged.filter(isToolError);
  if (broken.length > 0) {
    const stage: StageName = broken.some(isCallingError) ? 'toolCalled' : 'responseReturned';
    const reasons = broken.map((call) => `${call.tool} ${failureText(call)}`);
    return failed(`The call of ${listed(reasons)}.`, {
      actual: broken.map((call) => call.error?.kind ?? 'content'),
      stage,
    });
  }
  const silent = judged.filter(isUnanswered).length;
  // What a trial stopped before it ran is not part of it; what a trace does not hold is evidence that is missing.
  if (silent > 0 && testCase.subject.kind === 'trace') {
    return notMeasured(`${counted(silent, 'call')} of ${judged.length} without a result in the trace.`);
  }
  const answered = judged.length - silent;
  if (testCase.execute === false && silent > 0) return notApplicable('No tool runs in this case.');
  return onTheWhole(evidence, passed(answered === 0 ? 'No tool ran.' : `${counted(answered, 'call')}, no error.`));
}

export function argumentsValid(evidence: Evidence): Evaluation {
  // Arguments that could not even be read, or that the server itself refused, have no verdict of a schema.
  const valid = (call: Call): boolean | null =>
    call.argumentsValid ?? (call.error?.kind === 'invalidArguments' ? false : null);
  return validity(evidence.judged, valid, 'arguments', 'input schema', evidence);
}

export function resultsValid({ last }: { last: boolean }, evidence: Evidence): Evaluation {
  const calls = last ? lastOfEach(evidence.judged) : evidence.judged;
  return validity(calls, (call) => call.resultValid, 'result', 'output schema', evidence, last);
}

function validity(
  calls: readonly Call[],
  verdictOf: (call: Call) => boolean | null,
  what: string,
  schema: string,
  evidence: Evidence,
  last = false,
): Evaluation {
  const invalid = calls.filter((call) => verdictOf(call) === false).map((call) => call.tool);
  const reason = `The ${what} of ${listed(invalid)} ${what === 'result' ? 'does' : 'do'} not satisfy the ${schema}.`;
  if (invalid.length > 0) {
    const evaluation = failed(reason, { actual: invalid });
    // The last call so far need not be the last of all.
    return last ? onTheWhole(evidence, evaluation) : evaluation;
  }
  const checked = calls.filter((call) => verdictOf(call) === true).length;
  if (checked > 0)
    return onTheWhole(evidence, passed(`${checked} of ${counted(calls.length, 'call')} checked, all valid.`));
  const why = calls.length === 0 ? 'No tool was called.' : `No call has an ${schema} to be checked against.`;
  return onTheWhole(evidence, notApplicable(why));
}

function lastOfEach(calls: readonly Call[]): Call[] {
  return [...new Map(calls.map((call) => [`${call.server ?? ''}::${call.tool}`, call])).values()];
}
