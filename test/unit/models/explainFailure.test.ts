import { APICallError } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { explainFailure } from '../../../src/engine/models/explainFailure.ts';
import { connectionFailure } from '../../../src/engine/models/http/connectionFailure.ts';
import { resolve } from './resolve.ts';

const ENV = {
  OPENAI_API_KEY: 'k',
  ANTHROPIC_API_KEY: 'k',
  GEMINI_API_KEY: 'k',
  DEEPSEEK_API_KEY: 'k',
  MISTRAL_API_KEY: 'k',
  OPENROUTER_API_KEY: 'k',
  AZURE_API_KEY: 'k',
  AZURE_RESOURCE_NAME: 'res',
  AWS_BEARER_TOKEN_BEDROCK: 'k',
  AWS_REGION: 'eu-west-1',
};
const LOCAL = { provider: 'openai-compatible', model: 'm', baseUrl: 'http://box:8000' };
type Entry = Parameters<typeof resolve>[0];

/** @param body what the provider sent; `message` what its package made of it */
function answer(entry: Entry, status: number, message: string, body: unknown = ''): string | null {
  const { model } = resolve(entry, ENV);
  const error = new APICallError({
    message,
    url: `${model.endpoint?.baseUrl}/x`,
    requestBodyValues: {},
    statusCode: status,
    responseBody: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return explainFailure(error, model);
}

test.each<[Entry, number, string, unknown, string]>([
  [
    'openai/m',
    401,
    'Incorrect API key provided: abc.',
    { error: { message: 'Incorrect API key provided: abc.' } },
    'api.openai.com answered 401: Incorrect API key provided: abc. Check OPENAI_API_KEY.',
  ],
  [
    'anthropic/m',
    401,
    'invalid x-api-key',
    '',
    'api.anthropic.com answered 401: invalid x-api-key. Check ANTHROPIC_API_KEY.',
  ],
  [
    'google/m',
    400,
    'API key not valid. Please pass a valid API key.',
    { error: { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } },
    'generativelanguage.googleapis.com answered 400: API key not valid. Please pass a valid API key. Check GEMINI_API_KEY.',
  ],
  [
    'deepseek/m',
    402,
    'Insufficient Balance',
    '',
    'api.deepseek.com answered 402: Insufficient Balance. The account behind the key has no credit left.',
  ],
  [
    'mistral/m',
    401,
    'Unauthorized',
    { detail: 'Unauthorized' },
    'api.mistral.ai answered 401: Unauthorized. Check MISTRAL_API_KEY.',
  ],
  [
    'mistral/m',
    422,
    'Unprocessable Entity',
    { detail: [{ loc: ['body', 'tools', 0], msg: 'Field required', type: 'missing' }] },
    'api.mistral.ai answered 422: Field required',
  ],
  [
    'openrouter/a/m',
    429,
    'Provider returned error',
    { error: { message: 'Provider returned error', code: 429, metadata: { raw: 'a/m is rate-limited upstream' } } },
    'openrouter.ai answered 429: a/m is rate-limited upstream',
  ],
  [
    'openrouter/a/m',
    400,
    'Provider returned error',
    { error: { message: 'Provider returned error', metadata: { raw: '{"error":{"message":"tools is too long"}}' } } },
    'openrouter.ai answered 400: tools is too long',
  ],
  [
    'azure/d',
    404,
    'The API deployment for this resource does not exist.',
    '',
    'res.openai.azure.com answered 404: The API deployment for this resource does not exist. Check the name of the deployment, "d".',
  ],
  [
    'bedrock/m',
    403,
    'Forbidden',
    { Message: 'The security token included in the request is invalid.' },
    'bedrock-runtime.eu-west-1.amazonaws.com answered 403: The security token included in the request is invalid. Check AWS_BEARER_TOKEN_BEDROCK. It may not be allowed to use m.',
  ],
  [
    'openai/m',
    404,
    'The model `m` does not exist',
    '',
    'api.openai.com answered 404: The model `m` does not exist. Check the name of the model, "m".',
  ],
  [
    'ollama/m',
    404,
    'model "m" not found',
    '',
    'localhost:11434 answered 404: model "m" not found. Fetch the model with `ollama pull m`.',
  ],
  [LOCAL, 401, 'No key', '', 'box:8000 answered 401: No key. It asks for a key: give the model an `apiKey`.'],
  [
    LOCAL,
    404,
    'Not Found',
    '',
    'box:8000 answered 404: Not Found. Check the name of the model, "m" and `baseUrl`, http://box:8000.',
  ],
  [
    LOCAL,
    502,
    'Bad Gateway',
    '<html><head><title>502 Bad Gateway</title></head></html>',
    'box:8000 answered 502: a web page, "502 Bad Gateway". Check `baseUrl`, http://box:8000: it mostly ends in /v1.',
  ],
  [
    LOCAL,
    200,
    'Invalid JSON response',
    '<!DOCTYPE html><title>Welcome</title>',
    'box:8000 answered 200: a web page, "Welcome". Check `baseUrl`, http://box:8000: it mostly ends in /v1.',
  ],
  [LOCAL, 500, 'Internal Server Error', 'out of memory', 'box:8000 answered 500: Internal Server Error: out of memory'],
  ['openai/m', 503, '', '', 'api.openai.com answered 503: nothing more'],
])('%j, %i %s %j', (entry, status, message, body, text) => {
  expect(answer(entry, status, message, body)).toBe(text);
});

test.each<[Entry, string, string]>([
  [
    'ollama/m',
    'ECONNREFUSED',
    'no answer from localhost:11434: the connection was refused. Is Ollama running? `ollama serve` starts it.',
  ],
  [
    LOCAL,
    'ECONNREFUSED',
    'no answer from box:8000: the connection was refused. Check that a server runs at http://box:8000.',
  ],
  [
    'openai/m',
    'ENOTFOUND',
    'no answer from api.openai.com: there is no host of this name. Check the network, and the proxy if there is one.',
  ],
  ['openai/m', 'ECONNRESET', 'no answer from api.openai.com: the connection broke off'],
  [
    LOCAL,
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'no answer from box:8000: why. If its certificate is right, name its issuer in NODE_EXTRA_CA_CERTS.',
  ],
])('%j, %s', (entry, code, text) => {
  const { model } = resolve(entry, ENV);
  const cause = Object.assign(new Error('why'), { code });
  const error = connectionFailure(cause, new URL(`${model.endpoint?.baseUrl}/x`));
  expect(explainFailure(error, model)).toBe(text);
  const several = connectionFailure(new AggregateError([cause]), new URL(`${model.endpoint?.baseUrl}/x`));
  if (!text.includes('why')) expect(explainFailure(several, model)).toBe(text);
});

test('a body without end is quoted in part, and a deep one is searched in bounds', () => {
  const long = answer('openai/m', 500, 'Internal Server Error', 'x'.repeat(10_000));
  expect(long?.length).toBeLessThan(400);
  const deep = `${'{"error":'.repeat(500)}"why"${'}'.repeat(500)}`;
  expect(answer('openai/m', 500, 'Internal Server Error', deep)).toContain('answered 500: Internal Server Error');
});

test('other errors are not explained', () => {
  expect(explainFailure(new Error('x'), resolve('openai/m', ENV).model)).toBeNull();
});
