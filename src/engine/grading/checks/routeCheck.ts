import type { CallErrorKind, Discrepancy, StageName } from '../../record.ts';
import { ended } from '../../sentence.ts';
import type { Route } from '../../suite/model.ts';
import { isUnanswered } from '../answer.ts';
import type { Evidence } from '../evidence.ts';
import { counted, listed } from '../inWords.ts';
import { offerOf } from '../neverOffered.ts';
import { counts, matchCalls, type RouteResult } from '../route.ts';
import { discrepancySentence } from '../sentences.ts';
import { type Evaluation, failed, notMeasured, onTheWhole, passed } from './evaluation.ts';

/** The expected route. At which stages of the value chain it shows, `valueChain` works out. */
export function routeCheck(route: Route, evidence: Evidence): Evaluation {
  const { testCase, attempt, calls, patterns } = evidence;
  const found = matchCalls(route, calls, testCase.match, {
    ...offerOf(attempt.transcript),
    requireSuccess: testCase.execute !== false,
    patterns,
  });
  const more = { diff: kept(found.discrepancies), wantedErrors: wantedErrors(route, found) };
  if (found.outcome === 'notMeasured') {
    const tools = calls.filter((call) => found.undecided.includes(call.id)).map((call) => call.tool);
    const unanswered = calls.some((call) => found.undecided.includes(call.id) && isUnanswered(call));
    return notMeasured(`The result of ${listed(tools)} is ${unanswered ? 'missing' : 'cut off'} in the record.`, {
      wantedErrors: more.wantedErrors,
    });
  }
  const counting = found.discrepancies.filter(counts);
  if (counting.length > 0) {
    const evaluation = failed(ended(listed(counting.map(discrepancySentence), 2)), more);
    return counting.some((each) => isCertain(each, testCase.match.order))
      ? evaluation
      : onTheWhole(evidence, evaluation);
  }
  const evaluation = passed(passedReason(route, found), more);
  return restsOnAbsence(route, evidence) ? onTheWhole(evidence, evaluation) : evaluation;
}

/** Discrepancies kept in a check. */
const MOST_KEPT = 1000;

/** Of too many the first, those that count before the others; the reason says how many there are. */
function kept(found: Discrepancy[]): Discrepancy[] {
  if (found.length <= MOST_KEPT) return found;
  return [...found.filter(counts), ...found.filter((each) => !counts(each))].slice(0, MOST_KEPT);
}

/** Nothing that may still follow takes back a call too many; or, where each has its place, one in a wrong place. */
function isCertain({ kind }: Discrepancy, order: string): boolean {
  return kind === 'extra' || (order === 'exact' && kind !== 'missing');
}

/** True where one more call could make it fail. */
function restsOnAbsence({ expected }: Route, { testCase: { match } }: Evidence): boolean {
  const hasMost = expected.some((entry) =>
    'anyOf' in entry ? entry.anyOf.flat().some((each) => each.count !== null) : entry.count !== null,
  );
  return expected.length === 0 || match.order === 'exact' || match.extras !== 'allow' || hasMost;
}

function passedReason({ expected }: Route, { met, discrepancies }: RouteResult): string {
  if (expected.length === 0) return 'No tool was called, as expected.';
  const others = discrepancies.length === 0 ? '' : `, and ${counted(discrepancies.length, 'other')}, which may be`;
  return `${met.length === 1 ? 'The expected call was' : `All ${met.length} expected calls were`} made${others}.`;
}

function wantedErrors({ expected }: Route, { met }: RouteResult): string[] {
  const all = expected.flatMap((entry) => ('anyOf' in entry ? entry.anyOf.flat() : [entry]));
  const wanting = new Set(all.filter((each) => each.result?.isError === true).map((each) => each.at));
  return met.filter((each) => wanting.has(each.at)).map((each) => each.call);
}

const STAGE_OF_ERROR: Partial<Record<CallErrorKind, StageName>> = {
  unknownTool: 'toolSelected',
  protocol: 'toolCalled',
  invalidArguments: 'toolCalled',
};

/** The stage of the value chain at which a discrepancy breaks it. */
export function stageOfDiscrepancy(discrepancy: Discrepancy): StageName {
  if (discrepancy.kind === 'argumentMismatch') return 'toolCalled';
  if (discrepancy.kind !== 'missing' || discrepancy.refused === undefined) return 'toolSelected';
  return STAGE_OF_ERROR[discrepancy.refused.kind ?? 'content'] ?? 'responseReturned';
}
