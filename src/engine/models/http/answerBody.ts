import type { IncomingMessage } from 'node:http';
import { APICallError } from '@ai-sdk/provider';
import { connectionFailure } from './connectionFailure.ts';

interface Reading {
  url: URL;
  signal: AbortSignal | null;
  mostBytes: number;
}

/**
 * The answer as the providers' packages take it: an event stream as a stream, all else whole, so that a connection which
 * breaks off is told as such and not as broken JSON.
 *
 * @throws the signal's reason, and APICallError
 */
export async function bodyOf(answer: IncomingMessage, reading: Reading): Promise<Response> {
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) {
    answer.destroy();
    throw connectionFailure(new Error(`the answer has the status ${status}, which is none`), reading.url);
  }
  const head = { status, statusText: answer.statusMessage ?? '', headers: headersOf(answer) };
  if (STREAMS.test(answer.headers['content-type'] ?? '')) return new Response(streamOf(answer, reading), head);
  const whole = await read(answer, reading);
  return new Response(status === 204 || status === 205 || status === 304 ? null : whole, head);
}

const STREAMS = /^\s*(?:text\/event-stream|application\/(?:x-ndjson|vnd\.amazon\.eventstream))\b/i;

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}

/** Tells each piece of an answer, then its end; stops it when it grows too large or the signal aborts. */
function follow(
  answer: IncomingMessage,
  { url, signal, mostBytes }: Reading,
  tell: { piece(piece: Buffer): void; end(): void; failed(error: unknown): void },
): void {
  let bytes = 0;
  let ended = false;
  function finish(then: () => void): void {
    if (ended) return;
    ended = true;
    signal?.removeEventListener('abort', onAbort);
    then();
  }
  function fail(error: unknown): void {
    finish(() => tell.failed(error));
    answer.destroy();
  }
  function onAbort(): void {
    fail(signal?.reason);
  }
  answer.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= mostBytes) tell.piece(piece);
    else fail(tooLarge(answer, url, mostBytes));
  });
  answer.once('end', () => finish(tell.end));
  answer.once('error', (error) => fail(connectionFailure(error, url)));
  answer.once('close', () => fail(connectionFailure(new Error('the answer broke off'), url)));
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
}

function read(answer: IncomingMessage, reading: Reading): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    follow(answer, reading, {
      piece: (piece) => pieces.push(piece),
      end: () => resolve(Buffer.concat(pieces)),
      failed: reject,
    });
  });
}

function streamOf(answer: IncomingMessage, reading: Reading): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      start(controller) {
        follow(answer, reading, {
          piece(piece) {
            controller.enqueue(new Uint8Array(piece));
            if ((controller.desiredSize ?? 0) <= 0) answer.pause();
          },
          end: () => controller.close(),
          failed: (error) => controller.error(error),
        });
      },
      pull: () => void answer.resume(),
      cancel: () => void answer.destroy(),
    },
    { highWaterMark: 64 },
  );
}

function tooLarge(answer: IncomingMessage, url: URL, mostBytes: number): APICallError {
  return new APICallError({
    message: `the answer is larger than ${mostBytes / 1024 / 1024} MiB`,
    url: url.href,
    requestBodyValues: {},
    statusCode: answer.statusCode ?? 0,
    isRetryable: false,
  });
}
