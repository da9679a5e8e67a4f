/** Where a key goes, and where it must not. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resolveModel } from '../../../src/engine/models/index.ts';
import type { ServerPool } from '../../../src/engine/servers/index.ts';
import { modelNamed } from '../../../src/engine/suite/modelId.ts';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { API_KEY, caseOf, casesOf, modelAt, PROVIDERS, SUITE, tryModel, weatherPool } from './suite.ts';

let server: ModelServer;
let elsewhere: ModelServer;
let pool: ServerPool;
beforeAll(async () => {
  [server, elsewhere] = await Promise.all([startModelServer(), startModelServer()]);
  pool = weatherPool();
});
afterAll(async () => {
  await Promise.all([server.close(), elsewhere.close(), pool.close()]);
});
beforeEach(() => {
  server.reset();
  elsewhere.reset();
});

const CASE = caseOf(casesOf(SUITE), 'no-call');

/** Every variable that a provider's package might look a key up in. */
const DEFAULT_KEYS = {
  OPENAI_API_KEY: 'default-key-of-openai',
  ANTHROPIC_API_KEY: 'default-key-of-anthropic',
  ANTHROPIC_AUTH_TOKEN: 'default-token-of-anthropic',
  GOOGLE_GENERATIVE_AI_API_KEY: 'default-key-of-google',
  GEMINI_API_KEY: 'default-key-of-gemini',
  DEEPSEEK_API_KEY: 'default-key-of-deepseek',
  MISTRAL_API_KEY: 'default-key-of-mistral',
  AZURE_API_KEY: 'default-key-of-azure',
  OPENROUTER_API_KEY: 'default-key-of-openrouter',
  AWS_BEARER_TOKEN_BEDROCK: 'default-token-of-bedrock',
  AWS_ACCESS_KEY_ID: 'default-id-of-aws',
  AWS_SECRET_ACCESS_KEY: 'default-secret-of-aws',
  AWS_SESSION_TOKEN: 'default-token-of-aws',
  AWS_REGION: 'eu-west-1',
};
const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key', 'x-amz-security-token', 'cookie'];

describe.each([...Object.keys(PROVIDERS), 'bedrock'])('%s with a baseUrl', (provider) => {
  // What the packages themselves would find.
  const before = { ...process.env };
  beforeEach(() => Object.assign(process.env, DEFAULT_KEYS));
  afterEach(() => {
    for (const name of Object.keys(DEFAULT_KEYS)) delete process.env[name];
    Object.assign(process.env, before);
  });

  const baseUrl = () => PROVIDERS[provider]?.baseUrl(server) ?? server.url;

  test('and no key of its own sends none', async () => {
    const entry = { at: '/models/0', id: 'm', provider, model: 'model-1', baseUrl: baseUrl() };
    const model = resolveModel(entry, { env: process.env, secrets: { add: () => undefined } });
    await tryModel(CASE, model, pool);
    await model.close();
    expect(server.requests).toHaveLength(1);
    for (const name of KEY_HEADERS) expect(server.requests[0]?.headers[name]).toBeUndefined();
    expect(JSON.stringify(server.requests)).not.toMatch(/default-(?:key|token|id|secret)/);
  });

  test('sends its own key alone', async () => {
    const model = modelAt(server, provider, { baseUrl: baseUrl() });
    await tryModel(CASE, model, pool);
    await model.close();
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(API_KEY);
    expect(JSON.stringify(server.requests)).not.toMatch(/default-(?:key|token|id|secret)/);
  });

  test('follows no redirect to another origin', async () => {
    server.setFaults([`redirect=${elsewhere.url}`]);
    const model = modelAt(server, provider, { baseUrl: baseUrl() });
    const { attempt, verdict } = await tryModel(CASE, model, pool);
    await model.close();
    // The model server speaks no Bedrock, and so does not redirect it.
    if (provider === 'bedrock') return;
    expect(server.requests[0]?.status).toBe(307);
    expect(elsewhere.requests).toEqual([]);
    expect(verdict).toBe('errored');
    expect(attempt.transcript.end).toMatchObject({
      reason: {
        cause: 'config',
        text: `${new URL(server.url).host} redirects to another origin, ${elsewhere.url}. Nothing was sent there. If it is right, write it as \`baseUrl\`.`,
      },
    });
  });
});

describe('an endpoint that the environment names', () => {
  test.each([
    ['openai/model-1', { OPENAI_BASE_URL: '/v1', OPENAI_API_KEY: API_KEY }, '/v1/responses'],
    ['anthropic/model-1', { ANTHROPIC_BASE_URL: '', ANTHROPIC_API_KEY: API_KEY }, '/v1/messages'],
    ['anthropic/model-1', { ANTHROPIC_BASE_URL: '/v1/', ANTHROPIC_API_KEY: API_KEY }, '/v1/messages'],
  ])('%s gets the key that the environment has for it: %j', async (id, variables, path) => {
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, name.endsWith('_URL') ? `${server.url}${value}` : value]),
    );
    const model = resolveModel(modelNamed(id), { env, secrets: { add: () => undefined } });
    const { attempt, verdict } = await tryModel(CASE, model, pool);
    await model.close();
    expect(verdict).toBe('passed');
    expect(server.requests.map((request) => request.path)).toEqual([path]);
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(API_KEY);
    expect(attempt).toMatchObject({ costUsd: null, unpriced: expect.stringContaining('price') });
  });
});
