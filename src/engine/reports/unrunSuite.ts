import type { Problem } from '../errors.ts';

/** A suite that was asked for and has no run. */
export interface UnrunSuite {
  /** As in the head of a run: relative to the workspace, with `/`. */
  path: string;
  /** `broken`: it cannot be run as it is. `notBegun`: the command ended before. */
  state: 'broken' | 'notBegun';
  /** Why, in a sentence. */
  message: string;
  /** What is wrong with it; [] where it was only not begun. */
  problems: readonly Problem[];
}
