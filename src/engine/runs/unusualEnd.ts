import type { McproveError } from '../errors.ts';
import type { RunEnd } from '../record.ts';

/** The decision of a run whose file is not whole: never a pass. */
export function incomplete(end: RunEnd, { message }: McproveError): RunEnd {
  const decision = end.decision === 'passed' ? 'inconclusive' : end.decision;
  return { ...end, decision, reasons: [`The run file is not whole: ${message}.`, ...end.reasons] };
}

/** What was given along with an abort; an abort without a reason says nothing. */
export function abortText(reason: unknown): string | null {
  if (typeof reason === 'string') return reason;
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : null;
}
