/** One suite, asked of every provider: what each model says is planned in the prompts themselves. */
import { fileURLToPath } from 'node:url';
import { gradeTrial } from '../../../src/engine/grading/index.ts';
import { type ModelFactory, resolveModel } from '../../../src/engine/models/index.ts';
import type { Attempt, Verdict } from '../../../src/engine/record.ts';
import { createServerPool, type ServerDefinition, type ServerPool } from '../../../src/engine/servers/index.ts';
import { type Case, fillCase, readSuite } from '../../../src/engine/suite/index.ts';
import type { ModelEntry } from '../../../src/engine/suite/model.ts';
import { runTrial } from '../../../src/engine/trial/index.ts';
import type { ModelServer } from '../../modelServer/index.ts';

export const SUITE = `
mcprove: 1
defaults:
  system: You know the weather.
  assert: [argumentsValid]
cases:
  - id: one-call
    prompt: 'Berlin? plan: get_weather {"city":"Berlin"} | say <<calls[0].text>>'
    calls: [get_weather: { city: Berlin }]
    match: { arguments: exact, extras: forbid }
    assert: [responseContains: 'Berlin: 18 °C', limits: { turns: { min: 2, max: 2 }, cost: $1 }]
  - id: several-calls
    prompt: 'Compare. plan: say Let me see. & get_weather {"city":"Paris"} & get_weather {"city":"Tokyo"} | get_forecast {"city":"Bern","days":3} | say <<calls[2].text>>'
    calls: [get_weather: { city: Paris }, get_weather: { city: Tokyo }, get_forecast: { city: Bern, days: 3 }]
    match: { order: exact }
    assert: [responseContains: Bern, limits: { toolCalls: 3, turns: 3 }]
  - id: no-call
    prompt: 'Thank you! plan: say Grüße, 世界 🌍!'
    calls: none
    assert: [responseContains: 'Grüße, 世界 🌍!']
  - id: wrong-city
    prompt: 'Rome? plan: get_weather {"city":"Berlin"} | say It rains.'
    calls: [get_weather: { city: Rome }]
  - id: refused-by-the-server
    prompt: 'Atlantis? plan: get_weather {"city":"Atlantis"} | say <<calls[0].text>>'
    calls: [get_weather]
    assert: [noToolErrors]
  - id: no-such-tool
    prompt: 'Stocks? plan: get_stocks {} | say I cannot.'
    calls: none
  - id: no-argument
    prompt: 'Where? plan: get_weather | say Nowhere.'
    calls: [get_weather]
  - id: cut-off
    prompt: 'Long. plan: get_weather {"city":"Berlin"} & !max-tokens'
    calls: [get_weather]
  - id: filtered
    prompt: 'Bad. plan: say No. & !content-filter'
    assert: [responseNotEmpty]
  - id: settings
    prompt: 'Set. plan: get_weather {"city":"Lima"} | say Fog.'
    calls: [get_weather]
    temperature: 0.5
    maxOutputTokens: 321
    toolChoice: { tool: get_weather }
`;

/** What comes of each case, whoever is asked: the verdict, and how each reply ended. */
export const OUTCOMES: Readonly<Record<string, readonly [Verdict, ...string[]]>> = {
  'one-call': ['passed', 'tool-calls', 'stop'],
  'several-calls': ['passed', 'tool-calls', 'tool-calls', 'stop'],
  'no-call': ['passed', 'stop'],
  'wrong-city': ['failed', 'tool-calls', 'stop'],
  'refused-by-the-server': ['failed', 'tool-calls', 'stop'],
  'no-such-tool': ['failed', 'tool-calls', 'stop'],
  'no-argument': ['failed', 'tool-calls', 'stop'],
  'cut-off': ['failed', 'length'],
  filtered: ['passed', 'content-filter'],
  settings: ['passed', 'tool-calls', 'stop'],
};

export const API_KEY = 'key-of-the-test-suite';
const PRICE = { input: 1, output: 2 };

/** Every provider that can be pointed at a server of ours, and the wire format that it speaks there. */
export const PROVIDERS: Readonly<
  Record<string, { format: string; path: string; baseUrl(server: Pick<ModelServer, 'url'>): string }>
> = {
  openai: { format: 'responses', path: '/v1/responses', baseUrl: ({ url }) => `${url}/v1` },
  azure: {
    format: 'responses',
    path: '/gateway/openai/v1/responses',
    baseUrl: ({ url }) => `${url}/gateway/openai/v1`,
  },
  anthropic: { format: 'messages', path: '/v1/messages', baseUrl: ({ url }) => `${url}/v1` },
  google: { format: 'google', path: '/v1beta/models/model-1:generateContent', baseUrl: ({ url }) => `${url}/v1beta` },
  deepseek: { format: 'chat', path: '/chat/completions', baseUrl: ({ url }) => url },
  mistral: { format: 'chat', path: '/v1/chat/completions', baseUrl: ({ url }) => `${url}/v1` },
  openrouter: { format: 'chat', path: '/api/v1/chat/completions', baseUrl: ({ url }) => `${url}/api/v1` },
  ollama: { format: 'chat', path: '/v1/chat/completions', baseUrl: ({ url }) => `${url}/v1/` },
  'openai-compatible': { format: 'chat', path: '/x/y/chat/completions', baseUrl: ({ url }) => `${url}/x/y` },
};

export function casesOf(text: string): readonly Case[] {
  const read = readSuite(text, { file: '/projects/models.eval.yaml', workspace: '/projects' });
  if (read.kind !== 'suite') throw new Error(JSON.stringify(read));
  return read.suite.cases;
}

export function caseOf(cases: readonly Case[], id: string): Case {
  const found = cases.find((testCase) => testCase.id === id);
  if (found === undefined) throw new Error(`no case "${id}"`);
  return found;
}

/** The model of a provider at the model server, with a key of its own unless told otherwise. */
export function modelAt(
  server: Pick<ModelServer, 'url'>,
  provider: string,
  more: Partial<ModelEntry> = {},
): ModelFactory {
  const entry: ModelEntry = {
    at: '/models/0',
    id: provider,
    provider,
    model: 'model-1',
    baseUrl: PROVIDERS[provider]?.baseUrl(server) ?? server.url,
    apiKey: API_KEY,
    price: PRICE,
    ...more,
  };
  return resolveModel(entry, { env: {}, secrets: { add: () => undefined } });
}

export async function tryModel(
  testCase: Case,
  model: ModelFactory,
  pool: ServerPool,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ attempt: Attempt; verdict: Verdict; reason: string | undefined }> {
  const trialId = `${testCase.id}#1`;
  const filled = fillCase(testCase, { env: {}, trialId });
  const attempt = await runTrial({ testCase: filled, model, pool, signal, trialId, onEvent: () => undefined });
  const { verdict, reason } = gradeTrial(filled, attempt);
  return { attempt, verdict, reason: reason?.text };
}

/** The weather server of the examples, over stdio. */
export function weatherPool(): ServerPool {
  const script = fileURLToPath(new URL('../../../examples/weather/server.mjs', import.meta.url));
  const server: ServerDefinition = {
    name: 'weather',
    transport: { kind: 'stdio', command: process.execPath, args: [script], env: {}, cwd: process.cwd() },
    isolation: 'shared',
    origin: { file: '/projects/models.eval.yaml', pointer: '/servers/weather' },
    startTimeoutMs: 20_000,
    callTimeoutMs: 10_000,
  };
  return createServerPool([server]);
}
