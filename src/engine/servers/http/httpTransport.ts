import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { isInitializeRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ServerAddress } from '../connection.ts';
import { PendingRequests } from '../pendingRequests.ts';
import type { Finding } from '../serverLine.ts';
import { type Death, GONE, type ServerTransport } from '../serverTransport.ts';
import { TransportFault } from '../transportFault.ts';
import { shownUrl } from './faults.ts';
import { HttpRequests } from './httpRequests.ts';
import { maskSecrets } from './maskSecrets.ts';

/** Before a stream that was cut is taken up again, where the server does not say. */
const RESUME_MS = 250;

export interface HttpOptions {
  onFinding(finding: Finding): void;
  /** Told when it begins to close; `closed` holds until nothing is open any more. */
  onClosing(closed: Promise<void>): void;
}

/**
 * A server over HTTP. The SDK's transports know which requests MCP makes and in which session; the requests themselves are
 * made, and their answers read, by us (see `HttpRequests`). With `http` Streamable HTTP is spoken, and the older transport
 * of one event stream (`sse`) only where the server answers `initialize` with 404 or 405, as hosts do.
 */
export class HttpTransport implements ServerTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  protocol: string | null = null;
  readonly #address: ServerAddress;
  readonly #options: HttpOptions;
  readonly #url: URL;
  readonly #pending: PendingRequests;
  readonly #requests: HttpRequests;
  #inner: StreamableHTTPClientTransport | SSEClientTransport | null = null;
  #death: Death | null = null;
  #closed: Promise<void> | null = null;

  constructor(address: ServerAddress, options: HttpOptions) {
    this.#address = address;
    this.#options = options;
    this.#url = new URL(address.url);
    this.#pending = new PendingRequests(options.onFinding, (message) => this.onmessage?.(message));
    this.#requests = new HttpRequests(this.#pending, {
      onFinding: options.onFinding,
      onStreamEnded: () => this.#die({ kind: 'streamEnded' }),
    });
  }

  get death(): Death | null {
    return this.#death;
  }

  quoteErrors(): string {
    return '';
  }

  explainSilence(): string {
    const { waiting } = this.#requests;
    return waiting === null ? '' : `; ${waiting}`;
  }

  /** The connection itself is made with the first request, and so counts into its time. */
  async start(): Promise<void> {}

  /** @throws TransportFault, which names no secret */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#death !== null) throw new Error(GONE);
    const givenUp = this.#pending.noteSent(message);
    try {
      await this.#sendOver(message);
    } catch (error) {
      if ('id' in message && 'method' in message && typeof message.id === 'number') this.#pending.giveUp(message.id);
      // Then whoever waits is told the death itself.
      if (this.#death !== null) throw new Error(GONE);
      throw this.#faultIn(error);
    } finally {
      if (givenUp !== null) this.#requests.abort(givenUp);
    }
  }

  setProtocolVersion(version: string): void {
    this.protocol = version;
    this.#inner?.setProtocolVersion(version);
  }

  async close(): Promise<void> {
    this.#die({ kind: 'closed' });
    await this.#closed;
  }

  async #sendOver(message: JSONRPCMessage): Promise<void> {
    this.#inner ??= await this.#open(this.#address.kind);
    try {
      await this.#inner.send(message);
    } catch (error) {
      const isOlder = error instanceof TransportFault && (error.status === 404 || error.status === 405);
      if (this.#address.kind !== 'http' || !isOlder || !isInitializeRequest(message)) throw error;
      await this.#sendOverSse(message, error);
    }
  }

  /** @throws `first`, with what came of this try */
  async #sendOverSse(message: JSONRPCMessage, first: TransportFault): Promise<void> {
    try {
      this.#inner = await this.#open('sse');
      await this.#inner.send(message);
    } catch (error) {
      const text = `${first.message}; nor does it speak the older SSE there: it ${this.#faultIn(error).message}`;
      const { hint, status } = first;
      throw new TransportFault(first.kind, text, {
        ...(hint === null ? {} : { hint }),
        ...(status === null ? {} : { status }),
      });
    }
  }

  /** @throws what comes in place of the event stream with `sse` */
  async #open(kind: 'http' | 'sse'): Promise<StreamableHTTPClientTransport | SSEClientTransport> {
    const requestInit = { headers: { ...this.#address.headers } };
    if (kind === 'http') {
      const inner = new StreamableHTTPClientTransport(this.#url, {
        requestInit,
        fetch: (url, init) => this.#requests.fetchStreamable(new URL(url), init ?? {}),
        reconnectionOptions: {
          initialReconnectionDelay: RESUME_MS,
          maxReconnectionDelay: 4000,
          reconnectionDelayGrowFactor: 2,
          maxRetries: 2,
        },
      });
      await inner.start();
      return inner;
    }
    const inner = new SSEClientTransport(this.#url, {
      requestInit,
      fetch: (url, init) => this.#requests.fetchSse(new URL(url), init ?? {}),
    });
    this.#inner = inner;
    try {
      await inner.start();
    } catch (error) {
      await inner.close();
      // The SDK tells only the text of what went wrong.
      throw this.#requests.streamFault ?? error;
    }
    return inner;
  }

  #die(death: Death): void {
    if (this.#death !== null) return;
    this.#death = death;
    this.#closed = this.#end();
    this.#options.onClosing(this.#closed);
    this.onclose?.();
  }

  async #end(): Promise<void> {
    const inner = this.#inner;
    this.#requests.abortAll();
    if (inner instanceof StreamableHTTPClientTransport) {
      // Told, so that the server can forget the session; if it does not hear it, it forgets it later.
      await inner.terminateSession().catch(() => {});
    }
    await inner?.close();
    this.#requests.close();
  }

  #faultIn(error: unknown): TransportFault {
    const mask = (text: string): string => maskSecrets(text, this.#address);
    if (error instanceof TransportFault) {
      const { kind, message, hint, status, cause } = error;
      const more = { ...(hint === null ? {} : { hint }), ...(status === null ? {} : { status }), cause };
      return new TransportFault(kind, mask(message), more);
    }
    const text = error instanceof Error ? error.message : String(error);
    return new TransportFault('notMcp', `cannot be spoken to at ${shownUrl(this.#url)}: ${mask(text)}`, {
      cause: error,
    });
  }
}
