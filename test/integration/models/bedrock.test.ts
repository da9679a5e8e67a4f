/** Bedrock's own wire format (Converse), which the model server does not speak: as much of it as one tool loop needs. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { API_KEY, caseOf, casesOf, modelAt, SUITE, tryModel, weatherPool } from './suite.ts';

interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  body: { messages: { content: { toolResult?: { content: { text: string }[] } }[] }[]; inferenceConfig?: object };
}

async function converseServer() {
  const requests: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked['body'];
    requests.push({ path: request.url ?? '', headers: request.headers, body });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answerTo(body)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close: () => server.close() };
}

/** Calls a tool, then says what it returned. */
function answerTo({ messages }: Asked['body']) {
  const told = messages.at(-1)?.content[0]?.toolResult?.content[0]?.text;
  const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
  const content =
    told === undefined
      ? [{ toolUse: { toolUseId: 'tooluse_1', name: 'get_weather', input: { city: 'Berlin' } } }]
      : [{ text: `Now: ${told}` }];
  const stopReason = told === undefined ? 'tool_use' : 'end_turn';
  return { output: { message: { role: 'assistant', content } }, stopReason, usage, metrics: { latencyMs: 1 } };
}

test('a tool loop over Converse', async () => {
  const server = await converseServer();
  const pool = weatherPool();
  const model = modelAt({ url: server.url }, 'bedrock', { model: 'eu.acme.one-v1:0', maxOutputTokens: 99 });
  const { attempt, verdict, reason } = await tryModel(caseOf(casesOf(SUITE), 'one-call'), model, pool);
  await Promise.all([model.close(), pool.close()]);
  server.close();
  expect([verdict, reason]).toEqual(['passed', undefined]);
  expect(server.requests.map(({ path }) => path)).toEqual(Array(2).fill('/model/eu.acme.one-v1%3A0/converse'));
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
  expect(server.requests[0]?.body.inferenceConfig).toEqual({ maxTokens: 99 });
  expect(attempt.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  expect(attempt.costUsd).toBe(0.00004);
});
