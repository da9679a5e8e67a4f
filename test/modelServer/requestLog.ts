import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Json } from '../../src/engine/record.ts';
import type { WireFormat } from './wireFormat.ts';

/** One request as it came, and what became of it. */
export interface LoggedRequest {
  /** Counts the requests to a model from 0; null for others (another path, another method, a wrong key). */
  index: number | null;
  /** Milliseconds since the server started or was reset. */
  atMs: number;
  method: string;
  /** With the query. */
  path: string;
  /** Those the server was told to log. */
  headers: IncomingHttpHeaders;
  body: Json;
  format: WireFormat['name'] | null;
  model: string | null;
  isStreamed: boolean;
  /** The fault that befell it. */
  fault: string | null;
  /** Null until an answer began. */
  status: number | null;
  /** Events of a stream that went out. */
  events: number;
  /** `sent` whole or as much as the fault let through in good order; `cut` by a fault; `gone`: the client hung up. */
  outcome: 'open' | 'sent' | 'cut' | 'gone';
}

const LOGGED_HEADERS = [
  'authorization',
  'api-key',
  'x-api-key',
  'x-goog-api-key',
  'cookie',
  'anthropic-version',
  'content-type',
  'user-agent',
];

export interface RequestLog {
  readonly requests: readonly LoggedRequest[];
  add(request: IncomingMessage, format: WireFormat | undefined): LoggedRequest;
  clear(): void;
}

/** @param keep false: requests are not kept, so that a long run needs no memory */
export function createRequestLog({ keep, headers }: { keep: boolean; headers?: readonly string[] }): RequestLog {
  const names = headers ?? LOGGED_HEADERS;
  let requests: LoggedRequest[] = [];
  let begin = performance.now();
  return {
    get requests() {
      return requests;
    },
    add(request, format) {
      const entry: LoggedRequest = {
        index: null,
        atMs: performance.now() - begin,
        method: request.method ?? '',
        path: request.url ?? '',
        headers: Object.fromEntries(
          names.flatMap((name) => (name in request.headers ? [[name, request.headers[name]]] : [])),
        ),
        body: null,
        format: format?.name ?? null,
        model: null,
        isStreamed: false,
        fault: null,
        status: null,
        events: 0,
        outcome: 'open',
      };
      if (keep) requests.push(entry);
      return entry;
    },
    clear() {
      requests = [];
      begin = performance.now();
    },
  };
}
