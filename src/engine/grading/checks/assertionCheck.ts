import type { StageName } from '../../record.ts';
import type { Assertion, AssertionBody, AssertionKind } from '../../suite/model.ts';
import type { Evidence } from '../evidence.ts';
import { argumentsValid, noToolErrors, resultsValid } from './callChecks.ts';
import { type Evaluation, notApplicable, notMeasured, onTheWhole, passed } from './evaluation.ts';
import { limits } from './limits.ts';
import { type Needs, obstacle } from './obstacle.ts';
import { response, responseContains, responseJson, responseMatches, responseNotEmpty } from './responseChecks.ts';
import { result, resultContains } from './resultChecks.ts';
import { toolCalled, toolNotCalled } from './toolCalled.ts';
import { firstTool, lastTool, onlyTools, toolOrder } from './toolNames.ts';

type ValueOf<K extends AssertionKind> = Extract<AssertionBody, { kind: K }>['value'];

interface Row<K extends AssertionKind> {
  needs: Needs;
  /** The stage of the value chain that breaks when it fails. */
  stage: StageName;
  evaluate(value: ValueOf<K>, evidence: Evidence, inherited: boolean): Evaluation;
}

/** One evaluator for each kind of assertion. */
const TABLE: { readonly [K in AssertionKind]: Row<K> } = {
  toolCalled: { needs: 'modelCalls', stage: 'toolSelected', evaluate: toolCalled },
  toolNotCalled: { needs: 'modelCalls', stage: 'toolSelected', evaluate: toolNotCalled },
  onlyTools: { needs: 'modelCalls', stage: 'toolSelected', evaluate: onlyTools },
  firstTool: { needs: 'modelCalls', stage: 'toolSelected', evaluate: firstTool },
  lastTool: { needs: 'modelCalls', stage: 'toolSelected', evaluate: lastTool },
  toolOrder: { needs: 'modelCalls', stage: 'toolSelected', evaluate: toolOrder },
  noToolErrors: { needs: 'results', stage: 'responseReturned', evaluate: (_, evidence) => noToolErrors(evidence) },
  argumentsValid: { needs: 'calls', stage: 'toolCalled', evaluate: (_, evidence) => argumentsValid(evidence) },
  resultsValid: { needs: 'results', stage: 'responseReturned', evaluate: resultsValid },
  result: { needs: 'results', stage: 'requestSatisfied', evaluate: result },
  resultContains: { needs: 'results', stage: 'requestSatisfied', evaluate: resultContains },
  response: { needs: 'answer', stage: 'requestSatisfied', evaluate: response },
  responseJson: { needs: 'answer', stage: 'requestSatisfied', evaluate: responseJson },
  responseContains: { needs: 'answer', stage: 'requestSatisfied', evaluate: responseContains },
  responseMatches: { needs: 'answer', stage: 'requestSatisfied', evaluate: responseMatches },
  responseNotEmpty: {
    needs: 'answer',
    stage: 'requestSatisfied',
    evaluate: (_, evidence) => responseNotEmpty(evidence),
  },
  limits: { needs: 'figures', stage: 'requestSatisfied', evaluate: limits },
};

/** @returns what was found, with the stage of the value chain that it belongs to */
export function assertionCheck(assertion: Assertion, evidence: Evidence): Evaluation & { stage: StageName } {
  return check(assertion.kind, assertion.value as ValueOf<typeof assertion.kind>, assertion.inherited, evidence);
}

function check<K extends AssertionKind>(kind: K, value: ValueOf<K>, inherited: boolean, evidence: Evidence) {
  const row: Row<K> = TABLE[kind];
  const evaluation = hindered(row.needs, kind, inherited, evidence) ?? row.evaluate(value, evidence, inherited);
  return { stage: row.stage, ...evaluation };
}

function hindered(needs: Needs, kind: AssertionKind, inherited: boolean, evidence: Evidence): Evaluation | null {
  if (needs === 'answer' && evidence.answer.kind === 'notReached') return onTheWhole(evidence, passed(''));
  const found = obstacle(needs, kind, evidence);
  if (found === null || (found.own === 'evaluated' && !inherited)) return null;
  if (inherited || found.own === 'notApplicable') return notApplicable(found.why);
  return notMeasured(found.why);
}
