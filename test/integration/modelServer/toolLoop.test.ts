import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { API_KEY, ask, WAYS } from './providers.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ apiKey: API_KEY });
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const PLAN = `Add one and two. plan: think Simple. & add {"a":1,"b":2}
  | say Now louder. & shout {"text":"<<calls[0].json.sum>> äpfel"} | say The sum is <<calls[0].json.sum>>: <<calls[-1].text>>!`;

describe('a loop of three replies and two calls', () => {
  const prompt = PLAN.replaceAll(/\n\s*/g, ' ');

  test.each([...WAYS, { provider: 'compatible', isStreamed: false, way: 'under another base path' } as const])(
    '$way',
    async ({ provider, isStreamed }) => {
      const told = await ask(server, { provider, isStreamed, prompt });
      expect(told.error).toBeUndefined();
      expect(told.text).toBe('The sum is 3: 3 ÄPFEL!');
      expect(told.made).toEqual([
        { tool: 'add', input: { a: 1, b: 2 } },
        { tool: 'shout', input: { text: '3 äpfel' } },
      ]);
      expect(told.steps.map(({ text, finish, calls }) => ({ text, finish, ids: calls.map(({ id }) => id) }))).toEqual([
        { text: '', finish: 'tool-calls', ids: ['call_1'] },
        { text: 'Now louder.', finish: 'tool-calls', ids: ['call_2'] },
        { text: 'The sum is 3: 3 ÄPFEL!', finish: 'stop', ids: [] },
      ]);
      // OpenAI's own chat completions say nothing of what a model thinks.
      if (provider !== 'chat' && provider !== 'compatible') expect(told.steps[0]?.reasoning).toBe('Simple.');
      expect(server.requests.map(({ index, isStreamed, outcome }) => ({ index, isStreamed, outcome }))).toEqual(
        [0, 1, 2].map((index) => ({ index, isStreamed, outcome: 'sent' })),
      );
    },
  );

  test('costs the same tokens in every format', async () => {
    const usages = [];
    for (const way of WAYS) {
      const { steps } = await ask(server, { ...way, prompt });
      usages.push(steps.map(({ usage }) => [usage.inputTokens, usage.outputTokens]));
    }
    expect(new Set(usages.map((usage) => JSON.stringify(usage))).size).toBe(1);
    // "Use the tools." and the prompt, in fours; nine characters thought, three for the tool, thirteen for its arguments.
    expect(usages[0]?.[0]).toEqual([Math.ceil((14 + prompt.length) / 4), 6]);
  });

  test('gives the same bytes for the same request', async () => {
    const body = JSON.stringify({
      model: 'model-1',
      stream: true,
      messages: [{ role: 'user', content: prompt }],
    });
    const texts = [];
    for (let time = 0; time < 2; time += 1) {
      const headers = { authorization: `Bearer ${API_KEY}` };
      const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body, headers });
      texts.push(await response.text());
    }
    expect(texts[0]).toContain('data: [DONE]\n\n');
    expect(texts[0]).toBe(texts[1]);
  });
});

describe('plans by the name of a model', () => {
  const replies = [{ calls: [{ tool: 'add', arguments: { a: 4, b: 5 } }] }, { say: 'It is <<calls[0].json.sum>>.' }];

  test.each(WAYS)('from code, whatever the prompt says: $way', async (way) => {
    server.plan('adder', replies);
    const told = await ask(server, { ...way, model: 'adder', prompt: 'plan: say No.' });
    expect(told.text).toBe('It is 9.');
  });

  test('as text, and as a function of the conversation', async () => {
    server.plan('texter', 'say Read.');
    server.plan('echo', ({ turns }) => ({ say: JSON.stringify(turns) }));
    expect((await ask(server, { provider: 'chat', model: 'texter', prompt: 'Hello' })).text).toBe('Read.');
    expect((await ask(server, { provider: 'google', model: 'echo', prompt: 'Hello' })).text).toBe(
      '[{"role":"system","text":"Use the tools."},{"role":"user","text":"Hello"}]',
    );
  });

  test('other models answer what their prompt plans, or that it plans nothing', async () => {
    server.plan('adder', replies);
    expect((await ask(server, { provider: 'messages', prompt: 'Hello' })).text).toBe('There is no plan in the prompt.');
    const fenced = 'Do this:\n```plan\nsay "one | two"\n```\nThank you.';
    expect((await ask(server, { provider: 'responses', prompt: fenced })).text).toBe('one | two');
  });
});

test('a plan is counted from the last message of the user', async () => {
  const messages = [
    { role: 'user', content: 'plan: say First.' },
    { role: 'assistant', content: 'First.' },
    { role: 'user', content: 'plan: say Second. | say Third.' },
  ];
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}` },
    body: JSON.stringify({ model: 'model-1', messages }),
  });
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Second.' } }] });
});
