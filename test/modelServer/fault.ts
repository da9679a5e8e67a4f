import { PlanError } from './planText.ts';

/** What goes wrong with one request. No words: nothing does. */
export interface Fault {
  /** As it was written. */
  words: string;
  /** Only the first so many requests for the same reply are hit (in a list: so many requests in a row). */
  times?: number;

  // Instead of a reply
  status?: number;
  /** Overrides the code (OpenAI), type (Anthropic) or status word (Google) of the error. */
  code?: string;
  /** The error is no JSON: a proxy's page, or nothing. */
  body?: 'html' | 'empty';
  /** The error that a conversation is too long. */
  contextOverflow?: true;
  retryAfter?: { seconds: number; as: 'seconds' | 'date' | 'ms' | 'body' };
  /** Redirects to this address, the request's path behind it. Status 307 unless set. */
  redirect?: string;
  hang?: true;

  // On the way, after so many events of a stream, or that many before its end; a body that is not streamed breaks off in
  // the middle
  reset?: number;
  cut?: number;
  stall?: number;
  /** The stream goes on as an error that the provider reports inside it; a body that is not streamed is a 500. */
  errorEvent?: number;
  /** An event whose data breaks off in the middle; the others follow. */
  malformedSse?: number;
  truncate?: true;
  nastySse?: true;
  latencyMs?: number;
  chunkLatencyMs?: number;

  // In what the model says
  spoils: readonly Spoil[];
}

export type Spoil =
  | { kind: 'badJson' | 'unknownTool' | 'wrongCase' | 'empty' | 'nullContent' | 'onlyReasoning' }
  | { kind: 'contentFilter' | 'refusal' | 'maxTokens' }
  | { kind: 'finish'; word: string }
  | { kind: 'ids'; ids: 'duplicate' | 'missing' }
  | { kind: 'parallel'; calls: number }
  | { kind: 'usage'; usage: UsageFault };

const USAGE_FAULTS = ['missing', 'null', 'negative', 'nan', 'overcached'] as const;
export type UsageFault = (typeof USAGE_FAULTS)[number];

export const NO_FAULT: Fault = { words: '', spoils: [] };

/**
 * Reads fault words parted by spaces, as `429 retry-after=1`. The words are listed in index.ts.
 *
 * @throws PlanError for a word it does not know, or a value that does not fit
 */
export function readFault(text: string): Fault {
  const fault: Fault & { spoils: Spoil[] } = { words: text.trim() === 'ok' ? '' : text.trim(), spoils: [] };
  for (const word of text.split(/\s+/)) {
    if (word === '' || word === 'ok') continue;
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    const value = new Value(name, equals === -1 ? undefined : word.slice(equals + 1));
    if (/^[1-5]\d\d$/.test(name)) fault.status = Number(name);
    else {
      const read = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
      if (read === undefined) throw new PlanError(`unknown fault "${name}"; known: ${Object.keys(WORDS).join(', ')}`);
      read(fault, value);
    }
  }
  return fault;
}

/** A list of faults as it befalls requests in turn: one with `times=N` stands for N. */
export function readFaults(texts: readonly string[]): Fault[] {
  return texts.flatMap((text) => {
    const { times, ...fault } = readFault(text);
    return Array.from({ length: times ?? 1 }, () => fault);
  });
}

const WORDS: Record<string, (fault: Fault & { spoils: Spoil[] }, value: Value) => void> = {
  times: (fault, value) => set(fault, 'times', value.number()),
  code: (fault, value) => set(fault, 'code', value.text()),
  body: (fault, value) => set(fault, 'body', value.oneOf('html', 'empty')),
  'context-overflow': (fault) => {
    fault.status = 400;
    fault.contextOverflow = true;
  },
  'retry-after': (fault, value) => {
    const [, date, number] = /^(date:|body:)?(.*)$/.exec(value.text()) ?? [];
    const seconds = value.number(number);
    fault.retryAfter = { seconds, as: date === 'date:' ? 'date' : date === 'body:' ? 'body' : 'seconds' };
  },
  'retry-after-ms': (fault, value) => {
    fault.retryAfter = { seconds: value.number() / 1000, as: 'ms' };
  },
  redirect: (fault, value) => set(fault, 'redirect', value.text()),
  hang: (fault) => set(fault, 'hang', true),
  reset: (fault, value) => set(fault, 'reset', value.placeOr(0)),
  cut: (fault, value) => set(fault, 'cut', value.placeOr(2)),
  stall: (fault, value) => set(fault, 'stall', value.placeOr(2)),
  'error-event': (fault, value) => set(fault, 'errorEvent', value.placeOr(2)),
  'malformed-sse': (fault, value) => set(fault, 'malformedSse', value.placeOr(2)),
  truncate: (fault) => set(fault, 'truncate', true),
  'nasty-sse': (fault) => set(fault, 'nastySse', true),
  latency: (fault, value) => set(fault, 'latencyMs', value.number()),
  'chunk-latency': (fault, value) => set(fault, 'chunkLatencyMs', value.number()),
  'bad-json': (fault) => spoil(fault, { kind: 'badJson' }),
  'unknown-tool': (fault) => spoil(fault, { kind: 'unknownTool' }),
  'wrong-case': (fault) => spoil(fault, { kind: 'wrongCase' }),
  empty: (fault) => spoil(fault, { kind: 'empty' }),
  'null-content': (fault) => spoil(fault, { kind: 'nullContent' }),
  'only-reasoning': (fault) => spoil(fault, { kind: 'onlyReasoning' }),
  'content-filter': (fault) => spoil(fault, { kind: 'contentFilter' }),
  refusal: (fault) => spoil(fault, { kind: 'refusal' }),
  'max-tokens': (fault) => spoil(fault, { kind: 'maxTokens' }),
  finish: (fault, value) => spoil(fault, { kind: 'finish', word: value.text() }),
  ids: (fault, value) => spoil(fault, { kind: 'ids', ids: value.oneOf('duplicate', 'missing') }),
  parallel: (fault, value) => spoil(fault, { kind: 'parallel', calls: value.numberOr(50) }),
  usage: (fault, value) => spoil(fault, { kind: 'usage', usage: value.oneOf(...USAGE_FAULTS) }),
};

function set<Key extends keyof Fault>(fault: Fault, key: Key, value: Fault[Key]): void {
  fault[key] = value;
}

function spoil(fault: { spoils: Spoil[] }, how: Spoil): void {
  fault.spoils.push(how);
}

/** What stands behind `=`. */
class Value {
  readonly #name: string;
  readonly #text: string | undefined;

  constructor(name: string, text: string | undefined) {
    this.#name = name;
    this.#text = text;
  }

  text(): string {
    if (this.#text === undefined || this.#text === '') throw new PlanError(`the fault "${this.#name}" needs a value`);
    return this.#text;
  }

  number(text = this.text()): number {
    const number = text === '' ? Number.NaN : Number(text);
    if (!(number >= 0)) throw new PlanError(`the fault "${this.#name}" needs a number from 0, found "${text}"`);
    return number;
  }

  numberOr(otherwise: number): number {
    return this.#text === undefined ? otherwise : this.number();
  }

  /** Negative ones count from the end. */
  placeOr(otherwise: number): number {
    const place = this.#text === undefined ? otherwise : Number(this.text());
    if (!Number.isInteger(place)) throw new PlanError(`the fault "${this.#name}" needs a whole number`);
    return place;
  }

  oneOf<Word extends string>(...words: readonly Word[]): Word {
    const text = this.text();
    const found = words.find((word) => word === text);
    if (found === undefined)
      throw new PlanError(`the fault "${this.#name}" takes ${words.join(', ')}, found "${text}"`);
    return found;
  }
}
