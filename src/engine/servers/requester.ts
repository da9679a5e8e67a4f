import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { CallError, Json } from '../record.ts';
import { readRpcError } from './callOutcome.ts';
import type { ServerDefinition } from './connection.ts';
import { anyResult, withOwnSignal } from './mcpClient.ts';
import type { ServerTransport } from './serverTransport.ts';
import { describeDeath, isOutOfTime, isUnanswered, rpcText, seconds } from './sessionText.ts';
import { faultOf, type TransportFault } from './transportFault.ts';

const TOTAL_MS = 10 * 60 * 1000;

/** What became of the session while a request was under way; `lost` says that the server did nothing of it. */
export type Fate = 'alive' | 'died' | 'lost';

export type Reply = { fate: 'alive'; answer: Json } | { fate: Fate; error: CallError };

/** Asks one server things, and puts into words why there is no answer. Never throws for what the server does. */
export class Requester {
  /** True when the next lease shall not get this session: a request was left unfinished in it, or it is gone. */
  isStale = false;
  readonly #definition: ServerDefinition;
  readonly #client: Client;
  readonly #transport: ServerTransport;
  readonly #totalMs: number;

  /** @param totalMs how long a request may take in all while it reports progress; 10 min where absent */
  constructor(definition: ServerDefinition, client: Client, transport: ServerTransport, totalMs = TOTAL_MS) {
    this.#definition = definition;
    this.#client = client;
    this.#transport = transport;
    this.#totalMs = totalMs;
  }

  /**
   * @param doing for messages: `the call of "add"`
   * @param object what is asked for, likewise: `"add"`
   */
  async ask(
    request: { method: string; params: { [key: string]: Json } },
    { doing, object }: { doing: string; object: string },
    signal: AbortSignal,
  ): Promise<Reply> {
    try {
      const answer = await withOwnSignal(signal, (own) =>
        this.#client.request(request, anyResult, {
          signal: own,
          timeout: this.#definition.callTimeoutMs,
          maxTotalTimeout: this.#totalMs,
          // Without a listener the server is not asked for progress, and nothing is reset.
          resetTimeoutOnProgress: true,
          onprogress: () => {},
        }),
      );
      return { fate: 'alive', answer };
    } catch (error) {
      const { death } = this.#transport;
      if (signal.aborted || (death?.kind === 'closed' && isUnanswered(error))) {
        // Whether the server heeds it cannot be known.
        this.isStale = true;
        const text = `${doing.charAt(0).toUpperCase()}${doing.slice(1)} was cancelled.`;
        return { fate: 'alive', error: { kind: 'cancelled', text } };
      }
      return this.#failure(error, doing, object);
    }
  }

  /** Why it can no longer be used, as a sentence with its last stderr lines. */
  describeEnd(doing: string): string {
    const { death } = this.#transport;
    const how = death === null ? 'is alive' : describeDeath(death);
    return `server "${this.#definition.name}" ${how} ${doing}${this.#transport.quoteErrors()}`;
  }

  #failure(error: unknown, doing: string, object: string): Reply {
    const server = `server "${this.#definition.name}"`;
    const fault = faultOf(error);
    if (fault !== null) return this.#faulty(fault, doing);
    if (this.#transport.death !== null && isUnanswered(error)) {
      return { fate: 'died', error: { kind: 'crashed', text: this.describeEnd(`during ${doing}`) } };
    }
    if (isOutOfTime(error)) {
      this.isStale = true;
      return { fate: 'alive', error: { kind: 'timeout', text: `${server} ${this.#outOfTime(object, error)}` } };
    }
    if (!(error instanceof McpError)) throw error;
    return { fate: 'alive', error: readRpcError(error.code, rpcText(error)) };
  }

  #faulty(fault: TransportFault, doing: string): Reply {
    const text = `server "${this.#definition.name}" ${fault.message}, during ${doing}`;
    switch (fault.kind) {
      case 'refused':
        return { fate: 'alive', error: { kind: 'protocol', text: fault.message } };
      case 'notMcp':
      case 'signIn':
        return { fate: 'alive', error: { kind: 'protocol', text } };
      case 'unreachable':
      case 'cutOff':
        this.isStale = true;
        return { fate: 'died', error: { kind: 'crashed', text } };
      case 'lost':
        this.isStale = true;
        return { fate: 'lost', error: { kind: 'crashed', text } };
    }
  }

  #outOfTime(object: string, error: McpError): string {
    const rest = this.#transport.explainSilence('calling');
    const total = JSON.stringify(error.data).includes('maxTotalTimeout');
    return total
      ? `reported progress, but gave no answer to ${object} in ${seconds(this.#totalMs)}${rest}`
      : `gave no answer to ${object} in ${seconds(this.#definition.callTimeoutMs)}${rest}`;
  }
}
