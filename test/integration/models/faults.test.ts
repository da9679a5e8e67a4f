/** What goes wrong with a provider comes to the same whichever it is. Requests are not sent again here: no gate, no retry. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt } from '../../../src/engine/record.ts';
import type { ServerPool } from '../../../src/engine/servers/index.ts';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { caseOf, casesOf, modelAt, PROVIDERS, tryModel, weatherPool } from './suite.ts';

let server: ModelServer;
let pool: ServerPool;
beforeAll(async () => {
  server = await startModelServer();
  pool = weatherPool();
});
afterAll(async () => {
  await Promise.all([server.close(), pool.close()]);
});
beforeEach(() => server.reset());

const CASE = caseOf(
  casesOf(`
mcprove: 1
cases:
  - id: berlin
    prompt: 'Berlin? plan: get_weather {"city":"Berlin"} | say It rains.'
    calls: [get_weather]
`),
  'berlin',
);

/** By the words of the fault: how the trial ends, and what its calls come to. */
const ENDS: readonly { fault: string; end: string; calls?: string }[] = [
  { fault: '400', end: 'errored provider' },
  { fault: '401', end: 'errored provider' },
  { fault: '403', end: 'errored provider' },
  { fault: '404', end: 'errored provider' },
  { fault: '429 retry-after=1', end: 'errored provider' },
  { fault: '500', end: 'errored provider' },
  { fault: '503 body=html', end: 'errored provider' },
  { fault: '502 body=empty', end: 'errored provider' },
  { fault: '200 body=html', end: 'errored provider' },
  { fault: '200 body=empty', end: 'errored provider' },
  { fault: 'cut=1', end: 'errored provider' },
  { fault: 'truncate', end: 'errored provider' },
  { fault: 'reset=0', end: 'errored provider' },
  { fault: 'reset=1', end: 'errored provider' },
  { fault: 'context-overflow', end: 'limit context' },
  { fault: 'hang', end: 'limit timeout' },
  { fault: 'stall=1', end: 'limit timeout' },
  { fault: 'max-tokens', end: 'limit maxOutputTokens' },
  { fault: 'empty', end: 'completed', calls: '' },
  { fault: 'null-content', end: 'completed', calls: '' },
  { fault: 'only-reasoning', end: 'completed', calls: '' },
  { fault: 'refusal', end: 'completed', calls: '' },
  { fault: 'content-filter', end: 'completed', calls: '' },
  { fault: 'bad-json', end: 'completed', calls: 'invalidArguments' },
  { fault: 'unknown-tool', end: 'completed', calls: 'unknownTool' },
  { fault: 'wrong-case', end: 'completed', calls: 'unknownTool' },
  { fault: 'parallel=3', end: 'completed', calls: 'ok ok ok' },
  { fault: 'parallel=3 ids=duplicate', end: 'completed', calls: 'ok ok ok' },
  { fault: 'parallel=3 ids=missing', end: 'completed', calls: 'ok ok ok' },
  { fault: 'finish=whatever', end: 'completed', calls: 'ok' },
];

/**
 * Where the provider's package takes less, or an answer cannot be what the fault says: then it is the provider's error, told
 * as such.
 */
const STRICTER: Readonly<Record<string, readonly string[]>> = {
  'parallel=3 ids=missing': ['openai', 'azure', 'anthropic', 'mistral'],
  refusal: ['azure'],
};
const USAGE_FAULTS = ['missing', 'null', 'negative', 'nan', 'overcached'];

describe.each(Object.keys(PROVIDERS))('%s', (provider) => {
  async function ask(fault: string, timeoutMs = 10_000): Promise<Attempt> {
    server.setFaults([fault]);
    const model = modelAt(server, provider);
    const { attempt } = await tryModel({ ...CASE, timeoutMs }, model, pool);
    await model.close();
    return attempt;
  }

  test.each(ENDS)('$fault: $end', async ({ fault, end, calls }) => {
    const attempt = await ask(fault, end === 'limit timeout' ? 150 : 10_000);
    const isStricter = STRICTER[fault]?.includes(provider) === true;
    expect(endOf(attempt)).toBe(isStricter ? 'errored provider' : end);
    // Google itself keeps back a call that it cannot read.
    const isKeptBack = provider === 'google' && fault === 'bad-json';
    if (calls !== undefined && !isStricter) expect(callsOf(attempt)).toBe(isKeptBack ? '' : calls);
    if (endOf(attempt) === 'completed')
      expect([typeof attempt.costUsd, attempt.unpriced]).toEqual(['number', undefined]);
    if (endOf(attempt) === 'errored provider') {
      const text = expect.stringMatching(/^(?:127\.0\.0\.1:\d+ answered \d{3}: .|no answer from 127\.0\.0\.1:\d+: .)/);
      expect(attempt.transcript.end).toMatchObject({ reason: { text } });
    }
  });

  test('nobody there: told at once what to look for, and not to be tried again', async () => {
    const model = modelAt({ url: 'http://localhost:9' }, provider);
    const asked = await model.forTrial({ script: null, calls: () => [], nameOf: (tool) => tool });
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }];
    await expect(asked.doGenerate({ prompt })).rejects.toMatchObject({ isRetryable: false });
    const { attempt } = await tryModel(CASE, model, pool);
    await model.close();
    expect(attempt.transcript.end).toMatchObject({
      reason: {
        text: expect.stringMatching(/^no answer from localhost:9: the connection was refused\. (?:Check|Is) /),
      },
    });
  });

  test.each(USAGE_FAULTS)('usage=%s makes no cost', async (usage) => {
    const attempt = await ask(`usage=${usage}`);
    if (endOf(attempt) === 'errored provider') return;
    expect([endOf(attempt), callsOf(attempt)]).toEqual(['completed', 'ok']);
    // DeepSeek counts cached tokens under names of its own, so that here it has reported none.
    if (usage === 'overcached' && provider === 'deepseek') expect(attempt.usage.cachedTokens).toBe(0);
    else expect(attempt.unpriced).toMatch(/^the provider reported /);
  });
});

test.each(['azure', 'openai', 'openai-compatible'])(
  'a prompt that %s filters is an answer, if an empty one',
  async (provider) => {
    server.setFaults(['400 code=content_filter']);
    const model = modelAt(server, provider);
    const { attempt, verdict } = await tryModel(CASE, model, pool);
    await model.close();
    expect([endOf(attempt), verdict]).toEqual(['completed', 'failed']);
    expect(attempt.transcript.steps[0]?.replies).toMatchObject([
      {
        text: '',
        finish: 'content-filter',
        warnings: [expect.stringMatching(/^the prompt was stopped by a content filter: /)],
      },
    ]);
    expect(attempt.unpriced).toBe('the provider reported no usage');
  },
);

function endOf({ transcript: { end } }: Attempt): string {
  if (end.kind === 'errored') return `errored ${end.reason.cause}`;
  return end.kind === 'limit' ? `limit ${end.limit}` : end.kind;
}

function callsOf({ transcript }: Attempt): string {
  const calls = transcript.steps.flatMap((step) => step.calls);
  return calls.map(({ error }) => error?.kind ?? 'ok').join(' ');
}
