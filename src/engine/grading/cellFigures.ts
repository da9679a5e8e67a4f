import type { Cell, CellFigures, Totals } from '../record.ts';
import { reaches } from './rates.ts';
import { passAtK, passHatK, wilson } from './statistics.ts';

/** One cell and what came of its trials. */
export interface CellTotals {
  cell: Cell;
  /** As written everywhere: `<case id>[row id] (variant, model)`. */
  name: string;
  /** The share of its gradeable trials that must pass, in [0, 1]. */
  bar: number;
  totals: Totals;
}

/** @param cutShort the trials not carried out may still have changed it */
export function cellFigures({ cell, name, bar, totals }: CellTotals, cutShort: boolean): CellFigures {
  const { passed, failed } = totals;
  const gradeable = passed + failed;
  const draws = gradeable > 1 ? Array.from({ length: gradeable }, (_, index) => index + 1) : [];
  return {
    cell,
    name,
    totals,
    bar,
    passRate: gradeable === 0 ? null : passed / gradeable,
    interval: gradeable === 0 ? null : wilson(passed, gradeable),
    passAtK: draws.map((k) => passAtK(gradeable, passed, k)),
    passHatK: draws.map((k) => passHatK(gradeable, passed, k)),
    flaky: passed > 0 && failed > 0,
    state: stateAgainstBar(cutShort ? totals : { ...totals, pending: 0, cancelled: 0 }, bar),
  };
}

/**
 * Failed as soon as the bar is out of reach even if everything still to come passes; passed once it is reached whatever comes;
 * undecided between, and over nothing.
 *
 * @param bar share of the gradeable trials that must pass, in [0, 1]
 */
export function stateAgainstBar({ passed, failed, pending, cancelled }: Totals, bar: number): CellFigures['state'] {
  const gradeable = passed + failed;
  const open = pending + cancelled;
  if (gradeable > 0 && !reaches(passed + open, gradeable + open, bar)) return 'failed';
  return gradeable > 0 && reaches(passed, gradeable + open, bar) ? 'passed' : 'undecided';
}
