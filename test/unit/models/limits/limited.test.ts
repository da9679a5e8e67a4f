import { APICallError, JSONParseError, type LanguageModelV4CallOptions, TypeValidationError } from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Gate } from '../../../../src/engine/models/limits/gate.ts';
import { type LimitedOptions, limited } from '../../../../src/engine/models/limits/limited.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Facts = Partial<ConstructorParameters<typeof APICallError>[0]>;
const CALL: LanguageModelV4CallOptions = { prompt: [] };

function failure(facts: Facts): APICallError {
  return new APICallError({ message: 'no', url: 'http://h/', requestBodyValues: {}, ...facts });
}

const REPLY = {
  content: [{ type: 'text' as const, text: 'hi' }],
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: undefined, reasoning: undefined },
  },
  warnings: [],
};

/** Fails as told, one after the other, then answers; `forever` fails with the last one again and again. */
function failing(errors: readonly Error[], forever = false): MockLanguageModelV4 {
  let count = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const error = errors[count] ?? (forever ? errors.at(-1) : undefined);
      count += 1;
      if (error !== undefined) throw error;
      return REPLY;
    },
  });
}

/** Asks once and follows what is told; `random` is as high as can be. */
function start(model: MockLanguageModelV4, options: Partial<LimitedOptions> = {}, gate = new Gate('acme')) {
  const begin = performance.now();
  const seen = { told: [] as (string | null)[], retries: [] as unknown[], tries: [] as number[] };
  const asked = limited(model, gate, {
    signal: new AbortController().signal,
    onWaiting: (text) => seen.told.push(text),
    onRetry: (retry) => seen.retries.push(retry),
    onTry: () => seen.tries.push(Math.round(performance.now() - begin)),
    random: () => 1,
    ...options,
  }).doGenerate(CALL);
  const settled = Promise.resolve(asked).then(
    () => 'answered',
    (error: unknown) => error,
  );
  return { ...seen, gate, settled };
}

async function finish(model: MockLanguageModelV4, options: Partial<LimitedOptions> = {}) {
  const started = start(model, options);
  await vi.advanceTimersByTimeAsync(3_600_000);
  return { ...started, outcome: await started.settled };
}

const jsonError = new JSONParseError({ text: '{"a', cause: new SyntaxError('end') });
const typeError = new TypeValidationError({ value: {}, cause: new Error('shape') });

describe('which failures are tried again', () => {
  test.each<[string, Error, boolean]>([
    ...[408, 409, 429, 500, 502, 503, 504, 529].map((statusCode): [string, Error, boolean] => [
      String(statusCode),
      failure({ statusCode }),
      true,
    ]),
    ...[400, 401, 402, 403, 404].map((statusCode): [string, Error, boolean] => [
      `${statusCode}, whatever the package says`,
      failure({ statusCode, isRetryable: true }),
      false,
    ]),
    ['422', failure({ statusCode: 422 }), false],
    ['425 that the package calls retryable', failure({ statusCode: 425, isRetryable: true }), true],
    ['no answer', failure({ isRetryable: true }), true],
    ['no answer for good', failure({ isRetryable: false }), false],
    ['an answer that breaks off', failure({ statusCode: 200, isRetryable: true }), true],
    ['half a JSON', failure({ statusCode: 200, cause: jsonError, responseBody: '{"a' }), true],
    ['an empty body', failure({ statusCode: 200, cause: jsonError, responseBody: '' }), true],
    ['a page of HTML', failure({ statusCode: 200, cause: jsonError, responseBody: '<html>' }), false],
    ['JSON of another shape', failure({ statusCode: 200, cause: typeError, responseBody: '{}' }), false],
    [
      'an account without money',
      failure({ statusCode: 429, responseBody: '{"error":{"code":"insufficient_quota"}}' }),
      false,
    ],
    ['an error of ours', new TypeError('x is undefined'), false],
  ])('%s', async (_, error, isRetried) => {
    const { outcome, tries } = await finish(failing([error]));
    expect(outcome).toBe(isRetried ? 'answered' : error);
    expect(tries).toHaveLength(isRetried ? 2 : 1);
  });
});

describe('waiting', () => {
  test('grows from try to try, six tries in all', async () => {
    const error = failure({ statusCode: 503 });
    const { outcome, tries, told } = await finish(failing([error], true));
    expect(outcome).toBe(error);
    expect(tries).toEqual([0, 2000, 8000, 26_000, 80_000, 140_000]);
    expect(told.slice(0, 3)).toEqual(['waiting 2 s: acme answered 503', null, 'waiting 6 s: acme answered 503']);
    expect(told.at(-1)).toBeNull();
  });

  test('is spread by chance', async () => {
    const shares = [0.5, 0.1, 0.25];
    const errors = [503, 503, 503].map((statusCode) => failure({ statusCode }));
    const { tries } = await finish(failing(errors), { random: () => shares.shift() ?? 0 });
    expect(tries).toEqual([0, 1000, 1600, 6100]);
  });

  test.each<[string, Record<string, string>, number]>([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['a date', { 'retry-after': 'Tue, 01 Dec 2026 00:00:09 GMT', date: 'Tue, 01 Dec 2026 00:00:00 GMT' }, 9000],
    ['a date that is over', { 'retry-after': 'Tue, 01 Dec 2020 00:00:00 GMT' }, 0],
    ['milliseconds, which are the more exact', { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    ['more than two minutes', { 'retry-after': '7200' }, 120_000],
    ['nonsense, as if it said nothing', { 'retry-after': 'soon' }, 2000],
    ['a negative number, as if it said nothing', { 'retry-after': '-5' }, 2000],
  ])('follows the provider: %s', async (_, responseHeaders, waitMs) => {
    const { outcome, tries, retries } = await finish(failing([failure({ statusCode: 429, responseHeaders })]));
    expect(outcome).toBe('answered');
    expect(tries).toEqual([0, waitMs]);
    expect(retries).toEqual([{ text: 'acme answered 429', waitMs }]);
  });

  test('follows a delay in the body', async () => {
    const responseBody = '{"error":{"details":[{"retryDelay": "1.5s"}]}}';
    const { tries } = await finish(failing([failure({ statusCode: 429, responseBody })]));
    expect(tries).toEqual([0, 1500]);
  });

  test('takes five minutes at most', async () => {
    const error = failure({ statusCode: 429, responseHeaders: { 'retry-after': '100' } });
    const { outcome, tries } = await finish(failing([error], true));
    expect(outcome).toBe(error);
    expect(tries).toEqual([0, 100_000, 200_000, 300_000]);
  });

  test('for a provider that asks for it holds all its requests, and lets them in by the lowered limit', async () => {
    const gate = new Gate('acme', 2);
    const error = failure({ statusCode: 429, responseHeaders: { 'retry-after': '10' } });
    const refused = start(failing([error]), {}, gate);
    await vi.advanceTimersByTimeAsync(1000);
    const other = start(failing([]), {}, gate);
    await vi.advanceTimersByTimeAsync(8999);
    expect([refused.tries, other.tries]).toEqual([[0], []]);
    expect(other.told).toEqual(['waiting 9 s: acme answered 429']);
    await vi.advanceTimersByTimeAsync(10);
    expect([await refused.settled, await other.settled]).toEqual(['answered', 'answered']);
    expect(other.tries).toEqual([9000]);
  });

  test.each([
    ['a retry', failure({ statusCode: 503 })],
    ['the provider', failure({ statusCode: 429, responseHeaders: { 'retry-after': '60' } })],
  ])('for %s ends at once on abort', async (_, error) => {
    const controller = new AbortController();
    const { settled } = start(failing([error], true), { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(new Error('enough'));
    expect(await settled).toEqual(new Error('enough'));
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a deaf model does not keep its place after an abort', async () => {
  const gate = new Gate('acme', 1);
  const controller = new AbortController();
  const deaf = new MockLanguageModelV4({ doGenerate: () => new Promise(() => undefined) });
  const { settled } = start(deaf, { signal: controller.signal }, gate);
  await vi.advanceTimersByTimeAsync(0);
  controller.abort(new Error('enough'));
  expect(await settled).toEqual(new Error('enough'));
  expect(await start(failing([]), {}, gate).settled).toBe('answered');
});

test('a stream keeps its place until it is read', async () => {
  const gate = new Gate('acme', 1);
  const parts = [{ type: 'text-start' as const, id: '0' }];
  const stream = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const model = new MockLanguageModelV4({ doStream: async () => ({ stream }) });
  const signal = new AbortController().signal;
  const answer = await limited(model, gate, { signal, onWaiting: () => undefined }).doStream(CALL);
  const next = start(failing([]), {}, gate);
  await vi.advanceTimersByTimeAsync(0);
  expect(next.tries).toEqual([]);
  const read: unknown[] = [];
  for await (const part of answer.stream) read.push(part);
  expect(read).toEqual(parts);
  expect(await next.settled).toBe('answered');
});
