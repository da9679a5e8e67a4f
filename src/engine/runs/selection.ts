import type { Cell } from '../record.ts';
import type { Case } from '../suite/model.ts';
import { fitsPattern } from './cellName.ts';
import { type LastVerdict, needsRun } from './lastVerdicts.ts';

/** Which part of a suite to run; what is left out narrows nothing. All that is given must hold. */
export interface Selection {
  /**
   * Cell names or case ids, `*` standing for any characters, or where no cell is called so the exact `name` of a case; one
   * of them must fit.
   */
  cells?: readonly string[];
  /** A case must have one of them. */
  tags?: readonly string[];
  /** As `lastVerdicts` gives them: of the cells those that did not pass. */
  failedOf?: readonly LastVerdict[];
}

/** Whether a case may hold selected cells: its tags fit. */
export function selectsCase(selection: Selection, testCase: Case): boolean {
  const { tags } = selection;
  return tags === undefined || testCase.tags.some((tag) => tags.includes(tag));
}

/** A cell with what it may be asked for by. */
interface NamedCell {
  cell: Cell;
  name: string;
  case: Pick<Case, 'name'>;
}

/** Whether a cell of a selected case is selected. @param fits as `cellFilter` gives it */
export function selectsCell({ failedOf }: Selection, cell: Cell, fits: boolean): boolean {
  if (!fits) return false;
  return failedOf === undefined || needsRun(failedOf, cell);
}

/**
 * Which cells each pattern means: those whose name or case id it fits; where there are none, those whose case has exactly
 * that `name`.
 *
 * @param all every cell of the suite
 */
export function cellFilter(
  patterns: readonly string[],
  all: readonly NamedCell[],
): { fits(cell: NamedCell): boolean; unmatched: string[] } {
  const fitsId = (pattern: string, { cell, name }: NamedCell) =>
    fitsPattern(pattern, name) || fitsPattern(pattern, cell.case);
  const byName = new Set(patterns.filter((pattern) => !all.some((cell) => fitsId(pattern, cell))));
  return {
    fits: (cell) =>
      patterns.some((pattern) => (byName.has(pattern) ? pattern === cell.case.name : fitsId(pattern, cell))),
    unmatched: [...byName].filter((pattern) => !all.some((cell) => pattern === cell.case.name)),
  };
}
