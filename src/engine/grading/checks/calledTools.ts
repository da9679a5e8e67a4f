import type { Call } from '../../record.ts';
import type { Evidence } from '../evidence.ts';

/** Names in the order of their first call. */
export function calledTools({ calls }: Evidence, keep: (call: Call) => boolean = () => true): string[] {
  return [...new Set(calls.filter(keep).map((call) => call.tool))];
}
