import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connectionFailure } from './connectionFailure.ts';

export interface Limits {
  /** To connect, with what TLS and a proxy need. */
  connectMs: number;
  /** Without a byte from the other side, once connected. */
  silenceMs: number;
  /** Of an answer. */
  mostBytes: number;
}

export interface Outgoing {
  url: URL;
  agent: Agent;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  signal: AbortSignal | null;
  limits: Limits;
}

/**
 * One request, up to the head of its answer. A connection that the other side closed while it was idle is no failure: the
 * request is sent once more over a new one.
 *
 * @throws the signal's reason, and APICallError
 */
export async function exchange(outgoing: Outgoing): Promise<IncomingMessage> {
  const first = attempt(outgoing);
  try {
    return await first.answer;
  } catch (error) {
    if (!first.wasStale() || outgoing.signal?.aborted === true) throw error;
    return attempt(outgoing).answer;
  }
}

interface Attempt {
  answer: Promise<IncomingMessage>;
  /** Whether it failed because a kept connection had been closed meanwhile. */
  wasStale(): boolean;
}

function attempt({ url, agent, method, headers, body, signal, limits }: Outgoing): Attempt {
  let stale = false;
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    signal?.throwIfAborted();
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = send(url, { method, agent, headers: { ...headers, ...length, 'accept-encoding': 'identity' } });
    const connecting = setTimeout(() => {
      fail(Object.assign(new Error(`no connection within ${limits.connectMs / 1000} s`), { code: 'ETIMEDOUT' }));
    }, limits.connectMs);
    whenConnected(request, () => clearTimeout(connecting));

    function done(): void {
      clearTimeout(connecting);
      signal?.removeEventListener('abort', onAbort);
    }
    function fail(error: Error): void {
      done();
      stale = request.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(connectionFailure(error, url));
      request.destroy();
    }
    function onAbort(): void {
      done();
      reject(signal?.reason);
      request.destroy();
    }
    signal?.addEventListener('abort', onAbort, { once: true });
    let response: IncomingMessage | null = null;
    request.once('response', (begun) => {
      done();
      response = begun;
      resolve(begun);
    });
    // What happens once the answer has begun comes here too, but then the answer itself tells of it.
    request.on('error', fail);
    request.setTimeout(limits.silenceMs, () => {
      const error = Object.assign(new Error(`silent for ${limits.silenceMs / 1000} s`), { code: 'ETIMEDOUT' });
      (response ?? request).destroy(error);
    });
    request.end(body);
  });
  return { answer, wasStale: () => stale };
}

function whenConnected(request: ClientRequest, then: () => void): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) then();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', then);
  });
}
