import type { Cell } from '../record.ts';
import type { Case } from '../suite/model.ts';
import { fitsPattern } from './cellName.ts';
import { type LastVerdict, needsRun } from './lastVerdicts.ts';

/** Which part of a suite to run; what is left out narrows nothing. All that is given must hold. */
export interface Selection {
  /** Cell names or case ids, `*` standing for any characters; one of them must fit. */
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

/** Whether a cell of a selected case is selected. */
export function selectsCell(selection: Selection, cell: Cell, name: string): boolean {
  const { cells, failedOf } = selection;
  if (cells !== undefined && !cells.some((pattern) => fitsCell(pattern, cell, name))) return false;
  return failedOf === undefined || needsRun(failedOf, cell);
}

export function fitsCell(pattern: string, cell: Cell, name: string): boolean {
  return fitsPattern(pattern, name) || fitsPattern(pattern, cell.case);
}
