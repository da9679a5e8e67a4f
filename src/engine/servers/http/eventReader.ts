import { LineReader } from '../lineReader.ts';

/** What an event stream gives. Lines end in \n or \r\n; a \r alone, which the standard allows too, nobody sends. */
export type StreamEvent =
  | { kind: 'event'; type: string; id: string | null; retryMs: number | null; data: Buffer | null }
  /** Its data passed the limit; what is left of it is skipped. */
  | { kind: 'tooLong'; head: Buffer };

const DATA = /^data: ?/;
const NONE = { type: 'message', id: null, retryMs: null };

/**
 * Cuts a stream of server-sent events into events, and never holds more than about `limit` bytes of one. How the stream
 * is split into chunks changes nothing.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventReader {
  readonly #limit: number;
  readonly #lines: LineReader;
  #data: Buffer[] = [];
  #bytes = 0;
  #fields: { type: string; id: string | null; retryMs: number | null } = { ...NONE };
  #isSkipping = false;

  constructor(limit: number) {
    this.#limit = limit;
    this.#lines = new LineReader(limit);
  }

  /** An event that is not ended by an empty line is none, as the standard has it. */
  push(chunk: Buffer): StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const line of this.#lines.push(chunk)) {
      if (line.kind === 'line')
        this.#readLine(line.bytes.at(-1) === 0x0d ? line.bytes.subarray(0, -1) : line.bytes, events);
      else if (line.kind === 'overflow' && DATA.test(line.head.toString('latin1'))) {
        this.#skip(Buffer.from(line.head.toString('latin1').replace(DATA, ''), 'latin1'), events);
      }
    }
    return events;
  }

  #readLine(line: Buffer, events: StreamEvent[]): void {
    if (line.length === 0) {
      this.#endEvent(events);
      return;
    }
    const colon = line.indexOf(0x3a);
    const name = line.subarray(0, colon === -1 ? line.length : colon).toString('utf8');
    let value = colon === -1 ? Buffer.alloc(0) : line.subarray(colon + 1);
    if (value[0] === 0x20) value = value.subarray(1);
    if (name === 'data') this.#addData(value, events);
    else if (name === 'event') this.#fields.type = value.toString('utf8') || 'message';
    else if (name === 'id' && !value.includes(0)) this.#fields.id = value.toString('utf8');
    else if (name === 'retry' && /^\d+$/.test(value.toString('utf8')))
      this.#fields.retryMs = Number(value.toString('utf8'));
  }

  #addData(value: Buffer, events: StreamEvent[]): void {
    if (this.#isSkipping) return;
    this.#bytes += value.length + 1;
    if (this.#bytes > this.#limit) this.#skip(this.#data[0] ?? value, events);
    else this.#data.push(value);
  }

  #skip(head: Buffer, events: StreamEvent[]): void {
    if (!this.#isSkipping) events.push({ kind: 'tooLong', head: head.subarray(0, 1024) });
    this.#isSkipping = true;
    this.#data = [];
  }

  #endEvent(events: StreamEvent[]): void {
    const [first, ...rest] = this.#data;
    const data = rest.length === 0 ? (first ?? null) : joined(this.#data);
    const { id, retryMs } = this.#fields;
    if (data !== null || id !== null || retryMs !== null) events.push({ kind: 'event', ...this.#fields, data });
    this.#fields = { ...NONE };
    this.#data = [];
    this.#bytes = 0;
    this.#isSkipping = false;
  }
}

function joined(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line])));
}
