import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { costOf, PRICE_LIST, type PricedTokens, type Pricing } from '../../../src/engine/models/prices.ts';
import { resolve } from './resolve.ts';

const tokens = (inputTokens: number | null, outputTokens: number | null, more: Partial<PricedTokens> = {}) => ({
  inputTokens,
  outputTokens,
  cachedTokens: null,
  ...more,
});
const LIST: Pricing = { kind: 'list', provider: 'openai', model: 'gpt-4o' };
const OWN: Pricing = { kind: 'suite', price: { input: 1, output: 10 } };

test('the version of the price list is the one that is installed', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  expect(JSON.parse(text).devDependencies[PRICE_LIST.source]).toBe(PRICE_LIST.version);
});

describe('the cost of a reply', () => {
  test.each<[string, Pricing, PricedTokens, number]>([
    ['as the suite says', OWN, tokens(1_000_000, 100_000), 2],
    ['nothing', OWN, tokens(0, 0), 0],
    ['cached tokens as others', OWN, tokens(1_000_000, 0, { cachedTokens: 500_000 }), 1],
    [
      'cached tokens at their price',
      { kind: 'suite', price: { input: 1, output: 10, cachedInput: 0.1 } },
      tokens(1_000_000, 0, { cachedTokens: 500_000 }),
      0.55,
    ],
    // 2.50, 10.00 and, cached, 1.25 USD per million.
    ['as the list says', LIST, tokens(1000, 100), 0.0035],
    ['as the list says of cached tokens', LIST, tokens(1000, 100, { cachedTokens: 400 }), 0.003],
    ['of the same model at Azure', { kind: 'list', provider: 'azure', model: 'gpt-4o' }, tokens(1000, 100), 0.0035],
  ])('%s', async (_, pricing, reply, usd) => {
    const cost = await costOf(pricing, reply);
    expect(cost.reason).toBeNull();
    expect(cost.usd).toBeCloseTo(usd, 12);
  });

  test.each<[Pricing, PricedTokens, string]>([
    [OWN, tokens(null, 1), 'the provider reported no usage'],
    [LIST, tokens(1, null), 'the provider reported no usage'],
    [OWN, tokens(10, 1, { cachedTokens: 11 }), 'the provider reported 11 cached tokens of 10'],
    [LIST, tokens(10, 1, { cachedTokens: 8, cacheWriteTokens: 3 }), 'the provider reported 11 cached tokens of 10'],
    [
      { kind: 'list', provider: 'openai', model: 'no-such-model' },
      tokens(1, 1),
      'the price list does not know openai/no-such-model',
    ],
    [{ kind: 'unknown', reason: 'nobody knows' }, tokens(1, 1), 'nobody knows'],
  ])('is not known: %j, %j', async (pricing, reply, reason) => {
    expect(await costOf(pricing, reply)).toEqual({ usd: null, reason });
  });
});

describe('the prices of a model', () => {
  const env = { OPENAI_API_KEY: 'k' };
  const reply = tokens(1_000_000, 0);

  test.each<[string, Parameters<typeof resolve>[0], NodeJS.ProcessEnv, number | null]>([
    ["its provider's", 'openai/gpt-4o', env, 2.5],
    ['its own', { model: 'gpt-4o', price: { input: 7, output: 0 } }, env, 7],
    ['nothing, for a script', 'scripted', {}, 0],
    ["nobody knows another endpoint's", { model: 'gpt-4o', baseUrl: 'http://localhost:1/v1' }, env, null],
    [
      "nobody knows those of the environment's endpoint",
      'openai/gpt-4o',
      { ...env, OPENAI_BASE_URL: 'http://a/v1' },
      null,
    ],
    ['nobody knows those of what runs here', 'ollama/qwen3:8b', {}, null],
  ])('are %s', async (_, entry, environment, usd) => {
    const cost = await resolve(entry, environment).model.cost(reply);
    expect(cost.usd).toBe(usd);
    if (usd === null) expect(cost.reason).toMatch(/give the model a `price`$/);
    else expect(cost.reason).toBeNull();
  });
});
