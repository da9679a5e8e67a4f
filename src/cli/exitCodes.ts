/** What the exit status of `mcprove` says; the numbers are part of the interface. */
import type { Decision } from '../engine/index.ts';

export type ExitCode = 0 | 1 | 2 | 3 | 130 | 143;

export const EXIT = {
  passed: 0,
  failed: 1,
  /** A problem in the command line, a suite or the configuration; what was sound has been run. */
  usage: 2,
  /** Nothing was decided: evidence is missing, or mcprove itself broke. */
  inconclusive: 3,
  interrupted: 130,
  terminated: 143,
} as const satisfies Record<string, ExitCode>;

/** Worst first. */
const RANK: readonly ExitCode[] = [143, 130, 2, 1, 3, 0];

const OF_DECISION: Record<Decision, ExitCode> = { passed: 0, failed: 1, inconclusive: 3, cancelled: 130 };

/** One status for several outcomes: the worst of 143, 130, 2, 1, 3, 0; over none 0. */
export function worst(codes: Iterable<ExitCode>): ExitCode {
  const seen = new Set(codes);
  return RANK.find((code) => seen.has(code)) ?? EXIT.passed;
}

export function exitCodeOf(decision: Decision): ExitCode {
  return OF_DECISION[decision];
}

const MEANING: Record<ExitCode, string> = {
  0: 'passed',
  1: 'a cell failed',
  2: 'a problem in the command line, a suite or the configuration',
  3: 'inconclusive',
  130: 'cancelled',
  143: 'terminated',
};

export function meaningOf(code: ExitCode): string {
  return MEANING[code];
}
