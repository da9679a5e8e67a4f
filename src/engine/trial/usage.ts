import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Usage } from '../record.ts';

const KEYS = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const;

export const NO_USAGE: Usage = { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null };

/** What a provider reported. A count that is missing, negative or no number at all is unknown, never 0. */
export function readUsage(reported: Partial<LanguageModelV4Usage> | null | undefined): Usage {
  // Nothing is asked without a token: such a 0 stands where a package was told of none.
  if (reported?.inputTokens?.total === 0) return NO_USAGE;
  return {
    inputTokens: count(reported?.inputTokens?.total),
    outputTokens: count(reported?.outputTokens?.total),
    cachedTokens: count(reported?.inputTokens?.cacheRead),
    reasoningTokens: count(reported?.outputTokens?.reasoning),
    ...written(count(reported?.inputTokens?.cacheWrite)),
  };
}

/** The sum of several replies. Unknown as soon as one reply did not report it: a part is not the whole. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const sum = { ...NO_USAGE };
  if (usages.length === 0) return sum;
  for (const key of KEYS) {
    const counts = usages.map((usage) => usage[key]);
    sum[key] = counts.reduce((total, tokens) => (total === null || tokens === null ? null : total + tokens), 0);
  }
  return { ...sum, ...written(usages.reduce((total, { cacheWriteTokens = 0 }) => total + cacheWriteTokens, 0)) };
}

function written(tokens: number | null): Pick<Usage, 'cacheWriteTokens'> {
  return tokens === null || tokens === 0 ? {} : { cacheWriteTokens: tokens };
}

function count(tokens: unknown): number | null {
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? tokens : null;
}
