import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PendingRequests } from '../pendingRequests.ts';
import { answerId, type Finding, readServerLine, shorten } from '../serverLine.ts';
import { TransportFault } from '../transportFault.ts';
import { EventReader, type StreamEvent } from './eventReader.ts';
import type { HttpAnswer } from './exchange.ts';

/** Bytes of one message, decoded; a longer answer is a failed call. */
const LIMIT = 32 * 1024 * 1024;
const TOO_LONG = 'is longer than 32 MiB, the limit for one message';

/** What an event stream brought when it ended. */
export interface StreamEnd {
  /** Something other than comments. */
  hadEvents: boolean;
  /** Null where it ended as a stream should. */
  error: unknown;
}

/** Reads the bodies of answers, and hands the messages in them to those who wait. */
export class AnswerReader {
  readonly #requests: PendingRequests;
  readonly #onFinding: (finding: Finding) => void;

  constructor(requests: PendingRequests, onFinding: (finding: Finding) => void) {
    this.#requests = requests;
    this.#onFinding = onFinding;
  }

  /**
   * A JSON body that shall answer request `id`.
   *
   * @throws TransportFault when it does not
   */
  async readJson({ body, length }: HttpAnswer, id: number): Promise<void> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > LIMIT) break;
        chunks.push(chunk);
      }
    } catch (error) {
      const of = length === null ? '' : ` of ${length.toLocaleString('en')}`;
      const text = `broke off its answer after ${bytes.toLocaleString('en')}${of} bytes`;
      throw new TransportFault('cutOff', text, { cause: error });
    }
    if (bytes > LIMIT) {
      this.#requests.refuse(id, TOO_LONG);
      return;
    }
    this.deliver(Buffer.concat(chunks), id);
  }

  /** The whole of a body that shall answer request `id`: soon, and in any case. */
  deliver(body: Buffer, id: number): void {
    // After the SDK has seen the head, which holds the session's id: the next request may follow at once.
    setImmediate(() => {
      this.#read(body, id);
      const what = body.length === 0 ? 'is empty' : `does not belong to the request: ${shorten(body)}`;
      if (this.#requests.has(id)) this.#requests.refuse(id, what);
    });
  }

  /**
   * An event stream, to its end. What is none of MCP's messages the SDK gets to see through `control`: ids, times to
   * reconnect, and events of other types.
   *
   * @param owner the request it was opened for; null where it is for all
   */
  async readStream({ body }: HttpAnswer, owner: number | null, control: Control): Promise<StreamEnd> {
    await nextTurn();
    const reader = new EventReader(LIMIT);
    let hadEvents = false;
    try {
      for await (const chunk of body) {
        let isUseless = false;
        for (const event of reader.push(chunk)) {
          hadEvents = true;
          isUseless ||= this.#readEvent(event, owner, control) && owner !== null;
        }
        // Its request has failed: what else comes is for nobody.
        if (isUseless) break;
      }
      return { hadEvents, error: null };
    } catch (error) {
      return { hadEvents, error };
    }
  }

  /** @returns whether it was meant as an answer and is none */
  #readEvent(event: StreamEvent, owner: number | null, control: Control): boolean {
    if (event.kind === 'tooLong') {
      this.#requests.refuse(answerId(event.head, Buffer.alloc(0)) ?? owner ?? this.#requests.only, TOO_LONG);
      return true;
    }
    const { type, id, retryMs, data } = event;
    if (retryMs !== null) control.write(`retry: ${retryMs}\n\n`);
    if (id !== null && id !== '') {
      control.onId(id);
      control.write(`id: ${id}\ndata:\n\n`);
    }
    if (data === null || data.length === 0) return false;
    if (type === 'message') return this.#read(data, owner ?? this.#requests.only);
    control.write(`event: ${type}\ndata: ${data.toString('utf8').replaceAll('\n', '\ndata: ')}\n\n`);
    return false;
  }

  /**
   * @param suspect the request whose answer it may be meant as, should it be no message at all
   * @returns whether it was, and the request has failed
   */
  #read(bytes: Buffer, suspect: number | null): boolean {
    const { incoming, findings } = readServerLine(bytes);
    for (const finding of findings) this.#onFinding(finding);
    this.#requests.receive(incoming);
    const isBroken = incoming.length === 0 && findings.some(({ kind }) => kind === 'junk' || kind === 'notJsonRpc');
    if (!isBroken || suspect === null || !this.#requests.has(suspect)) return false;
    this.#requests.refuse(suspect, `is no message of JSON-RPC: ${shorten(bytes)}`, { quiet: true });
    return true;
  }
}

export interface Control {
  write(text: string): void;
  onId(id: string): void;
}
