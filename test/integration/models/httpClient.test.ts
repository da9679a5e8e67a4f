import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { APICallError } from '@ai-sdk/provider';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../../../src/engine/models/http/httpClient.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

interface Peer {
  url: string;
  requests: { method: string; path: string; body: string; headers: IncomingMessage['headers'] }[];
  /** Connections that were ever made. */
  connections: number;
  server: Server;
}

async function peer(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void): Promise<Peer> {
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    peerOf.requests.push({ method: request.method ?? '', path: request.url ?? '', body, headers: request.headers });
    answer(request, response, body);
  };
  const server = createServer(listener);
  const peerOf: Peer = { url: '', requests: [], connections: 0, server };
  server.on('connection', () => {
    peerOf.connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  peerOf.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return peerOf;
}

function client(
  limits: Parameters<typeof createHttpClient>[0]['limits'] = {},
  env: NodeJS.ProcessEnv = {},
): HttpClient {
  const made = createHttpClient({ env, limits });
  open.push(made);
  return made;
}

const post = (body = '{}', more: RequestInit = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret-key' },
  body,
  ...more,
});

const json = (response: ServerResponse, value: unknown) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
};

async function failureOf(work: Promise<unknown>): Promise<APICallError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(APICallError.isInstance(error), String(error)).toBe(true);
  return error as APICallError;
}

describe('an answer', () => {
  test('comes with status, headers and body', async () => {
    const { url, requests } = await peer((_, response) => {
      response.writeHead(418, 'Teapot', { 'x-id': 'a', 'content-type': 'text/plain; charset=utf-8' }).end('Grüße 🌍');
    });
    const response = await client().fetch(`${url}/v1?a=b`, post('{"a":"ä"}'));
    expect([response.status, response.statusText, response.ok]).toEqual([418, 'Teapot', false]);
    expect(response.headers.get('X-Id')).toBe('a');
    expect(await response.text()).toBe('Grüße 🌍');
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1?a=b',
        body: '{"a":"ä"}',
        headers: { authorization: 'Bearer secret-key', 'content-length': '10', 'accept-encoding': 'identity' },
      },
    ]);
  });

  test('without a body is empty', async () => {
    const { url } = await peer((_, response) => response.writeHead(204).end());
    const response = await client().fetch(url, post());
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  test('that streams comes piece by piece', async () => {
    let go = () => undefined as unknown;
    const { url } = await peer((_, response) => {
      response.setHeader('content-type', 'text/event-stream').write('data: 1\n\n');
      go = () => response.end('data: 2\n\n');
    });
    const response = await client().fetch(url, post());
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('data: 1\n\n');
    go();
    expect((await reader?.read())?.value).toBe('data: 2\n\n');
    expect((await reader?.read())?.done).toBe(true);
  });

  test('that streams waits for a slow reader', async () => {
    const piece = 'x'.repeat(64 * 1024);
    const { url } = await peer((_, response) => {
      response.setHeader('content-type', 'text/event-stream');
      for (let n = 0; n < 200; n += 1) response.write(piece);
      response.end();
    });
    const response = await client().fetch(url, post());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await response.text()).length).toBe(200 * piece.length);
  });

  test.each(['application/json', 'text/event-stream'])('of %s that breaks off is an error', async (type) => {
    const { url } = await peer((_, response) => {
      response.setHeader('content-type', type).setHeader('content-length', '100').write('{"a"');
      setTimeout(() => response.destroy(), 5);
    });
    const answer = client()
      .fetch(url, post())
      .then((response) => response.text());
    expect(await failureOf(answer)).toMatchObject({ message: 'the connection broke off', isRetryable: true });
  });

  test.each(['application/json', 'text/event-stream'])('of %s is cut off where it is too large', async (type) => {
    const { url } = await peer((_, response) => {
      response.setHeader('content-type', type).end('x'.repeat(1024 * 1024 + 1));
    });
    const answer = client({ mostBytes: 1024 * 1024 })
      .fetch(url, post())
      .then((response) => response.text());
    expect(await failureOf(answer)).toMatchObject({ message: 'the answer is larger than 1 MiB', isRetryable: false });
  });

  test('that is no HTTP is an error', async () => {
    const server = createTcpServer((socket: Socket) => socket.end('hello\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push(server);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await failureOf(client().fetch(url, post()))).message).toMatch(/^Parse Error/);
  });
});

describe('connections', () => {
  test('are kept, and ended with the client', async () => {
    const one = await peer((_, response) => json(response, {}));
    const { fetch, close } = client();
    for (let n = 0; n < 5; n += 1) await (await fetch(one.url, post())).text();
    expect(one.connections).toBe(1);
    expect(await countOf(one.server)).toBe(1);
    close();
    await expect.poll(() => countOf(one.server)).toBe(0);
  });

  test('that were closed meanwhile are replaced without a word', async () => {
    const used = new Set<unknown>();
    const one = await peer(({ socket }, response) => {
      // As a server does whose patience with an idle connection ends while the next request is on its way.
      if (used.has(socket)) socket.resetAndDestroy();
      else json(response, {});
      used.add(socket);
    });
    const { fetch } = client();
    for (let n = 0; n < 3; n += 1) expect((await fetch(one.url, post())).status).toBe(200);
    expect(one.connections).toBe(3);
  });

  test('that a server resets after the request was read are an error, and it is not sent twice', async () => {
    const one = await peer((request) => request.socket.resetAndDestroy());
    expect(await failureOf(client().fetch(one.url, post()))).toMatchObject({
      message: 'the connection broke off',
      isRetryable: true,
    });
    expect(one.requests).toHaveLength(1);
  });

  test('that are refused are an error', async () => {
    const error = await failureOf(client().fetch('http://127.0.0.1:9/', post()));
    // Nobody listens on this machine, and nobody will without being started.
    expect(error).toMatchObject({ message: 'the connection was refused', isRetryable: false, statusCode: undefined });
  });

  test('to a name that is none are an error that lasts', async () => {
    const error = await failureOf(client().fetch('http://no-such-host.invalid/', post()));
    expect(error.message).toMatch(/^(?:there is no host of this name|the name of the host could not be looked up)$/);
  });

  test('take their time, but not for ever', async () => {
    // It takes the connection, but says nothing of TLS.
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => sockets.push(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: () => server.close() }, { close: () => sockets.forEach((socket) => void socket.destroy()) });
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const error = await failureOf(client({ connectMs: 50 }).fetch(url, post()));
    expect(error).toMatchObject({ message: 'no connection within 0.05 s', isRetryable: true });
  });

  test.each([
    ['before its answer', false],
    ['in the middle of it', true],
  ])('whose other side falls silent %s are given up', async (_, begins) => {
    const one = await peer((_request, response) => {
      if (begins) response.setHeader('content-type', 'application/json').write('{');
    });
    const error = await failureOf(client({ silenceMs: 60 }).fetch(one.url, post()));
    expect(error).toMatchObject({ message: 'silent for 0.06 s', isRetryable: true });
  });
});

describe('an abort', () => {
  const reason = new DOMException('enough', 'AbortError');

  test('before the request sends nothing', async () => {
    const one = await peer((_, response) => json(response, {}));
    await expect(client().fetch(one.url, post('{}', { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(one.requests).toEqual([]);
  });

  test.each(['nothing', 'json', 'stream'])('after %s has come ends the exchange at once', async (what) => {
    const ended = Promise.withResolvers<void>();
    const one = await peer((_, response) => {
      response.once('close', () => ended.resolve());
      const type = what === 'stream' ? 'text/event-stream' : 'application/json';
      if (what !== 'nothing') response.setHeader('content-type', type).write('{');
    });
    const controller = new AbortController();
    const work = client()
      .fetch(one.url, post('{}', { signal: controller.signal }))
      .then((response) => response.text());
    setTimeout(() => controller.abort(reason), 30);
    await expect(work).rejects.toBe(reason);
    await ended.promise;
  });
});

describe('a redirect', () => {
  const redirectTo =
    (location: string, status = 307) =>
    (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/v1') response.writeHead(status, { location }).end();
      else json(response, { at: request.url });
    };

  test.each([307, 308])('within the origin repeats the request: %i', async (status) => {
    const one = await peer(redirectTo('/v2', status));
    const response = await client().fetch(`${one.url}/v1`, post('{"a":1}'));
    expect(await response.json()).toEqual({ at: '/v2' });
    expect(one.requests[1]).toMatchObject({ method: 'POST', body: '{"a":1}' });
  });

  test('to another port is refused, and nothing is sent there', async () => {
    const other = await peer((_, response) => json(response, {}));
    const one = await peer(redirectTo(`${other.url}/v1`));
    await expect(client().fetch(`${one.url}/v1`, post())).rejects.toMatchObject({
      code: 'MODEL005',
      message: `${new URL(one.url).host} redirects to another origin, ${other.url}`,
    });
    expect(other.connections).toBe(0);
  });

  test.each([
    ['of another host', 'http://localhost:1/v1', 307, /another origin, http:\/\/localhost:1$/],
    ['to another scheme', 'https://127.0.0.1:1/v1', 308, /another origin, https:/],
    ['to a scheme that is none of ours', 'file:///etc/passwd', 307, /another origin/],
    ['to an address that is none', 'http://[', 307, /an address that is none$/],
    ['that drops the request', '/v2', 302, /redirects to \/v2, which drops the request$/],
    ['that drops the request for good', '/v2', 301, /which drops the request$/],
    ['to itself', '/v1', 307, /redirects without end$/],
  ])('%s is refused', async (_, location, status, message) => {
    const one = await peer(redirectTo(location, status));
    await expect(client().fetch(`${one.url}/v1`, post())).rejects.toMatchObject({
      code: 'MODEL005',
      message: expect.stringMatching(message),
    });
  });
});

describe('a proxy', () => {
  test('is not asked for this machine', async () => {
    const one = await peer((_, response) => json(response, {}));
    const env = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' };
    expect((await client({}, env).fetch(one.url, post())).status).toBe(200);
  });

  test('is asked for others', async () => {
    const proxy = await peer((_, response) => json(response, { via: 'proxy' }));
    const response = await client({}, { http_proxy: proxy.url }).fetch('http://models.example/v1', post('{"a":1}'));
    expect(await response.json()).toEqual({ via: 'proxy' });
    expect(proxy.requests).toMatchObject([{ path: 'http://models.example/v1', body: '{"a":1}' }]);
  });
});

function countOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
