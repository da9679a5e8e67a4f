import type { Discrepancy, Json, Outcome, StageName } from '../../record.ts';
import type { Evidence } from '../evidence.ts';

/** What one check found; the rest of a `Check` is known before. */
export interface Evaluation {
  outcome: Outcome;
  /** One sentence that a person understands. */
  reason: string;
  expected?: Json;
  actual?: Json;
  diff?: Discrepancy[];
  /** Where in the value chain it belongs, when that depends on what was found. */
  stage?: StageName;
  /** Ids of calls whose error was asked for. */
  wantedErrors?: string[];
}

type More = Omit<Evaluation, 'outcome' | 'reason'>;

export function passed(reason: string, more: More = {}): Evaluation {
  return { outcome: 'passed', reason, ...more };
}

export function failed(reason: string, more: More = {}): Evaluation {
  return { outcome: 'failed', reason, ...more };
}

export function notMeasured(reason: string, more: More = {}): Evaluation {
  return { outcome: 'notMeasured', reason, ...more };
}

export function notApplicable(reason: string): Evaluation {
  return { outcome: 'notApplicable', reason };
}

/**
 * What would rest on nothing more having happened: true of a whole transcript, not of one that was cut short; and no failure
 * where the trial was ended on purpose, for what would have followed is not part of it.
 */
export function onTheWhole(evidence: Evidence, evaluation: Evaluation): Evaluation {
  if (evidence.endedByRoute && evaluation.outcome === 'failed') {
    return notApplicable('The trial was ended once all expected calls were made, before this was settled.');
  }
  if (evidence.cutShort === null) return evaluation;
  const { outcome: _, ...rest } = evaluation;
  return { ...rest, outcome: 'notReached', reason: `${evidence.cutShort} before this was settled.` };
}
