import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';

const ROWS: Readonly<Record<string, Provider>> = {
  openai: {
    keys: [['OPENAI_API_KEY']],
    baseUrl: { fixed: 'https://api.openai.com/v1', variable: 'OPENAI_BASE_URL' },
    prices: 'openai',
    // The responses API, as the package itself chooses; chat completions are what `openai-compatible` speaks. Nothing is
    // stored at the provider: every request holds the whole conversation.
    options: { openai: { store: false } },
    async load({ baseUrl: baseURL, apiKey, fetch }) {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ baseURL, apiKey, fetch }).responses;
    },
  },
  anthropic: {
    keys: [['ANTHROPIC_API_KEY']],
    baseUrl: { fixed: 'https://api.anthropic.com/v1', variable: 'ANTHROPIC_BASE_URL', path: '/v1' },
    prices: 'anthropic',
    async load({ baseUrl: baseURL, apiKey, fetch }) {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, fetch });
    },
  },
  google: {
    keys: [['GOOGLE_GENERATIVE_AI_API_KEY'], ['GEMINI_API_KEY']],
    baseUrl: { fixed: 'https://generativelanguage.googleapis.com/v1beta' },
    prices: 'google',
    async load({ baseUrl: baseURL, apiKey, fetch }) {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ baseURL, apiKey, fetch });
    },
  },
  deepseek: {
    keys: [['DEEPSEEK_API_KEY']],
    baseUrl: { fixed: 'https://api.deepseek.com' },
    prices: 'deepseek',
    async load({ baseUrl: baseURL, apiKey, fetch }) {
      const { createDeepSeek } = await import('@ai-sdk/deepseek');
      return createDeepSeek({ baseURL, apiKey, fetch });
    },
  },
  mistral: {
    keys: [['MISTRAL_API_KEY']],
    baseUrl: { fixed: 'https://api.mistral.ai/v1' },
    prices: 'mistral',
    async load({ baseUrl: baseURL, apiKey, fetch }) {
      const { createMistral } = await import('@ai-sdk/mistral');
      return createMistral({ baseURL, apiKey, fetch });
    },
  },
  azure: {
    keys: [['AZURE_API_KEY']],
    baseUrl: { from: 'AZURE_RESOURCE_NAME', url: (name) => `https://${name}.openai.azure.com/openai` },
    prices: 'azure',
    options: { azure: { store: false } },
    async load({ baseUrl: baseURL, apiKey, fetch }) {
      const { createAzure } = await import('@ai-sdk/azure');
      return createAzure({ baseURL, apiKey, fetch }).responses;
    },
  },
  bedrock: {
    keys: [['AWS_BEARER_TOKEN_BEDROCK'], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']],
    alsoSecret: ['AWS_SESSION_TOKEN'],
    baseUrl: { from: 'AWS_REGION', url: bedrockUrl },
    prices: 'aws',
    async load({ baseUrl: baseURL, apiKey, variables, fetch }) {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      const region = variables.AWS_REGION ?? '';
      if (variables.AWS_SECRET_ACCESS_KEY === undefined) return createAmazonBedrock({ baseURL, region, apiKey, fetch });
      return createAmazonBedrock({
        baseURL,
        region,
        // An empty one keeps the package from looking for a bearer token in the environment.
        apiKey: '',
        accessKeyId: apiKey,
        secretAccessKey: variables.AWS_SECRET_ACCESS_KEY,
        ...(variables.AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: variables.AWS_SESSION_TOKEN }),
        fetch,
      });
    },
  },
  openrouter: {
    keys: [['OPENROUTER_API_KEY']],
    baseUrl: { fixed: 'https://openrouter.ai/api/v1' },
    prices: 'openrouter',
    async load({ baseUrl: baseURL, apiKey, fetch }) {
      const { createOpenRouter } = await import('@openrouter/ai-sdk-provider');
      return createOpenRouter({ baseURL, apiKey, fetch, compatibility: 'strict' }).chat;
    },
  },
  ollama: { keys: [], baseUrl: { fixed: 'http://localhost:11434/v1' }, prices: null, load: loadCompatible },
  'openai-compatible': { keys: [], baseUrl: null, prices: null, load: loadCompatible },
};

/** The providers of models, by the name that stands before the slash of `provider/model`. */
export const PROVIDERS: ReadonlyMap<string, Provider> = new Map(Object.entries(ROWS));

/** One provider: where it is, what it asks for, and its package, which loads when its first model is needed. */
export interface Provider {
  /** Environment variables that hold its key; several sets where there are several ways. None: it needs no key. */
  keys: readonly (readonly string[])[];
  /** Handed to the package as well, where they are set. */
  alsoSecret?: readonly string[];
  /** Null where every model has to say it. */
  baseUrl: BaseUrl | null;
  /** What the price list calls it; null where it lists nothing. */
  prices: string | null;
  /** Said to the provider with every request. */
  options?: SharedV4ProviderOptions;
  load(access: ProviderAccess): Promise<(model: string) => LanguageModelV4>;
}

/**
 * Where a provider is: always at the same place, unless the variable of its own client names another (without `path`); or
 * at one that a variable makes.
 */
export type BaseUrl =
  | { fixed: string; variable?: string; path?: string }
  | { from: string; url(value: string): string };

/** All that a provider's package is told. Nothing is left for it to look up in the environment. */
interface ProviderAccess {
  provider: string;
  baseUrl: string;
  /** Empty where there is none. */
  apiKey: string;
  /** Further variables that the provider needs. */
  variables: Readonly<Record<string, string>>;
  fetch: typeof globalThis.fetch;
}

async function loadCompatible({ provider, baseUrl: baseURL, apiKey, fetch }: ProviderAccess) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ name: provider, baseURL, apiKey, fetch });
}

function bedrockUrl(region: string): string {
  return `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
