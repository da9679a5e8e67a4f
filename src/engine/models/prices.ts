/** The price list: which it is, for the run file. A test holds the version against package.json. */
export const PRICE_LIST = { source: '@pydantic/genai-prices', version: '0.1.8' } as const;

/** What some tokens cost. Null with the reason where that is not known: it is never guessed. */
export interface Cost {
  usd: number | null;
  reason: string | null;
}

/** Tokens of one reply; null where the provider reported none. */
export interface PricedTokens {
  /** All that went in, cached ones among them. */
  inputTokens: number | null;
  /** All that came out, reasoning among it. */
  outputTokens: number | null;
  /** Read from the provider's cache. */
  cachedTokens: number | null;
  cacheWriteTokens?: number | undefined;
}

/** What a model's tokens cost: as the suite says, as the list says, or not known. */
export type Pricing =
  | { kind: 'suite'; price: Price }
  | { kind: 'list'; provider: string; model: string }
  | { kind: 'unknown'; reason: string };

/** USD per million tokens; cached ones cost as much as others where nothing is said. */
interface Price {
  input: number;
  output: number;
  cachedInput?: number;
}

const MILLION = 1_000_000;

/** The cost of one reply. Prices may depend on a reply's size, so that a sum of several replies has to be made of costs. */
export async function costOf(pricing: Pricing, tokens: PricedTokens): Promise<Cost> {
  if (pricing.kind === 'unknown') return { usd: null, reason: pricing.reason };
  const { inputTokens, outputTokens, cachedTokens, cacheWriteTokens = 0 } = tokens;
  if (inputTokens === null || outputTokens === null) return unknown('the provider reported no usage');
  const cached = cachedTokens ?? 0;
  // An impossible report is none: whatever was made of it would look like a measured cost.
  if (cached + cacheWriteTokens > inputTokens) {
    return unknown(`the provider reported ${cached + cacheWriteTokens} cached tokens of ${inputTokens}`);
  }
  if (pricing.kind === 'suite') {
    const { input, output, cachedInput = input } = pricing.price;
    const usd = ((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) / MILLION;
    return { usd, reason: null };
  }
  const { calcPrice } = await import('@pydantic/genai-prices');
  const usage = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(cached > 0 ? { cache_read_tokens: cached } : {}),
    ...(cacheWriteTokens > 0 ? { cache_write_tokens: cacheWriteTokens } : {}),
  };
  const { provider, model } = pricing;
  try {
    const found = calcPrice(usage, model, { providerId: provider });
    if (found !== null) return { usd: found.total_price, reason: null };
    return unknown(`the price list does not know ${provider}/${model}`);
  } catch (error) {
    // The list refuses what does not add up.
    return unknown(`no price for ${provider}/${model}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function unknown(reason: string): Cost {
  return { usd: null, reason };
}
