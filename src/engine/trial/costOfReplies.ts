import type { ModelFactory } from '../models/index.ts';
import type { Attempt, Reply } from '../record.ts';

/** What the replies of a trial cost together: all of it that is known, and why the rest is not. */
export async function costOfReplies(
  model: ModelFactory,
  replies: readonly Reply[],
): Promise<Pick<Attempt, 'costUsd' | 'unpriced'>> {
  let costUsd: number | null = null;
  let unpriced: string | null = null;
  for (const reply of replies) {
    const { usd, reason } = await model.cost(reply.usage);
    if (usd !== null) costUsd = exact((costUsd ?? 0) + usd);
    else unpriced ??= reason;
  }
  return { costUsd, ...(unpriced === null ? {} : { unpriced }) };
}

/** Sums of binary fractions stray in the last digits, and a bound is inclusive: no price has more than twelve decimals. */
function exact(usd: number): number {
  return Math.round(usd * 1e12) / 1e12;
}
