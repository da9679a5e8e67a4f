import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Attempt, Json } from '../../../src/engine/record.ts';
import type { ServerPool } from '../../../src/engine/servers/index.ts';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { API_KEY, caseOf, casesOf, modelAt, OUTCOMES, PROVIDERS, SUITE, tryModel, weatherPool } from './suite.ts';

let server: ModelServer;
let pool: ServerPool;
beforeAll(async () => {
  server = await startModelServer({ apiKey: API_KEY });
  pool = weatherPool();
});
afterAll(async () => {
  await Promise.all([server.close(), pool.close()]);
});
beforeEach(() => server.reset());

const CASES = casesOf(SUITE);

/** What a provider has no word for. */
const OWN_WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  mistral: { filtered: ['passed', 'other'] },
};

/** Where each wire format has the temperature, the most tokens, and the choice of a tool. */
const SETTINGS: Readonly<Record<string, readonly [temperature: string, tokens: string, choice: string]>> = {
  responses: ['temperature', 'max_output_tokens', 'tool_choice'],
  chat: ['temperature', 'max_tokens', 'tool_choice'],
  messages: ['temperature', 'max_tokens', 'tool_choice'],
  google: ['generationConfig.temperature', 'generationConfig.maxOutputTokens', 'toolConfig.functionCallingConfig'],
};

describe.each(Object.entries(PROVIDERS))('%s', (provider, { format, path }) => {
  async function ask(id: string): Promise<Attempt> {
    const model = modelAt(server, provider);
    const { attempt } = await tryModel(caseOf(CASES, id), model, pool);
    await model.close();
    return attempt;
  }

  test('gives the same verdicts as every other', async () => {
    const model = modelAt(server, provider);
    const outcomes: Record<string, readonly string[]> = {};
    const calls: Record<string, unknown> = {};
    for (const testCase of CASES) {
      const { attempt, verdict } = await tryModel(testCase, model, pool);
      const [step] = attempt.transcript.steps;
      outcomes[testCase.id] = [verdict, ...(step?.replies ?? []).map(({ finish }) => finish)];
      calls[testCase.id] = step?.calls.map(({ tool, arguments: args }) => [tool, args]);
    }
    await model.close();
    expect(outcomes).toEqual({ ...OUTCOMES, ...OWN_WORDS[provider] });
    expect(calls).toMatchObject({
      'several-calls': [
        ['get_weather', { city: 'Paris' }],
        ['get_weather', { city: 'Tokyo' }],
        ['get_forecast', { city: 'Bern', days: 3 }],
      ],
      'no-such-tool': [['get_stocks', {}]],
    });
  });

  test('is asked over its own wire format, and its tokens are counted and paid', async () => {
    const attempt = await ask('one-call');
    expect(server.requests.map((request) => [request.format, request.path, request.status])).toEqual([
      [format, path, 200],
      [format, path, 200],
    ]);
    for (const { usage, warnings } of attempt.transcript.steps[0]?.replies ?? []) {
      expect(usage.inputTokens).toBeGreaterThan(0);
      expect(usage.outputTokens).toBeGreaterThan(0);
      // Anthropic's package has to guess how long a reply of an unknown model may be, and says so.
      expect(warnings.filter((warning) => !warning.includes('maxOutputTokens'))).toEqual([]);
    }
    const { inputTokens, outputTokens } = attempt.usage;
    expect(attempt.costUsd).toBeCloseTo(((inputTokens ?? 0) + 2 * (outputTokens ?? 0)) / 1e6, 12);
    expect(attempt.unpriced).toBeUndefined();
  });

  test('is told the settings, and forced to call a tool once', async () => {
    const attempt = await ask('settings');
    expect(attempt.transcript.steps[0]?.input).toMatchObject({
      settings: { temperature: 0.5, maxOutputTokens: 321, toolChoice: { tool: 'get_weather' } },
    });
    const [first, second] = server.requests.map(({ body }) => (SETTINGS[format] ?? []).map((at) => dig(body, at)));
    expect(first?.slice(0, 2)).toEqual([0.5, 321]);
    // Mistral offers the one tool alone, and any of these must be called.
    expect(provider === 'mistral' ? dig(server.requests[0]?.body, 'tools') : first?.[2]).toSatisfy(
      mentions('get_weather'),
    );
    expect(second?.slice(0, 2)).toEqual([0.5, 321]);
    expect(second?.[2] ?? 'auto').toSatisfy(mentions('auto'));
  });

  test('is told of a key that is wrong, by the name of where it came from', async () => {
    const model = modelAt(server, provider, { apiKey: 'wrong-key-of-the-test' });
    const { attempt, verdict } = await tryModel(caseOf(CASES, 'one-call'), model, pool);
    await model.close();
    expect(verdict).toBe('errored');
    expect(attempt.transcript.end).toMatchObject({
      reason: {
        cause: 'provider',
        text: expect.stringMatching(
          new RegExp(`^127\\.0\\.0\\.1:\\d+ answered 40\\d: .*valid.* Check the \`apiKey\` of model "${provider}"\\.`),
        ),
      },
    });
    expect(JSON.stringify(attempt)).not.toContain('wrong-key-of-the-test');
  });
});

test('what a provider cannot do stands beside its reply', async () => {
  const model = modelAt(server, 'anthropic', { seed: 7, maxOutputTokens: 100 });
  const { attempt } = await tryModel(caseOf(CASES, 'no-call'), model, pool);
  await model.close();
  expect(attempt.transcript.steps[0]?.replies[0]?.warnings).toEqual(['not supported: seed']);
});

test('OpenAI is told to store nothing', async () => {
  for (const provider of ['openai', 'azure']) {
    const model = modelAt(server, provider);
    await tryModel(caseOf(CASES, 'no-call'), model, pool);
    await model.close();
  }
  expect(server.requests.map(({ body }) => dig(body, 'store'))).toEqual([false, false]);
});

function dig(value: Json | undefined, at: string): Json | undefined {
  return at.split('.').reduce<Json | undefined>((inside, key) => {
    return typeof inside === 'object' && inside !== null && !Array.isArray(inside) ? inside[key] : undefined;
  }, value);
}

function mentions(word: string) {
  return (value: unknown) => JSON.stringify(value)?.toLowerCase().includes(word) === true;
}
