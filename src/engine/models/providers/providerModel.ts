import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { SecretSink } from '../../servers/connection.ts';
import type { ModelEntry } from '../../suite/model.ts';
import type { HttpClient } from '../http/httpClient.ts';
import type { ModelFactory } from '../modelFactory.ts';
import { settingsOf } from '../modelSettings.ts';
import { costOf, type Pricing } from '../prices.ts';
import { withCalls } from '../withCalls.ts';
import { type Access, accessOf } from './access.ts';
import { answerFilteredPrompts } from './filteredPrompt.ts';
import { guardedFetch } from './guardedFetch.ts';
import type { Provider } from './providers.ts';

/**
 * A model of a provider. Its package is loaded, and connections are opened, when the first trial asks for it.
 *
 * @throws as `accessOf`, before anything starts
 */
export function providerModel(
  entry: ModelEntry,
  provider: Provider,
  options: { env: NodeJS.ProcessEnv; secrets: SecretSink },
): ModelFactory {
  const access = accessOf(entry, provider, options);
  const pricing = pricingOf(entry, provider, access);
  let started: Promise<{ client: HttpClient; model: LanguageModelV4 }> | null = null;

  async function start() {
    const { createHttpClient } = await import('../http/httpClient.ts');
    const client = createHttpClient({ env: options.env });
    const { baseUrl, apiKey, variables } = access;
    const fetch = guardedFetch(client.fetch, access);
    // Some packages refuse an empty key; the guard takes this one off every request.
    const told = { provider: entry.provider, baseUrl, apiKey: apiKey === '' ? 'none' : apiKey, variables, fetch };
    const model = answerFilteredPrompts((await provider.load(told))(entry.model));
    return { client, model: provider.options === undefined ? model : withOptions(model, provider.options) };
  }

  return {
    id: entry.id,
    provider: entry.provider,
    model: entry.model,
    settings: settingsOf(entry),
    endpoint: { baseUrl: access.baseUrl, isOwn: access.isOwnEndpoint, keyName: access.keyName },
    async forTrial() {
      started ??= start();
      return (await started).model;
    },
    cost: (usage) => costOf(pricing, usage),
    async close() {
      // That it did not start has been told to the trials that asked for it.
      await started?.then(
        ({ client }) => client.close(),
        () => undefined,
      );
    },
  };
}

function pricingOf({ price, provider, model }: ModelEntry, { prices }: Provider, { isOwnEndpoint }: Access): Pricing {
  if (price !== undefined) return { kind: 'suite', price };
  if (prices !== null && isOwnEndpoint) return { kind: 'list', provider: prices, model };
  const what =
    prices === null ? `models of ${provider} are on no price list` : 'nobody knows the prices of this endpoint';
  return { kind: 'unknown', reason: `${what}; give the model a \`price\`` };
}

/** The same model, told something with every request. */
function withOptions(model: LanguageModelV4, options: SharedV4ProviderOptions): LanguageModelV4 {
  return withCalls(model, (call) => ({ ...call, providerOptions: { ...options, ...call.providerOptions } }));
}
