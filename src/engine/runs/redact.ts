import { Verdict } from '../record.ts';
import type { SecretSink } from '../servers/connection.ts';
import { SHORTEST_SECRET } from '../servers/serverEnvironment.ts';
import { encodingsOf } from './encodings.ts';
import { hideHeaderValues, isSecretHeader, mentionsSecretHeader } from './headers.ts';
import { secretsIn } from './secretParts.ts';
import { holdsUnusualEscape, unescaped, unescapedWithPlaces } from './unescape.ts';

/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Keys under which the record holds what others wrote, of any shape. */
const FOREIGN_KEYS = new Set(['arguments', 'content', 'structured', 'input', 'expected', 'actual', 'snapshot']);

/** Keys under which the record holds its own words. A secret that happens to be `completed` must not break the file. */
const OWN_KEYS = new Set([
  'type',
  'kind',
  'verdict',
  'outcome',
  'role',
  'stage',
  'state',
  'cause',
  'phase',
  'by',
  'limit',
  'decision',
  'origin',
  'level',
  'matcher',
  'startedAt',
  'endedAt',
]);

const VERDICTS: ReadonlySet<string> = new Set(Verdict.options);

/**
 * Takes secrets out of everything that is written or shown. What comes out has the shape of what went in: the record's own
 * keys, words and numbers stay.
 *
 * Costs one search of the serialised value where there is nothing to redact; only a hit walks the value.
 */
export class Redactor implements SecretSink {
  readonly #secrets = new Set<string>();
  /** The secrets without any escape. */
  readonly #plain = new Set<string>();
  /** Every encoding as it would stand in a line of JSON. */
  readonly #needles = new Set<string>();
  #search: Search | null = null;

  /**
   * Takes a secret, and the parts of it that a server may show alone: without the white space and quotes around it, its
   * lines, its token behind `Bearer`. Texts under 8 characters are ignored.
   */
  add(value: string): void {
    for (const secret of secretsIn(value)) this.#addOne(secret);
  }

  #addOne(secret: string): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#search = null;
    for (const { text } of encodingsOf(secret)) this.#needles.add(JSON.stringify(text).slice(1, -1));
    const plain = unescaped(secret);
    if (plain.length >= SHORTEST_SECRET) this.#plain.add(plain);
  }

  /** @returns `value` itself where nothing had to go, else a copy */
  redact<T>(value: T): T {
    const line = JSON.stringify(value);
    return line !== undefined && this.#isHit(line) ? this.#walk(value) : value;
  }

  /**
   * @param record anything that is JSON
   * @returns the record without secrets, and its JSON text
   * @throws RangeError when it is nested too deeply for JSON.stringify
   */
  line<T>(record: T): { record: T; text: string } {
    const text = JSON.stringify(record);
    if (!this.#isHit(text)) return { record, text };
    const clean = this.#walk(record);
    return { record: clean, text: JSON.stringify(clean) };
  }

  #isHit(line: string): boolean {
    if (mentionsSecretHeader(line)) return true;
    for (const needle of this.#needles) if (line.includes(needle)) return true;
    if (this.#plain.size === 0 || !holdsUnusualEscape(line)) return false;
    const plain = unescaped(line);
    for (const secret of this.#plain) if (plain.includes(secret)) return true;
    return false;
  }

  #walk<T>(value: T): T {
    this.#search ??= new Search(this.#secrets, this.#plain);
    return new Walk(this.#search).value(value, '', false) as T;
  }
}

/** Finds the secrets in a text, as they are, encoded, or with any mixture of escapes. */
class Search {
  readonly #pattern: RegExp;
  readonly #plain: ReadonlySet<string>;

  constructor(secrets: ReadonlySet<string>, plain: ReadonlySet<string>) {
    this.#pattern = patternOf(secrets);
    this.#plain = plain;
  }

  /** The text with a mark in place of each. */
  hide(text: string): string {
    const spans = [...text.matchAll(this.#pattern)].map(
      (found) => [found.index, found.index + found[0].length] as Span,
    );
    this.#addEscaped(text, spans);
    if (spans.length === 0) return text;
    let clean = '';
    let done = 0;
    for (const [start, end] of merged(spans)) {
      clean += text.slice(done, start) + REDACTED;
      done = end;
    }
    return clean + text.slice(done);
  }

  #addEscaped(text: string, spans: Span[]): void {
    if (this.#plain.size === 0 || unescaped(text) === text) return;
    const { plain, starts } = unescapedWithPlaces(text);
    for (const secret of this.#plain) {
      for (let at = plain.indexOf(secret); at !== -1; at = plain.indexOf(secret, at + secret.length)) {
        spans.push([starts[at] ?? 0, starts[at + secret.length] ?? text.length]);
      }
    }
  }
}

type Span = [start: number, end: number];

/** Overlapping ones as one, in order. */
function merged(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** The longest first, so that a secret that holds another goes as a whole. */
function patternOf(secrets: ReadonlySet<string>): RegExp {
  const encodings = [...secrets].flatMap((secret) => encodingsOf(secret));
  encodings.sort((a, b) => b.text.length - a.text.length);
  const base64Character = '[A-Za-z0-9+/_-]?';
  const sources = encodings.map(({ text, spill }) => {
    const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return `${spill?.before ? base64Character : ''}${literal}${spill?.after ? base64Character : ''}`;
  });
  // With no secrets at all: a pattern that matches nothing.
  return new RegExp(sources.length === 0 ? '(?!)' : sources.join('|'), 'g');
}

class Walk {
  readonly #search: Search;

  constructor(search: Search) {
    this.#search = search;
  }

  value(value: unknown, key: string, isForeign: boolean): unknown {
    if (typeof value === 'string') return !isForeign && isOwn(key, value) ? value : this.#text(value);
    if (typeof value === 'number') return isForeign && this.#text(String(value)) !== String(value) ? REDACTED : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((element) => this.value(element, key, isForeign));
    return this.#object(value, isForeign);
  }

  #object(value: object, isForeign: boolean): object {
    // fromEntries makes own properties, also of the key `__proto__`.
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => {
        if (isSecretHeader(key) && holdsSomething(child)) return [key, REDACTED];
        const name = isForeign ? this.#text(key) : key;
        return [name, this.value(child, key, isForeign || FOREIGN_KEYS.has(key))];
      }),
    );
  }

  #text(text: string): string {
    const clean = this.#search.hide(text);
    return mentionsSecretHeader(clean) ? hideHeaderValues(clean, REDACTED) : clean;
  }
}

function isOwn(key: string, value: string): boolean {
  return OWN_KEYS.has(key) || VERDICTS.has(value);
}

function holdsSomething(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}
