import { Verdict } from '../record.ts';
import type { SecretSink } from '../servers/connection.ts';
import { encodingsOf } from './encodings.ts';
import { hideHeaderValues, isSecretHeader, mentionsSecretHeader } from './headers.ts';

/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Shorter texts are no secrets: replacing every `3000` or `true` would spoil a run file and hide nothing. */
const SHORTEST_SECRET = 8;

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
  /** Every encoding as it would stand in a line of JSON. */
  #needles: string[] = [];
  #pattern: RegExp | null = null;

  /** Texts under 8 characters are ignored. Of a text with several lines, each long line is a secret too. */
  add(value: string): void {
    if (value.length < SHORTEST_SECRET || this.#secrets.has(value)) return;
    this.#secrets.add(value);
    this.#pattern = null;
    const needles = new Set(this.#needles);
    for (const { text } of encodingsOf(value)) needles.add(JSON.stringify(text).slice(1, -1));
    this.#needles = [...needles];
    if (value.includes('\n')) {
      for (const line of value.split(/\r?\n/)) if (line.length >= 2 * SHORTEST_SECRET) this.add(line);
    }
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
    return this.#needles.some((needle) => line.includes(needle)) || mentionsSecretHeader(line);
  }

  #walk<T>(value: T): T {
    this.#pattern ??= patternOf(this.#secrets);
    return new Walk(this.#pattern).value(value, '', false) as T;
  }
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
  readonly #pattern: RegExp;

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
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
    const clean = text.replace(this.#pattern, REDACTED);
    return mentionsSecretHeader(clean) ? hideHeaderValues(clean, REDACTED) : clean;
  }
}

function isOwn(key: string, value: string): boolean {
  return OWN_KEYS.has(key) || VERDICTS.has(value);
}

function holdsSomething(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}
