import { APICallError } from '@ai-sdk/provider';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { ask, FORMATS, type Told, WAYS } from './providers.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const prompt = 'plan: say Hi.';

function callError({ error }: Told): APICallError {
  if (!APICallError.isInstance(error)) throw new Error(`expected an APICallError, found ${String(error)}`);
  return error;
}

const STATUSES: [status: number, isRetryable: boolean][] = [
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [408, true],
  [409, true],
  [429, true],
  [500, true],
  [502, true],
  [503, true],
  [529, true],
];

describe.each(WAYS)('$way', (way) => {
  test.each(STATUSES)('%i', async (status, isRetryable) => {
    server.setFaults([String(status)]);
    const told = await ask(server, { ...way, prompt });
    expect(callError(told)).toMatchObject({ statusCode: status, isRetryable });
    expect(callError(told).message).toBe(`The model server answers ${status}.`);
    expect((await ask(server, { ...way, prompt })).text).toBe('Hi.');
  });

  test('context overflow', async () => {
    const error = callError(await ask(server, { ...way, prompt: 'plan: !context-overflow' }));
    expect(error).toMatchObject({ statusCode: 400, isRetryable: false });
    expect(error.message).toMatch(/maximum/);
  });

  test('a page instead of JSON, and nothing at all', async () => {
    server.setFaults(['502 body=html', '503 body=empty', '200 body=html']);
    expect(callError(await ask(server, { ...way, prompt }))).toMatchObject({ statusCode: 502, isRetryable: true });
    expect(callError(await ask(server, { ...way, prompt }))).toMatchObject({ statusCode: 503, responseBody: '' });
    const told = await ask(server, { ...way, prompt });
    // A page that says 200 looks to a stream's reader like a stream without events.
    if (way.isStreamed) expect(told.steps[0]?.finish ?? 'interrupted').toBe('interrupted');
    else expect(callError(told)).toMatchObject({ statusCode: 200, message: 'Invalid JSON response' });
    expect(told.text).toBe('');
  });
});

describe('every provider has its own shape of errors', () => {
  test.each([
    ['chat', 401, { error: { type: 'invalid_request_error', code: 'invalid_api_key' } }],
    ['chat', 404, { error: { type: 'invalid_request_error', code: 'model_not_found' } }],
    ['chat', 429, { error: { type: 'requests', code: 'rate_limit_exceeded' } }],
    ['responses', 500, { error: { type: 'server_error', code: null } }],
    ['messages', 401, { type: 'error', error: { type: 'authentication_error' } }],
    ['messages', 404, { type: 'error', error: { type: 'not_found_error' } }],
    ['messages', 429, { type: 'error', error: { type: 'rate_limit_error' } }],
    ['messages', 529, { type: 'error', error: { type: 'overloaded_error' } }],
    ['google', 401, { error: { code: 401, status: 'UNAUTHENTICATED' } }],
    ['google', 404, { error: { code: 404, status: 'NOT_FOUND' } }],
    ['google', 429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }],
    ['google', 503, { error: { code: 503, status: 'UNAVAILABLE' } }],
  ] as const)('%s %i', async (provider, status, shape) => {
    server.setFaults([String(status)]);
    const error = callError(await ask(server, { provider, prompt }));
    expect(error.data).toMatchObject(shape);
    expect(error.responseHeaders?.[provider === 'messages' ? 'request-id' : 'x-request-id']).toMatch(/^req_\d+$/);
  });

  test('with the code that a fault names', async () => {
    server.setFaults(['429 code=insufficient_quota']);
    const error = callError(await ask(server, { provider: 'chat', prompt }));
    expect(error.data).toMatchObject({ error: { type: 'insufficient_quota', code: 'insufficient_quota' } });
  });

  test('a conversation that is too long has a code where the provider gives one', async () => {
    for (const provider of FORMATS) {
      const error = callError(await ask(server, { provider, prompt: 'plan: !context-overflow' }));
      const openai = { error: { code: 'context_length_exceeded' } };
      const others = { error: { message: error.message } };
      expect(error.data).toMatchObject(provider === 'chat' || provider === 'responses' ? openai : others);
    }
  });
});

describe('429 says how long to wait', () => {
  const headersOf = async (words: string) => {
    server.setFaults([words]);
    return callError(await ask(server, { provider: 'messages', prompt })).responseHeaders ?? {};
  };

  test('in seconds', async () => {
    expect(await headersOf('429 retry-after=2')).toMatchObject({ 'retry-after': '2' });
  });

  test('as a date', async () => {
    const before = Date.now();
    const date = Date.parse((await headersOf('429 retry-after=date:60'))['retry-after'] ?? '');
    expect(date).toBeGreaterThan(before + 58_000);
    expect(date).toBeLessThanOrEqual(Date.now() + 60_000);
  });

  test('in milliseconds', async () => {
    const headers = await headersOf('429 retry-after-ms=50');
    expect(headers).toMatchObject({ 'retry-after-ms': '50' });
    expect(headers).not.toHaveProperty('retry-after');
  });

  test('only in the body', async () => {
    server.setFaults(['429 retry-after=body:3', '429 retry-after=body:3']);
    const google = callError(await ask(server, { provider: 'google', prompt }));
    expect(google.data).toMatchObject({ error: { details: [{ retryDelay: '3s' }] } });
    const openai = callError(await ask(server, { provider: 'chat', prompt }));
    expect(openai.message).toMatch(/try again in 3s/);
    expect(openai.responseHeaders).not.toHaveProperty('retry-after');
  });

  test('or not', async () => {
    expect(Object.keys(await headersOf('429')).filter((name) => name.startsWith('retry-after'))).toEqual([]);
  });
});

describe('keys', () => {
  test.each([
    ['chat', 401, { error: { code: 'invalid_api_key' } }],
    ['responses', 401, { error: { code: 'invalid_api_key' } }],
    ['messages', 401, { error: { type: 'authentication_error' } }],
    ['google', 400, { error: { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } }],
  ] as const)('a wrong one: %s says %i', async (provider, status, shape) => {
    const guarded = await startModelServer({ apiKey: 'the right one' });
    try {
      const error = callError(await ask(guarded, { provider, prompt, apiKey: 'wrong' }));
      expect(error).toMatchObject({ statusCode: status, isRetryable: false });
      expect(error.data).toMatchObject(shape);
      expect((await ask(guarded, { provider, prompt, apiKey: 'the right one' })).text).toBe('Hi.');
      expect(guarded.requests.map(({ index }) => index)).toEqual([null, 0]);
    } finally {
      await guarded.close();
    }
  });

  test('none', async () => {
    const guarded = await startModelServer({ apiKey: 'the right one' });
    try {
      const statusOf = async (path: string) => (await fetch(guarded.url + path, { method: 'POST', body: '{}' })).status;
      expect(await statusOf('/v1/chat/completions')).toBe(401);
      expect(await statusOf('/v1/messages')).toBe(401);
      expect(await statusOf('/v1beta/models/m:generateContent')).toBe(403);
    } finally {
      await guarded.close();
    }
  });
});

test('faults in a plan last as many tries as they say', async () => {
  const storm = 'plan: !429 times=2 & add {"a":1,"b":2} | say Sum <<calls[0].json.sum>>.';
  for (const provider of FORMATS) {
    const errors = [await ask(server, { provider, prompt: storm }), await ask(server, { provider, prompt: storm })];
    expect(errors.map((told) => callError(told).statusCode)).toEqual([429, 429]);
    expect((await ask(server, { provider, prompt: storm, model: 'model-1' })).text).toBe('Sum 3.');
    server.reset();
  }
});

test('a redirect leads to another origin, where the log shows what came along', async () => {
  const stranger = await startModelServer();
  try {
    server.setFaults(FORMATS.map(() => `redirect=${stranger.url}`));
    for (const provider of FORMATS) await ask(server, { provider, prompt });
    expect(server.requests.map(({ status }) => status)).toEqual([307, 307, 307, 307]);
    // The platform's fetch drops `authorization` on the way to another origin, and no other header that holds a key.
    const keys = ['authorization', 'x-api-key', 'x-goog-api-key'];
    expect(
      stranger.requests.map(({ path, headers }) => [path, ...keys.filter((name) => headers[name] !== undefined)]),
    ).toEqual([
      ['/v1/chat/completions'],
      ['/v1/responses'],
      ['/v1/messages', 'x-api-key'],
      ['/v1beta/models/model-1:generateContent', 'x-goog-api-key'],
    ]);
  } finally {
    await stranger.close();
  }
});
