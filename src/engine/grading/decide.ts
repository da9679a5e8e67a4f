import type { CellFigures, RunEnd, Totals } from '../record.ts';
import type { PassCriterion, Suite } from '../suite/model.ts';
import { type CellTotals, cellFigures, stateAgainstBar } from './cellFigures.ts';
import { evidenceMissed } from './evidenceRules.ts';
import { counted, listed } from './inWords.ts';
import { percent, writtenBar } from './rates.ts';
import { wilson } from './statistics.ts';

type RunDecision = Pick<RunEnd, 'decision' | 'reasons' | 'warnings' | 'totals' | 'passRate' | 'interval' | 'cells'>;

export interface DecisionInput {
  suite: Pick<Suite, 'pass'>;
  cells: readonly CellTotals[];
  /** Set when the run did not carry out its plan. */
  stopped: { by: 'user' | 'bail' | 'maxCost' | 'storage' } | null;
}

/**
 * Whether a run passed. A cell is judged against its bar only where the evidence suffices; a bar that is out of reach decides
 * whatever evidence is missing elsewhere, and also in a run that was cut short.
 */
export function decide({ suite, cells, stopped }: DecisionInput): RunDecision {
  const totals = sum(cells.map((cell) => cell.totals));
  const gradeable = totals.passed + totals.failed;
  const figures = {
    totals,
    passRate: gradeable === 0 ? null : totals.passed / gradeable,
    interval: gradeable === 0 ? null : wilson(totals.passed, gradeable),
    cells: cells.map((cell) => cellFigures(cell, stopped !== null)),
  };
  const warnings = warningsOf(totals, figures.cells);
  if (stopped?.by === 'user') {
    return { ...figures, decision: 'cancelled', reasons: [`Stopped by the user${notCarriedOut(totals)}.`], warnings };
  }
  // What a full disk took is not told by counts: its trials are counted, and lost all the same.
  const cutShort = stopped !== null && (stopped.by === 'storage' || totals.pending + totals.cancelled > 0);
  const reached =
    suite.pass.kind === 'cells'
      ? decideByCells(suite.pass, figures, cutShort)
      : decideByTrials(suite.pass, totals, cutShort);
  const reasons = cutShort
    ? [`Cut short by ${STOPPERS[stopped.by]}${notCarriedOut(totals)}.`, ...reached.reasons]
    : reached.reasons;
  return { ...figures, decision: reached.decision, reasons, warnings };
}

const STOPPERS = { bail: '--bail', maxCost: '--max-cost', storage: 'an error of the disk', user: 'the user' };

type Reached = Pick<RunDecision, 'decision' | 'reasons'>;

function decideByCells(
  criterion: Extract<PassCriterion, { kind: 'cells' }>,
  { totals, cells }: Pick<RunDecision, 'totals' | 'cells'>,
  cutShort: boolean,
): Reached {
  const under = cells.filter((cell) => cell.state === 'failed');
  if (cutShort) return { decision: under.length > 0 ? 'failed' : 'inconclusive', reasons: under.map(missedBar) };
  const missed = evidenceMissed(criterion, totals, cells);
  const certain = isMeasured(criterion, cells) ? under : under.filter(isOutOfReach);
  if (certain.length > 0) return { decision: 'failed', reasons: [...certain.map(missedBar), ...missed] };
  if (missed.length > 0) return { decision: 'inconclusive', reasons: missed };
  return { decision: 'passed', reasons: ['Every cell reached its bar.'] };
}

function missedBar({ name, totals: { passed, failed }, bar }: CellFigures): string {
  const rate = passed + failed === 0 ? '' : ` (${percent(passed / (passed + failed))})`;
  return `${name}: ${passed} of ${counted(passed + failed, 'trial')} passed${rate}, the bar is ${writtenBar(bar)}.`;
}

/** Does the evidence suffice of those cells of which there is any? One that nothing is known of takes nothing from the others. */
function isMeasured(criterion: Extract<PassCriterion, { kind: 'cells' }>, cells: readonly CellFigures[]): boolean {
  const measured = cells.filter((cell) => cell.passRate !== null);
  return evidenceMissed(criterion, sum(measured.map((cell) => cell.totals)), measured).length === 0;
}

/** Under its bar even if every trial without a verdict had passed: a failure that no further evidence could take back. */
function isOutOfReach({ totals, bar }: CellFigures): boolean {
  return stateAgainstBar({ ...totals, pending: totals.pending + totals.errored }, bar) === 'failed';
}

function decideByTrials({ bar }: { bar: number }, totals: Totals, cutShort: boolean): Reached {
  const { passed, failed } = totals;
  if (passed + failed === 0) return { decision: 'inconclusive', reasons: ['No trial could be graded.'] };
  const said = `${passed} of ${counted(passed + failed, 'trial')} passed (${percent(passed / (passed + failed))}), the bar is ${writtenBar(bar)}.`;
  const state = stateAgainstBar(cutShort ? totals : { ...totals, pending: 0, cancelled: 0 }, bar);
  if (state === 'failed') return { decision: 'failed', reasons: [said] };
  return { decision: cutShort ? 'inconclusive' : 'passed', reasons: [said] };
}

function notCarriedOut({ pending, cancelled, planned }: Totals): string {
  const left = pending + cancelled;
  return left === 0 ? '' : `: ${left} of ${counted(planned, 'trial')} not carried out`;
}

function warningsOf({ errored, evaluatorErrors, planned }: Totals, cells: RunDecision['cells']): string[] {
  const warnings: string[] = [];
  if (errored > 0) {
    const how = evaluatorErrors > 0 ? `, ${evaluatorErrors} of them for want of evidence` : '';
    warnings.push(`${errored} of ${counted(planned, 'trial')} could not be graded${how}.`);
  }
  const flaky = cells.filter((cell) => cell.flaky).map((cell) => cell.name);
  if (flaky.length > 0) warnings.push(`Both passed and failed: ${listed(flaky)}.`);
  return warnings;
}

function sum(all: readonly Totals[]): Totals {
  const total = { planned: 0, passed: 0, failed: 0, errored: 0, cancelled: 0, pending: 0, evaluatorErrors: 0 };
  for (const each of all) for (const key of Object.keys(total) as (keyof Totals)[]) total[key] += each[key];
  return total;
}
