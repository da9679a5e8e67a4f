import type { Json } from '../record.ts';
import { holdsLiteral, isTypeWord } from '../suite/matchers.ts';
import { visibleLine } from './visible.ts';

const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u;
const DEPTH_SHOWN = 20;

/**
 * A value on one line, as a person would write it: `{ city: "Berlin", days: [1, 2] }`. Safe to print.
 *
 * @param limit length in UTF-16 code units; what is longer ends in `…`. Work and memory are bounded by it, not by the value
 */
export function inlineJson(value: Json, limit = 100): string {
  return inline(value, limit, false);
}

/** The same of a value that a suite expects: `{ count: $integer }`, the matcher not quoted like a text. */
export function inlineExpected(value: Json, limit = 100): string {
  return inline(value, limit, true);
}

function inline(value: Json, limit: number, isExpected: boolean): string {
  const line = new Line(limit);
  line.value(value, 0, isExpected);
  return line.text();
}

/** The first `length` code units, without half a surrogate pair at the end. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}

class Line {
  readonly #limit: number;
  #text = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  text(): string {
    return this.#isFull() ? `${clip(this.#text, this.#limit - 1)}…` : this.#text;
  }

  /** @param matchers whether `$string` is a matcher here, and no text */
  value(value: Json, depth: number, matchers: boolean): void {
    if (matchers && isTypeWord(value)) this.#text += value;
    else if (typeof value === 'string') this.#quoted(value);
    else if (value === null || typeof value !== 'object') this.#text += String(value);
    else if (depth >= DEPTH_SHOWN) this.#text += '…';
    else if (Array.isArray(value)) this.#array(value, depth, matchers);
    else this.#object(value, depth, matchers);
  }

  #quoted(text: string): void {
    this.#text += visibleLine(JSON.stringify(clip(text, this.#limit + 1)));
  }

  #array(value: readonly Json[], depth: number, matchers: boolean): void {
    this.#text += '[';
    for (const [index, element] of value.entries()) {
      if (this.#isFull()) return;
      if (index > 0) this.#text += ', ';
      this.value(element, depth + 1, matchers);
    }
    this.#text += ']';
  }

  #object(value: { [key: string]: Json }, depth: number, matchers: boolean): void {
    this.#text += '{';
    let before = ' ';
    for (const key in value) {
      if (this.#isFull()) return;
      this.#text += before;
      if (PLAIN_KEY.test(key)) this.#text += clip(key, this.#limit + 1);
      else this.#quoted(key);
      this.#text += ': ';
      this.value(value[key] ?? null, depth + 1, matchers && !holdsLiteral(key));
      before = ', ';
    }
    this.#text += before === ' ' ? '}' : ' }';
  }

  #isFull(): boolean {
    return this.#text.length > this.#limit;
  }
}
