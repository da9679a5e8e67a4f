import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../modelServer/index.ts';
import { ask, FORMATS, PATIENTLY } from './providers.ts';

const servers: ModelServer[] = [];
async function start(options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(options);
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const prompt = 'plan: say Hi.';

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
}

describe('the log', () => {
  test('holds what came and what became of it', async () => {
    const server = await start({ faults: ['429 retry-after=1'] });
    await ask(server, { provider: 'messages', prompt });
    await ask(server, { provider: 'messages', prompt, isStreamed: true });
    await fetch(`${server.url}/nothing?here`);
    expect(server.requests).toMatchObject([
      {
        index: 0,
        method: 'POST',
        path: '/v1/messages',
        headers: { 'x-api-key': 'key-of-the-test', 'content-type': 'application/json' },
        body: { model: 'model-1', messages: [{ role: 'user' }] },
        format: 'messages',
        model: 'model-1',
        isStreamed: false,
        fault: '429 retry-after=1',
        status: 429,
        outcome: 'sent',
      },
      { index: 1, isStreamed: true, fault: null, status: 200, outcome: 'sent' },
      { index: null, method: 'GET', path: '/nothing?here', body: '', format: null, status: 404 },
    ]);
    const [first, second] = server.requests;
    expect(first?.headers).not.toHaveProperty('host');
    expect(second?.atMs).toBeGreaterThan(first?.atMs ?? Number.POSITIVE_INFINITY);
    expect(second?.events).toBeGreaterThan(4);
  });

  test('holds the headers it is told to, or nothing', async () => {
    const server = await start({ logHeaders: ['host'] });
    const silent = await start({ log: false });
    await ask(server, { provider: 'chat', prompt });
    await ask(silent, { provider: 'chat', prompt });
    expect(server.requests[0]?.headers).toEqual({ host: server.url.slice('http://'.length) });
    expect(silent.requests).toEqual([]);
  });

  test('is forgotten by a reset, with faults, plans and counts', async () => {
    const server = await start({ faults: ['500', '500', '500'] });
    server.plan('model-1', 'say Planned.');
    await ask(server, { provider: 'chat', prompt });
    server.reset();
    expect((await ask(server, { provider: 'chat', prompt })).text).toBe('Hi.');
    expect(server.requests.map(({ index }) => index)).toEqual([0]);
    expect(server.maxInFlight).toBe(1);
  });
});

describe('faults', () => {
  test('may depend on the request', async () => {
    const server = await start({
      faults: ({ index, conversation }) => (index === 0 || conversation.model === 'broken' ? '503' : undefined),
    });
    const statusOf = async (model: string) => {
      const { error } = await ask(server, { provider: 'google', prompt, model });
      return (error as { statusCode?: number } | undefined)?.statusCode;
    };
    expect(await statusOf('whole')).toBe(503);
    expect(await statusOf('whole')).toBeUndefined();
    expect(await statusOf('broken')).toBe(503);
  });

  test('may depend on how much is going on', async () => {
    const server = await start({ faults: ({ inFlight }) => (inFlight > 3 ? '429' : 'hang') });
    const client = new AbortController();
    const { signal } = client;
    const asking = Promise.all(Array.from({ length: 8 }, () => ask(server, { provider: 'chat', prompt, signal })));
    await expect.poll(() => server.requests.filter(({ status }) => status === 429).length, PATIENTLY).toBe(5);
    expect(server.inFlight).toBe(3);
    client.abort();
    await asking;
    await expect.poll(() => server.inFlight, PATIENTLY).toBe(0);
    expect(server.maxInFlight).toBeGreaterThan(3);
  });

  test('count from the request after they were set, and leave those of a plan alone where they are ok', async () => {
    const server = await start();
    await ask(server, { provider: 'chat', prompt });
    server.setFaults(['ok', '500']);
    const refused = await ask(server, { provider: 'chat', prompt: 'plan: !refusal & say No.' });
    expect(refused.steps[0]?.finish).toBe('content-filter');
    expect((await ask(server, { provider: 'chat', prompt })).error).toMatchObject({ statusCode: 500 });
    expect(server.requests.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

test('latency is waited for', async () => {
  const server = await start({ latencyMs: 60 });
  const begin = performance.now();
  await ask(server, { provider: 'chat', prompt });
  expect(performance.now() - begin).toBeGreaterThanOrEqual(59);
});

test('every event may wait, too', async () => {
  const server = await start({ chunkLatencyMs: 5 });
  const begin = performance.now();
  await ask(server, { provider: 'messages', isStreamed: true, prompt });
  const events = server.requests[0]?.events ?? 0;
  expect(performance.now() - begin).toBeGreaterThanOrEqual(events * 5 - events);
});

test('closing cuts what is open', async () => {
  const server = await startModelServer({ faults: ['hang'] });
  const asking = ask(server, { provider: 'chat', prompt });
  await expect.poll(() => server.inFlight, PATIENTLY).toBe(1);
  await server.close();
  expect((await asking).error).toMatchObject({ isRetryable: true });
  await expect(fetch(server.url)).rejects.toThrow();
});

describe('a request that cannot be answered is refused with the reason', () => {
  test('a plan that cannot be read, in every format', async () => {
    const server = await start();
    for (const provider of FORMATS) {
      const { error } = await ask(server, { provider, prompt: 'plan: say a & say b' });
      expect(error).toMatchObject({ statusCode: 400, message: expect.stringContaining('a reply has one "say"') });
    }
    const { error } = await ask(server, { provider: 'chat', prompt: 'plan: say <<calls[0].text>>' });
    expect(error).toMatchObject({ message: '<<calls[0].text>>: only 0 calls were made so far' });
    const { error: unknown } = await ask(server, { provider: 'chat', prompt: 'plan: !nonsense' });
    expect(unknown).toMatchObject({ message: expect.stringContaining('unknown fault "nonsense"') });
  });

  const user = { role: 'user', content: prompt };
  const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{}' } };
  const tool = (name: string, parameters: unknown) => ({ type: 'function', function: { name, parameters } });
  test.each([
    ['no JSON', '{', 'the body of the request is no JSON object'],
    ['no messages', { model: 'm' }, '"messages" is missing'],
    ['no model', { messages: [user] }, 'you must provide a model'],
    ['no user', { model: 'm', messages: [{ role: 'system', content: 'x' }] }, 'no message of a user'],
    [
      'a call without a result',
      { model: 'm', messages: [user, { role: 'assistant', tool_calls: [call] }, user] },
      'the tool call c1 was not answered',
    ],
    [
      'a result without a call',
      { model: 'm', messages: [user, { role: 'tool', tool_call_id: 'c9', content: 'x' }] },
      'no tool call was asked for with the id c9',
    ],
    [
      'a name in a wrong form',
      { model: 'm', messages: [user], tools: [tool('a.b', {})] },
      'invalid name of a tool: "a.b"',
    ],
    [
      'a name twice',
      { model: 'm', messages: [user], tools: [tool('a', {}), tool('a', {})] },
      'two tools have the name "a"',
    ],
    [
      'a schema of no object',
      { model: 'm', messages: [user], tools: [tool('a', { type: 'string' })] },
      '"type" must be "object"',
    ],
  ])('%s', async (_, body, message) => {
    const server = await start();
    const response = await post(`${server.url}/v1/chat/completions`, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(message) } });
  });
});

test('main.ts runs it as a process of its own', async () => {
  const main = fileURLToPath(new URL('../../modelServer/main.ts', import.meta.url));
  const args = [main, '--port', '0', '--fault', '503', '--plan', 'judge=say {"score":1}'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const { url } = JSON.parse(String(line)) as { url: string };
    const body = { model: 'judge', messages: [{ role: 'user', content: 'Well?' }] };
    expect((await post(`${url}/v1/chat/completions`, body)).status).toBe(503);
    const response = await post(`${url}/v1/chat/completions`, body);
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: '{"score":1}' } }] });
  } finally {
    child.kill('SIGTERM');
  }
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
