import { describe, expect, test } from 'vitest';
import { McproveError } from '../../../src/engine/errors.ts';
import { accessOf } from '../../../src/engine/models/providers/access.ts';
import { PROVIDERS } from '../../../src/engine/models/providers/providers.ts';
import type { ModelEntry } from '../../../src/engine/suite/model.ts';

function access(more: Partial<ModelEntry>, env: NodeJS.ProcessEnv = {}) {
  const entry: ModelEntry = { at: '/models/0', id: 'local', provider: 'openai', model: 'm', ...more };
  const provider = PROVIDERS.get(entry.provider);
  if (provider === undefined) throw new Error(`no provider "${entry.provider}"`);
  const secrets: string[] = [];
  return { ...accessOf(entry, provider, { env, secrets: { add: (value) => secrets.push(value) } }), secrets };
}

function refusal(act: () => unknown): McproveError {
  try {
    act();
  } catch (error) {
    if (error instanceof McproveError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the key of the environment', () => {
  test.each([
    ['openai', { OPENAI_API_KEY: 'k' }, 'https://api.openai.com/v1'],
    ['anthropic', { ANTHROPIC_API_KEY: 'k' }, 'https://api.anthropic.com/v1'],
    ['google', { GOOGLE_GENERATIVE_AI_API_KEY: 'k' }, 'https://generativelanguage.googleapis.com/v1beta'],
    ['google', { GEMINI_API_KEY: 'k' }, 'https://generativelanguage.googleapis.com/v1beta'],
    ['deepseek', { DEEPSEEK_API_KEY: 'k' }, 'https://api.deepseek.com'],
    ['mistral', { MISTRAL_API_KEY: 'k' }, 'https://api.mistral.ai/v1'],
    ['azure', { AZURE_API_KEY: 'k', AZURE_RESOURCE_NAME: 'our-res' }, 'https://our-res.openai.azure.com/openai'],
    [
      'bedrock',
      { AWS_BEARER_TOKEN_BEDROCK: 'k', AWS_REGION: 'eu-west-1' },
      'https://bedrock-runtime.eu-west-1.amazonaws.com',
    ],
    ['openrouter', { OPENROUTER_API_KEY: 'k' }, 'https://openrouter.ai/api/v1'],
  ])('goes to %s: %j', (provider, env, baseUrl) => {
    const [keyName] = Object.keys(env);
    expect(access({ provider }, env)).toMatchObject({
      baseUrl,
      apiKey: 'k',
      keyName,
      isOwnEndpoint: true,
      secrets: ['k'],
    });
  });

  test('of AWS has two parts, and perhaps a third', () => {
    const env = {
      AWS_ACCESS_KEY_ID: 'i',
      AWS_SECRET_ACCESS_KEY: 's',
      AWS_SESSION_TOKEN: 't',
      AWS_REGION: 'cn-north-1',
    };
    expect(access({ provider: 'bedrock' }, env)).toEqual({
      baseUrl: 'https://bedrock-runtime.cn-north-1.amazonaws.com.cn',
      apiKey: 'i',
      keyName: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
      variables: env,
      isOwnEndpoint: true,
      secrets: ['i', 's', 't'],
    });
  });

  test('loses the white space around it', () => {
    expect(access({}, { OPENAI_API_KEY: ' k\n' })).toMatchObject({ apiKey: 'k', secrets: ['k'] });
  });

  test.each([
    ['openai', {}, 'OPENAI_API_KEY'],
    ['openai', { OPENAI_API_KEY: '' }, 'OPENAI_API_KEY'],
    ['openai', { OPENAI_API_KEY: ' \n' }, 'OPENAI_API_KEY'],
    ['anthropic', { OPENAI_API_KEY: 'k' }, 'ANTHROPIC_API_KEY'],
    ['google', {}, 'GOOGLE_GENERATIVE_AI_API_KEY, or GEMINI_API_KEY'],
    ['azure', { AZURE_RESOURCE_NAME: 'r' }, 'AZURE_API_KEY'],
    ['azure', { AZURE_API_KEY: 'k' }, 'AZURE_RESOURCE_NAME'],
    [
      'bedrock',
      { AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'i' },
      'AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ],
    ['bedrock', { AWS_BEARER_TOKEN_BEDROCK: 'k' }, 'AWS_REGION'],
  ])('of %s is missing: %j', (provider, env, variables) => {
    expect(refusal(() => access({ provider }, env))).toMatchObject({
      code: 'MODEL004',
      message: `model "local" needs ${variables}, which is not set`,
      hint: 'Set it in the environment, or run another model with --model.',
    });
  });

  test.each(['evil.example/#', 'a.b', 'x@evil.example', '-a', ''])('goes to no host that %j would make', (name) => {
    const error = refusal(() => access({ provider: 'azure' }, { AZURE_API_KEY: 'k', AZURE_RESOURCE_NAME: name }));
    expect(error.code).toBe(name === '' ? 'MODEL004' : 'MODEL003');
  });
});

describe('a model with a baseUrl', () => {
  const env = { OPENAI_API_KEY: 'default', LOCAL_KEY: 'own', HOST: 'models.example' };

  test('gets no key but its own', () => {
    expect(access({ baseUrl: 'http://localhost:1/v1' }, env)).toEqual({
      baseUrl: 'http://localhost:1/v1',
      apiKey: '',
      keyName: null,
      variables: {},
      isOwnEndpoint: false,
      secrets: [],
    });
    expect(access({ baseUrl: 'http://localhost:1/v1/', apiKey: `\${env:LOCAL_KEY}` }, env)).toMatchObject({
      baseUrl: 'http://localhost:1/v1',
      apiKey: 'own',
      keyName: 'the `apiKey` of model "local"',
      secrets: ['own'],
    });
  });

  test('takes variables into it', () => {
    expect(access({ baseUrl: `https://\${env:HOST}/v1` }, env).baseUrl).toBe('https://models.example/v1');
  });

  test.each<[Partial<ModelEntry>, string, string]>([
    [{ provider: 'openai-compatible' }, 'MODEL003', 'model "local" has no `baseUrl`'],
    [
      { baseUrl: `\${env:FILE}` },
      'MODEL003',
      'model "local" has the base URL "file:///etc", which is no http or https address',
    ],
    [{ baseUrl: 'http://' }, 'MODEL003', 'model "local" has the base URL "http://", which is no http or https address'],
    [
      { baseUrl: `https://\${input:host}/` },
      'MODEL003',
      `\${input:host} in \`baseUrl\` of model "local" is not known here`,
    ],
    [{ baseUrl: 'http://a/', apiKey: `\${env:NONE}` }, 'SUITE013', 'environment variable "NONE" is not set'],
    [{ apiKey: `\${env:NONE}` }, 'SUITE013', 'environment variable "NONE" is not set'],
  ])('is refused: %j', (entry, code, message) => {
    expect(refusal(() => access(entry, { ...env, FILE: 'file:///etc' }))).toMatchObject({ code, message });
  });
});

test('a model may bring a key of its own for its provider', () => {
  const env = { OPENAI_API_KEY: 'default', OTHER: 'other' };
  expect(access({ apiKey: `\${env:OTHER}` }, env)).toMatchObject({
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'other',
    keyName: 'the `apiKey` of model "local"',
    isOwnEndpoint: true,
    secrets: ['other'],
  });
});

test('Ollama needs nothing', () => {
  expect(access({ provider: 'ollama' }, { OPENAI_API_KEY: 'k' })).toMatchObject({
    baseUrl: 'http://localhost:11434/v1',
    apiKey: '',
    keyName: null,
    secrets: [],
  });
});
