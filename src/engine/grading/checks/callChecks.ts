import type { Call, Json, StageName } from '../../record.ts';
import { ended } from '../../sentence.ts';
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

/** Calls that a check shows, at most. */
const SHOWN = 20;
/** Characters of an error's text that is shown: whole or not at all, for half a secret is one that nobody recognises. */
const LONGEST = 2000;

/** Which calls failed with what, where the reason has no room for all of it. */
function shownErrors(broken: readonly Call[], reasons: readonly string[]): { actual?: Json } {
  const texts = broken.map((call) => call.error?.text.trim() ?? '');
  if (broken.length === 1 && reasons[0]?.endsWith(texts[0]?.replace(/\.+$/, '') ?? '')) return {};
  const shown = broken.map(({ tool }, index) => {
    const text = texts[index] ?? '';
    return text === '' || text.length > LONGEST ? (reasons[index] ?? tool) : `${tool}: ${text}`;
  });
  return { actual: shown.slice(0, SHOWN) };
}

export function noToolErrors(evidence: Evidence): Evaluation {
  const { judged, testCase } = evidence;
  const broken = judged.filter(isToolError);
  if (broken.length > 0) {
    const stage: StageName = broken.some(isCallingError) ? 'toolCalled' : 'responseReturned';
    const reasons = broken.map((call) => `${call.tool} ${failureText(call)}`);
    return failed(ended(`The call of ${listed(reasons)}`), {
      ...shownErrors(broken, reasons),
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
  return validity(evidence.judged, validityOfArguments, { part: 'arguments', schema: 'input schema' }, evidence);
}

export function resultsValid({ last }: { last: boolean }, evidence: Evidence): Evaluation {
  const calls = last ? lastOfEach(evidence.judged) : evidence.judged;
  return validity(calls, validityOfResult, { part: 'result', schema: 'output schema', last }, evidence);
}

/** Arguments that could not even be read, or that the server itself refused, have no verdict of a schema. */
export function validityOfArguments(call: Call): Validity {
  const { argumentsValid: valid, argumentsProblems = [], argumentsUnchecked } = call;
  const isRefused = valid === null && call.error?.kind === 'invalidArguments';
  return isRefused
    ? { valid: false, problems: [failureText(call)] }
    : { valid, problems: argumentsProblems, unchecked: argumentsUnchecked };
}

export function validityOfResult({ resultValid: valid, resultProblems = [], resultUnchecked }: Call): Validity {
  return { valid, problems: resultProblems, unchecked: resultUnchecked };
}

/** What a schema said of the arguments or of the result of a call. */
interface Validity {
  valid: boolean | null;
  problems: readonly string[];
  /** Why it said nothing; undefined where there is none. */
  unchecked?: string | undefined;
}

/** ` (/due must match format "date"; missing required title)`. */
export function because({ problems }: Pick<Validity, 'problems'>): string {
  return problems.length === 0 ? '' : ` (${problems.join('; ')})`;
}

function validity(
  calls: readonly Call[],
  of: (call: Call) => Validity,
  { part, schema, last = false }: { part: 'arguments' | 'result'; schema: string; last?: boolean },
  evidence: Evidence,
): Evaluation {
  const invalid = calls.filter((call) => of(call).valid === false);
  if (invalid.length > 0) {
    const told = invalid.map((call) => `${call.tool}${because(of(call))}`);
    const reason = `The ${part} of ${listed(told)} ${part === 'result' ? 'does' : 'do'} not satisfy the ${schema}`;
    const evaluation = failed(`${reason}.`, {
      ...(told.length > 1 ? { actual: told.slice(0, SHOWN) } : {}),
    });
    // The last call so far need not be the last of all.
    return last ? onTheWhole(evidence, evaluation) : evaluation;
  }
  const [unchecked] = calls.filter((call) => of(call).unchecked !== undefined);
  if (unchecked !== undefined) {
    const why = of(unchecked).unchecked ?? '';
    return notMeasured(ended(`The ${part} of ${unchecked.tool} could not be checked: ${why}`));
  }
  const checked = calls.filter((call) => of(call).valid === true).length;
  if (checked > 0)
    return onTheWhole(evidence, passed(`${checked} of ${counted(calls.length, 'call')} checked, all valid.`));
  const why = calls.length === 0 ? 'No tool was called.' : `No call has an ${schema} to be checked against.`;
  return onTheWhole(evidence, notApplicable(why));
}

function lastOfEach(calls: readonly Call[]): Call[] {
  return [...new Map(calls.map((call) => [`${call.server ?? ''}::${call.tool}`, call])).values()];
}
