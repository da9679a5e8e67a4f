import type { PendingRequests } from '../pendingRequests.ts';
import type { Finding } from '../serverLine.ts';
import { TransportFault } from '../transportFault.ts';
import { AnswerReader } from './answerReader.ts';
import { type Connections, type HttpAnswer, type Outgoing, openConnections } from './exchange.ts';
import { connectionFault, contentFault, readBeginning, redirectFault, shownUrl, statusFault } from './faults.ts';
import { PatientExchange } from './patientExchange.ts';

/** What the end of a session may take. */
const DELETE_MS = 2000;
/** Streams for notifications that end without any before no more is opened. */
const MAX_BARREN = 3;
/** Tells the SDK that there is no such stream, which is no error. */
const NO_STREAM = 405;

export interface HttpListeners {
  onFinding(finding: Finding): void;
  /** The event stream of `sse`, over which every answer comes, has ended. */
  onStreamEnded(): void;
}

/**
 * What the SDK's transports are given as `fetch`. Waits where a server says 429 or 503, refuses redirects to another
 * origin, and reads the messages out of the answers itself: the SDK sees only what it needs to hold the session (heads,
 * ids of events, the endpoint of `sse`). Whatever goes wrong is a TransportFault of the one request it concerns, at once.
 */
export class HttpRequests {
  /** Why the event stream of `sse` could not be opened. */
  streamFault: TransportFault | null = null;
  readonly #pending: PendingRequests;
  readonly #listeners: HttpListeners;
  readonly #reader: AnswerReader;
  readonly #connections: Connections = openConnections();
  readonly #patience: PatientExchange;
  /** By request; streams for notifications have a key of their own. */
  readonly #open = new Map<number | symbol, AbortController>();
  /** The last event id in the stream of each request that is unanswered: where it can be taken up again. */
  readonly #resumable = new Map<number, string>();
  /** The one stream for notifications, and the last event id in it. */
  #listening: symbol | null = null;
  #lastHeard: string | null = null;
  #barren = 0;

  constructor(pending: PendingRequests, listeners: HttpListeners) {
    this.#pending = pending;
    this.#listeners = listeners;
    this.#reader = new AnswerReader(pending, listeners.onFinding);
    this.#patience = new PatientExchange(this.#connections, listeners.onFinding);
  }

  /** What a request waits for, other than its answer. */
  get waiting(): string | null {
    return this.#patience.waiting;
  }

  /** @throws TransportFault */
  async fetchStreamable(url: URL, init: RequestInit): Promise<Response> {
    const sent = sentOf(init);
    if (sent.method === 'POST') return this.#post(url, sent, 'http');
    if (sent.method === 'GET') return this.#listen(url, sent);
    const answer = await this.#connections.exchange(url, sent, AbortSignal.timeout(DELETE_MS));
    answer.body.resume();
    return headOf(answer);
  }

  /** @throws TransportFault */
  async fetchSse(url: URL, init: RequestInit): Promise<Response> {
    const sent = sentOf(init);
    return sent.method === 'POST' ? this.#post(url, sent, 'sse') : this.#openSse(url, sent);
  }

  abort(request: number): void {
    this.#resumable.delete(request);
    this.#open.get(request)?.abort();
  }

  abortAll(): void {
    for (const controller of this.#open.values()) controller.abort();
  }

  close(): void {
    this.abortAll();
    this.#connections.close();
  }

  async #post(url: URL, sent: Outgoing, kind: 'http' | 'sse'): Promise<Response> {
    const id = requestIn(sent.body);
    const key = id ?? Symbol('message');
    const controller = new AbortController();
    this.#open.set(key, controller);
    let isStreaming = false;
    try {
      const answer = await this.#patience.exchange(url, sent, controller.signal);
      if (redirectsWithin(answer, url)) {
        answer.body.resume();
        return headOf(answer);
      }
      if (answer.status < 200 || answer.status >= 300) return await this.#refused(answer, url, sent, id);
      if (kind === 'sse' || id === null) {
        answer.body.resume();
        return headOf(answer);
      }
      const type = /^\s*([^;\s]*)/.exec(answer.headers.get('content-type') ?? '')?.[1]?.toLowerCase();
      if (answer.status === 202) {
        answer.body.resume();
        const text = `accepted the request (HTTP 202) at ${shownUrl(url)} and will not answer it`;
        throw new TransportFault('notMcp', text, { status: 202 });
      }
      if (type === 'application/json') {
        await this.#reader.readJson(answer, id);
        return new Response(null, { status: 202, headers: answer.headers });
      }
      if (type !== 'text/event-stream') {
        throw contentFault(answer.status, answer.headers, await readBeginning(answer.body), url);
      }
      isStreaming = true;
      return this.#stream(answer, id, () => this.#open.delete(key));
    } finally {
      if (!isStreaming) this.#open.delete(key);
    }
  }

  /** A status that says no. @throws TransportFault, unless the body is the request's own JSON-RPC error */
  async #refused(answer: HttpAnswer, url: URL, sent: Outgoing, id: number | null): Promise<Response> {
    const { status, headers } = answer;
    const location = headers.get('location');
    if (status >= 300 && status < 400 && location !== null && URL.canParse(location, url.href)) {
      answer.body.destroy();
      throw redirectFault(status, url, new URL(location, url));
    }
    const body = await readBeginning(answer.body);
    if (status === 404 && sent.headers.has('mcp-session-id')) {
      const text = `has lost the session (HTTP 404 at ${shownUrl(url)})`;
      throw new TransportFault('lost', text, { status, hint: 'It was restarted, or forgets sessions too early.' });
    }
    if (id !== null && status !== 401 && status !== 403 && answersWithError(body, id)) {
      this.#reader.deliver(body, id);
      return new Response(null, { status: 202, headers });
    }
    throw statusFault(status, headers, body, url);
  }

  /** The answer to a request as an event stream, which ends with the request. */
  #stream(answer: HttpAnswer, id: number, onEnd: () => void): Response {
    return this.#passControl(answer, id, ({ error }) => {
      onEnd();
      if (!this.#pending.has(id)) this.#resumable.delete(id);
      else if (!this.#resumable.has(id)) this.#failCut(id, error);
    });
  }

  /** A stream for notifications, or one that takes up again where the one of a request was cut. */
  async #listen(url: URL, sent: Outgoing): Promise<Response> {
    const lastEvent = sent.headers.get('last-event-id');
    const [owner = null] = [...this.#resumable].find(([, event]) => event === lastEvent) ?? [];
    // The SDK also wants to take up again what ended with an error as its answer.
    const isDone = owner === null ? lastEvent !== null && lastEvent !== this.#lastHeard : !this.#pending.has(owner);
    const isEnough = owner === null && (this.#listening !== null || this.#barren >= MAX_BARREN);
    if (isDone || isEnough) return noStream();
    const key = owner ?? Symbol('stream');
    const controller = new AbortController();
    this.#open.set(key, controller);
    if (typeof key === 'symbol') this.#listening = key;
    const end = (): void => {
      this.#open.delete(key);
      if (this.#listening === key) this.#listening = null;
    };
    try {
      const answer = await this.#connections.exchange(url, sent, controller.signal);
      if (answer.status !== 200 || !/^\s*text\/event-stream/i.test(answer.headers.get('content-type') ?? '')) {
        answer.body.destroy();
        throw statusFault(answer.status, answer.headers, Buffer.alloc(0), url);
      }
      return this.#passControl(answer, owner, ({ hadEvents, error }) => {
        end();
        if (owner === null) this.#barren = hadEvents ? 0 : this.#barren + 1;
        else if (!hadEvents) this.#failCut(owner, error);
      });
    } catch (error) {
      end();
      if (owner !== null) this.#failCut(owner, error);
      else this.#noteNoStream(error);
      return noStream();
    }
  }

  async #openSse(url: URL, sent: Outgoing): Promise<Response> {
    const key = Symbol('sse');
    const controller = new AbortController();
    this.#open.set(key, controller);
    try {
      const answer = await this.#patience.exchange(url, sent, controller.signal);
      if (redirectsWithin(answer, url)) {
        answer.body.resume();
        return headOf(answer);
      }
      if (answer.status !== 200) await this.#refused(answer, url, sent, null);
      if (!/^\s*text\/event-stream/i.test(answer.headers.get('content-type') ?? '')) {
        throw contentFault(answer.status, answer.headers, await readBeginning(answer.body), url);
      }
      return this.#passControl(answer, null, () => {
        this.#open.delete(key);
        this.streamFault = new TransportFault('cutOff', `ended its event stream at ${shownUrl(url)}`);
        this.#listeners.onStreamEnded();
      });
    } catch (error) {
      this.#open.delete(key);
      this.streamFault = error instanceof TransportFault ? error : connectionFault(error, url);
      throw this.streamFault;
    }
  }

  /** Reads a stream, and gives the SDK what of it concerns the session. */
  #passControl(
    answer: HttpAnswer,
    owner: number | null,
    onEnd: (end: { hadEvents: boolean; error: unknown }) => void,
  ): Response {
    const encoder = new TextEncoder();
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const write = (text: string): void => {
          if (!isCancelled) controller.enqueue(encoder.encode(text));
        };
        const onId = (id: string): void => {
          if (owner === null) this.#lastHeard = id;
          else if (this.#pending.has(owner)) this.#resumable.set(owner, id);
        };
        void this.#reader.readStream(answer, owner, { write, onId }).then((end) => {
          onEnd(end);
          if (!isCancelled) controller.close();
        });
      },
      cancel: () => {
        isCancelled = true;
        answer.body.destroy();
      },
    });
    return new Response(stream, { status: answer.status, headers: answer.headers });
  }

  #failCut(id: number, cause: unknown): void {
    this.#resumable.delete(id);
    if (this.#open.get(id)?.signal.aborted === true) return;
    this.#pending.fail(id, new TransportFault('cutOff', 'ended the event stream without an answer', { cause }));
  }

  /** Not every server has one; but one that has it and fails is told. */
  #noteNoStream(error: unknown): void {
    if (!(error instanceof TransportFault) || (error.status ?? 0) < 500 || error.status === 501) return;
    const text = `no stream for notifications, such as changed tools: it ${error.message}`;
    this.#listeners.onFinding({ kind: 'noStream', text });
  }
}

function sentOf(init: RequestInit): Outgoing {
  const { method = 'GET', headers, body } = init;
  return { method, headers: new Headers(headers), body: typeof body === 'string' ? body : null };
}

/** The id of the request that is sent; null for a notification or an answer. */
function requestIn(body: string | null): number | null {
  const message = body === null ? null : JSON.parse(body);
  return typeof message?.id === 'number' && typeof message.method === 'string' ? message.id : null;
}

/** Redirects that the SDK follows itself, or refuses for what they would do to the request. */
function redirectsWithin({ status, headers }: HttpAnswer, from: URL): boolean {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null || !URL.canParse(location, from.href)) return false;
  return new URL(location, from).origin === from.origin;
}

function answersWithError(body: Buffer, id: number): boolean {
  try {
    const value = JSON.parse(body.toString('utf8'));
    return value?.jsonrpc === '2.0' && value.id === id && value.error !== undefined;
  } catch {
    return false;
  }
}

function headOf({ status, headers }: HttpAnswer): Response {
  return new Response(null, { status, headers });
}

function noStream(): Response {
  return new Response(null, { status: NO_STREAM });
}
