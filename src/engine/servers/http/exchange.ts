import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

/** Below the 5 s after which most servers close an idle connection, so that none is used just as it is closed. */
const IDLE_MS = 3000;

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** Decoded. An error of it, or its end before `length`, means that the connection broke off. */
  body: Readable;
  /** Of the body as it was sent, where it was told. */
  length: number | null;
}

export interface Outgoing {
  method: string;
  headers: Headers;
  body: string | null;
}

export interface Connections {
  /**
   * One request, up to the head of its answer.
   *
   * @throws Node's error, with its `code`
   * @throws the signal's reason, at once, when it aborts; a body that is still read is then destroyed
   */
  exchange(url: URL, outgoing: Outgoing, signal: AbortSignal): Promise<HttpAnswer>;
  /** Ends every connection. */
  close(): void;
}

/** Over `node:http` and not the platform's `fetch`, which ends an answer that is silent for five minutes. */
export function openConnections(): Connections {
  const settings = { keepAlive: true, timeout: IDLE_MS };
  const agents = { http: new HttpAgent(settings), https: new HttpsAgent(settings) };
  return {
    exchange: (url, { method, headers, body }, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const isTls = url.protocol === 'https:';
        const request = (isTls ? requestHttps : requestHttp)(url, {
          method,
          agent: isTls ? agents.https : agents.http,
          headers: {
            ...Object.fromEntries(headers),
            'accept-encoding': 'gzip, deflate, br',
            ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
          },
        });
        let answer: IncomingMessage | null = null;
        const abort = (): void => {
          // A request that is over as it is aborted may have nobody left who listens to its errors.
          if (answer !== null) answer.destroy();
          else request.destroy(toError(signal.reason));
        };
        signal.addEventListener('abort', abort);
        request.on('close', () => signal.removeEventListener('abort', abort));
        request.on('error', (error) => reject(signal.aborted ? signal.reason : error));
        request.on('response', (message) => {
          answer = message;
          resolve(readAnswer(message));
        });
        request.end(body ?? undefined);
      }),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function readAnswer(answer: IncomingMessage): HttpAnswer {
  const headers = new Headers();
  for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
    headers.append(answer.rawHeaders[index] ?? '', answer.rawHeaders[index + 1] ?? '');
  }
  const length = headers.get('content-length');
  const ignore = (): void => {
    // Whoever reads the body sees it; nobody may.
  };
  answer.on('error', ignore);
  const body = decoded(answer, headers.get('content-encoding')?.trim().toLowerCase() ?? '');
  body.on('error', ignore);
  return { status: answer.statusCode ?? 0, headers, body, length: length === null ? null : Number(length) };
}

function decoded(answer: IncomingMessage, encoding: string): Readable {
  const decoder = /^(?:x-)?gzip$|^deflate$/.test(encoding)
    ? createUnzip()
    : encoding === 'br'
      ? createBrotliDecompress()
      : null;
  if (decoder === null) return answer;
  answer.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => answer.destroy());
  return answer.pipe(decoder);
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
