import type { CellFigures, Totals } from '../record.ts';
import type { PassCriterion } from '../suite/model.ts';
import { counted, listed } from './inWords.ts';
import { percent, reaches, staysWithin, writtenBar } from './rates.ts';

/**
 * The rules of evidence that a run misses, one sentence each; [] when its rates may be compared with their bars.
 *
 * Attempted is planned without pending and cancelled; gradeable is passed or failed; completion is gradeable / attempted.
 * `minGradeable` is asked of each cell. Bounds are inclusive, and a rate over nothing satisfies none.
 */
export function evidenceMissed(
  rules: Extract<PassCriterion, { kind: 'cells' }>,
  totals: Totals,
  cells: readonly CellFigures[],
): string[] {
  const attempted = totals.planned - totals.pending - totals.cancelled;
  const gradeable = totals.passed + totals.failed;
  const missed: string[] = [];

  if (rules.minGradeable === null) {
    const left = totals.planned - attempted;
    if (left > 0) missed.push(`${left} of ${counted(totals.planned, 'trial')} not carried out.`);
  } else {
    missed.push(...tooFew(cells, rules.minGradeable));
  }
  // A rate over nothing reaches no bar, whatever minGradeable says.
  const empty = cells.filter((cell) => cell.passRate === null).map((cell) => cell.name);
  if (empty.length > 0) missed.push(`No trial could be graded of ${listed(empty)}.`);
  if (cells.length === 0) missed.push('There is no trial.');

  if (attempted === 0) {
    missed.push('Completion is not measured: no trial was attempted.');
    missed.push('Evaluator errors are not measured: no trial was attempted.');
    return missed;
  }
  if (!reaches(gradeable, attempted, rules.minCompletion)) {
    const bar = writtenBar(rules.minCompletion);
    missed.push(`${share(gradeable, attempted)} could be graded, minCompletion is ${bar}.`);
  }
  if (!staysWithin(totals.evaluatorErrors, attempted, rules.maxEvaluatorErrors)) {
    const bar = writtenBar(rules.maxEvaluatorErrors);
    missed.push(`${share(totals.evaluatorErrors, attempted)} had an evaluator error, maxEvaluatorErrors is ${bar}.`);
  }
  return missed;
}

/** Cells of which less was graded than must be; those of which nothing was are told apart. */
function tooFew(cells: readonly CellFigures[], least: number): string[] {
  return cells.flatMap(({ name, totals: { passed, failed } }) => {
    const graded = passed + failed;
    if (graded === 0 || graded >= least) return [];
    return [`${name}: ${counted(graded, 'trial')} could be graded, minGradeable is ${least}.`];
  });
}

function share(part: number, whole: number): string {
  return `${part} of ${counted(whole, 'attempted trial')} (${percent(part / whole)})`;
}
