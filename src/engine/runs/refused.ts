import type { Attempt, Reason } from '../record.ts';

/** The request, the key, the account or the model's name is wrong, and is so for every trial. */
const FOR_ALL = new Set([400, 401, 402, 403, 404]);

/** Why a model need not be asked again in this run; null where the next trial may go better. */
export function refusedForAll({ transcript: { end } }: Attempt): Reason | null {
  if (end.kind !== 'errored' || end.reason.cause !== 'provider') return null;
  return FOR_ALL.has(end.reason.status ?? 0) ? end.reason : null;
}
