import { APICallError } from '@ai-sdk/provider';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { ask, FORMATS, PATIENTLY, WAYS } from './providers.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const WHOLE = 'Über 12 Wörter, 漢字 and 👩‍🔬 in one text of some length.';
const prompt = `plan: say ${WHOLE}`;

function errorOf(error: unknown): Record<string, unknown> {
  if (!APICallError.isInstance(error)) return { error };
  const { statusCode, isRetryable, message } = error;
  return { statusCode, isRetryable, message };
}

const INVALID_JSON = { statusCode: 200, isRetryable: false, message: 'Invalid JSON response' };
const BROKEN = { statusCode: 200, isRetryable: true, message: 'Failed to process successful response' };

describe.each(WAYS)('$way', (way) => {
  test('a connection that is reset', async () => {
    server.setFaults(['reset']);
    const { error } = await ask(server, { ...way, prompt });
    expect(errorOf(error)).toMatchObject({ isRetryable: true, message: expect.stringContaining('ECONNRESET') });
    expect(server.requests[0]).toMatchObject({ status: null, outcome: 'cut' });
  });

  test('a connection that breaks in the middle', async () => {
    server.setFaults(['reset=1']);
    const { error } = await ask(server, { ...way, prompt });
    expect(errorOf(error)).toEqual(BROKEN);
  });

  test.each(['hang', 'stall=0', 'stall=1'])('%s ends only when the client goes', async (fault) => {
    server.setFaults([fault]);
    const client = new AbortController();
    const asking = ask(server, { ...way, prompt, signal: client.signal });
    await expect.poll(() => server.requests[0]?.fault, PATIENTLY).toBe(fault);
    client.abort();
    const { error, text } = await asking;
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(text).toBe('');
    await expect.poll(() => server.inFlight, PATIENTLY).toBe(0);
    expect(server.requests[0]).toMatchObject({ outcome: 'gone' });
  });

  test('truncated', async () => {
    server.setFaults(['truncate']);
    const told = await ask(server, { ...way, prompt });
    if (way.isStreamed) expect(isInterrupted(told)).toBe(true);
    else expect(errorOf(told.error)).toEqual(INVALID_JSON);
    expect(told.text).not.toBe(WHOLE);
  });

  test('an error inside the stream', async () => {
    server.setFaults(['error-event=-1']);
    const told = await ask(server, { ...way, prompt });
    expect(told.error).toMatchObject({
      statusCode: 500,
      isRetryable: true,
      message: 'The model server failed as it was told to.',
    });
    expect(told.steps.map(({ finish }) => finish)).toEqual(way.isStreamed ? ['error'] : []);
  });
});

describe.each(FORMATS)('%s as a stream', (provider) => {
  const way = { provider, isStreamed: true };

  test('cut after every number of events, it never seems finished', async () => {
    await ask(server, { ...way, prompt });
    const events = server.requests[0]?.events ?? 0;
    // What comes behind the reason to finish is only usage and the word that ends the stream.
    const last = provider === 'chat' ? events - 2 : events;
    for (let cut = 0; cut < last; cut += 1) {
      server.reset();
      server.setFaults([`cut=${cut}`]);
      const told = await ask(server, { ...way, prompt });
      expect({ cut, ended: isInterrupted(told) }).toEqual({ cut, ended: true });
      expect(WHOLE.startsWith(told.text)).toBe(true);
      expect(server.requests[0]).toMatchObject({ events: cut, outcome: 'sent' });
    }
  });

  test('valid but nasty, it reads as any other', async () => {
    const nasty = `plan: think Hm. & say ${WHOLE} & shout {"text":"ä漢👩‍🔬"} & !nasty-sse | say <<calls[0].text>> & !nasty-sse`;
    const told = await ask(server, { ...way, prompt: nasty });
    expect(told.error).toBeUndefined();
    expect(told.steps.map(({ text, finish }) => [text, finish])).toEqual([
      [WHOLE, 'tool-calls'],
      ['Ä漢👩‍🔬', 'stop'],
    ]);
  });

  test('malformed, it reports so', async () => {
    server.setFaults(['malformed-sse=1']);
    const { error } = await ask(server, { ...way, prompt });
    expect(error).toMatchObject({ message: expect.stringContaining('JSON parsing failed') });
  });
});

function isInterrupted({ steps, error }: Awaited<ReturnType<typeof ask>>): boolean {
  if (steps.length > 0) return steps.every(({ finish }) => finish === 'interrupted');
  return error instanceof Error && error.name === 'AI_NoOutputGeneratedError';
}
