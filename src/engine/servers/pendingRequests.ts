import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type Finding, type Incoming, shorten } from './serverLine.ts';
import { faultAnswer, TransportFault } from './transportFault.ts';

/** The requests of one connection that wait for an answer: which answer belongs to which, and which to none. */
export class PendingRequests {
  readonly #waiting = new Set<number>();
  readonly #givenUp = new Set<number>();
  readonly #onFinding: (finding: Finding) => void;
  readonly #deliver: (message: JSONRPCMessage) => void;
  #lastId = -1;

  /** @param deliver gets what the server sent, and the answers given in its stead */
  constructor(onFinding: (finding: Finding) => void, deliver: (message: JSONRPCMessage) => void) {
    this.#onFinding = onFinding;
    this.#deliver = deliver;
  }

  /** The only one that waits; null where there are others, or none. */
  get only(): number | null {
    const [only, ...others] = this.#waiting;
    return only !== undefined && others.length === 0 ? only : null;
  }

  has(id: number): boolean {
    return this.#waiting.has(id);
  }

  /** @returns the request that this message gives up, if it does */
  noteSent(message: JSONRPCMessage): number | null {
    if (!('method' in message)) return null;
    if ('id' in message && typeof message.id === 'number') {
      this.#lastId = message.id;
      this.#waiting.add(message.id);
    } else if (message.method === 'notifications/cancelled' && 'params' in message) {
      const id = message.params?.requestId;
      if (typeof id === 'number' && this.giveUp(id)) return id;
    }
    return null;
  }

  /** An answer may still come; nobody waits for it. False where nobody did. */
  giveUp(id: number): boolean {
    if (!this.#waiting.delete(id)) return false;
    this.#givenUp.add(id);
    return true;
  }

  receive(incoming: readonly Incoming[]): void {
    for (const entry of incoming) {
      if (entry.kind === 'message') this.#deliver(entry.message);
      else if (entry.kind === 'fault') this.refuse(entry.id, entry.text);
      else {
        const id = this.#settle(entry.id);
        if (id !== null) this.#deliver({ ...entry.message, id } as JSONRPCMessage);
      }
    }
  }

  /** Answers a request in the server's stead, whose answer `text` (a predicate) cannot be used. */
  refuse(id: string | number | null, text: string, { quiet = false } = {}): void {
    if (!quiet) this.#onFinding({ kind: 'badAnswer', text: `an answer that ${text}` });
    const known = id === null ? null : this.#settle(id);
    if (known !== null) this.#deliver(faultAnswer(known, new TransportFault('refused', `The answer ${text}.`)));
  }

  /** Ends a request that waits; one that does not is left alone. */
  fail(id: number, fault: TransportFault): void {
    if (this.#waiting.delete(id)) this.#deliver(faultAnswer(id, fault));
  }

  /** The request an answer belongs to, from then on answered; null where there is none. */
  #settle(id: string | number): number | null {
    const number = typeof id === 'number' ? id : /^\d+$/.test(id) ? Number(id) : -1;
    if (this.#waiting.delete(number)) {
      if (typeof id === 'string') {
        this.#onFinding({ kind: 'badAnswer', text: `an answer whose id is the text "${id}", not the number` });
      }
      return number;
    }
    // The answer to a request that was given up may have been on its way.
    if (this.#givenUp.delete(number)) return null;
    const asked = number >= 0 && number <= this.#lastId;
    this.#onFinding(
      asked
        ? { kind: 'secondAnswer', text: `a second answer to request ${number}; the first one holds` }
        : { kind: 'unknownId', text: `an answer to request ${shorten(String(id))}, which was never made` },
    );
    return null;
  }
}
