import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { ask, WAYS } from './providers.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const CALLS = 'say Adding. & add {"a":1,"b":2} & add {"a":1,"b":3}';

describe.each(WAYS)('$way', (way) => {
  const { provider, isStreamed } = way;
  const tell = (fault: string, plan = CALLS) => ask(server, { ...way, prompt: `plan: ${plan} & !${fault}` });

  test('arguments that are no JSON', async () => {
    const told = await tell('bad-json');
    const [first] = told.steps;
    if (provider === 'google') {
      // Its arguments are an object: the API itself notices.
      expect(first).toMatchObject({ finish: 'error', rawFinish: 'MALFORMED_FUNCTION_CALL', calls: [] });
      return;
    }
    // Outside of a stream Anthropic's are JSON already, so that the text stands there as such.
    const isInvalid = provider !== 'messages' || isStreamed;
    expect(first?.calls[0]).toMatchObject({ tool: 'add', input: '{"a":1,"b":2,', isInvalid });
    expect(told.made).toContainEqual({ tool: 'add', input: { a: 1, b: 3 } });
    expect(told.text).toBe('Done.');
  });

  test.each([
    ['unknown-tool', 'add_nobody_offers'],
    ['wrong-case', 'ADD'],
  ])('%s', async (fault, tool) => {
    const told = await tell(fault);
    expect(told.steps[0]?.calls[0]).toMatchObject({ tool, isInvalid: true });
    expect(told.made).toEqual([{ tool: 'add', input: { a: 1, b: 3 } }]);
    expect(told.text).toBe('Done.');
  });

  test('the same call for ever', async () => {
    const told = await ask(server, { ...way, prompt: 'plan: say Once more. & add {"a":1,"b":2} | !loop' });
    expect(told.made).toHaveLength(6);
    expect(new Set(told.steps.flatMap(({ calls }) => calls.map(({ id }) => id))).size).toBe(6);
  });

  test.each(['empty', 'null-content'])('%s', async (fault) => {
    const told = await tell(fault);
    expect(told.error).toBeUndefined();
    expect(told.steps).toMatchObject([{ text: '', reasoning: '', calls: [], finish: 'stop' }]);
  });

  test('only reasoning', async () => {
    const told = await tell('only-reasoning', 'think Hm.');
    expect(told.steps).toMatchObject([{ text: '', reasoning: provider === 'chat' ? '' : 'Hm.', finish: 'stop' }]);
    expect(told.steps[0]?.usage.outputTokens).toBe(1);
  });

  test('an unknown reason to finish', async () => {
    const told = await tell('finish=tired', 'say Hi.');
    expect(told.steps).toMatchObject([{ text: 'Hi.', finish: 'other', rawFinish: 'tired' }]);
  });

  test('a content filter', async () => {
    const told = await tell('content-filter');
    const raw = { chat: 'content_filter', responses: 'content_filter', messages: 'refusal', google: 'SAFETY' };
    expect(told.steps).toMatchObject([
      { text: 'Adding.', calls: [], finish: 'content-filter', rawFinish: raw[provider] },
    ]);
  });

  test('a refusal', async () => {
    const told = await tell('refusal', 'say No.');
    // Google blocks the prompt and says nothing.
    expect(told.steps).toMatchObject([{ text: provider === 'google' ? '' : 'No.', finish: 'content-filter' }]);
  });

  test('no tokens left inside a call', async () => {
    const told = await tell('max-tokens');
    expect(told.steps).toMatchObject([{ text: 'Adding.', finish: 'length' }]);
    expect(told.made).toEqual([]);
    const [whole, cut] = told.steps[0]?.calls ?? [];
    expect(whole).toMatchObject({ input: { a: 1, b: 2 } });
    if (provider === 'google') expect(cut).toBeUndefined();
    else if (provider === 'messages' && !isStreamed) expect(cut).toMatchObject({ input: {} });
    else expect(cut).toMatchObject({ input: '{"a":1,', isInvalid: true });
  });

  test('ids that are the same', async () => {
    const told = await tell('ids=duplicate');
    expect(told.made).toHaveLength(2);
    // Anthropic refuses the conversation that comes of it.
    if (provider === 'messages') {
      expect(told.error).toMatchObject({ statusCode: 400, message: 'messages: `tool_use` ids must be unique' });
    } else expect(told.text).toBe('Done.');
  });

  test('ids that are missing', async () => {
    const told = await tell('ids=missing');
    if (provider === 'responses' || provider === 'messages') {
      expect(told.made).toEqual([]);
      const cause = { name: 'AI_TypeValidationError' };
      expect(told.error).toMatchObject(isStreamed ? cause : { statusCode: 200, cause });
    } else {
      expect(told.made).toHaveLength(2);
      expect(told.text).toBe('Done.');
    }
  });

  test('fifty calls at once', async () => {
    const told = await tell('parallel=50', 'add {"a":1,"b":2}');
    expect(told.made).toHaveLength(50);
    expect(new Set(told.steps[0]?.calls.map(({ id }) => id)).size).toBe(50);
    expect(told.text).toBe('Done.');
  });

  test('usage that is missing', async () => {
    const told = await tell('usage=missing', 'say Hi.');
    // Anthropic's client takes no answer without it.
    if (provider === 'messages') expect(told.error).toBeInstanceOf(Error);
    else {
      expect(told.text).toBe('Hi.');
      expect(told.steps[0]?.usage).toMatchObject({ inputTokens: undefined, outputTokens: undefined });
    }
  });

  test('usage that cannot be', async () => {
    const negative = await tell('usage=negative', 'say Hi.');
    expect(negative.steps[0]?.usage.inputTokens).toBeLessThan(0);
    expect(negative.steps[0]?.usage.outputTokens).toBeLessThan(0);
    const overcached = await tell('usage=overcached', 'say Hi.');
    const { inputTokens = 0, inputTokenDetails } = overcached.steps[0]?.usage ?? {};
    expect(inputTokenDetails?.cacheReadTokens).toBeGreaterThan(inputTokens);
  });

  test('usage that is no number', async () => {
    const nan = await tell('usage=nan', 'say Hi.');
    expect(nan.error).toBeInstanceOf(Error);
    const none = await tell('usage=null', 'say Hi.');
    if (provider === 'chat' || provider === 'google') expect(none.steps[0]?.usage.inputTokens).toBe(0);
    else expect(none.error).toBeInstanceOf(Error);
  });
});

test('usage of every answer', async () => {
  const silent = await startModelServer({ usage: 'missing' });
  try {
    const told = await ask(silent, { provider: 'google', prompt: `plan: ${CALLS}` });
    expect(told.steps.map(({ usage }) => usage.inputTokens)).toEqual([undefined, undefined]);
  } finally {
    await silent.close();
  }
});
