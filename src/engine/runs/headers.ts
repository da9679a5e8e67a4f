/** Headers whose value is a secret wherever it stands, known to us or not. */
const NAME = '(?:proxy-)?authorization|(?:set-)?cookie|x-api-key';
const WHOLE_NAME = new RegExp(`^(?:${NAME})$`, 'i');
const ANY_NAME = new RegExp(NAME, 'gi');
const MENTION = /authorization|cookie|x-api-key/i;

/** A quick look: false when no secret header can stand in the text. */
export function mentionsSecretHeader(text: string): boolean {
  return MENTION.test(text);
}

export function isSecretHeader(key: string): boolean {
  return WHOLE_NAME.test(key);
}

/**
 * The values of secret headers inside a text: `Authorization: …` at the start of a line or after a quote, and
 * `"authorization": "…"` in JSON text, however often it was escaped. Time is linear in the text.
 *
 * @param mark what stands instead of each value
 */
export function hideHeaderValues(text: string, mark: string): string {
  let clean = '';
  let done = 0;
  ANY_NAME.lastIndex = 0;
  for (let found = ANY_NAME.exec(text); found !== null; found = ANY_NAME.exec(text)) {
    const value = valueAfter(text, found.index, ANY_NAME.lastIndex);
    if (value === null) continue;
    clean += text.slice(done, value.start) + mark;
    done = value.end;
    ANY_NAME.lastIndex = value.end;
  }
  return clean + text.slice(done);
}

interface Span {
  start: number;
  end: number;
}

/** What follows a name: the quote that ends a key, a colon, and the quote or bracket that opens a value. */
const AFTER_NAME = /(\\{0,31}["'])?[ \t]*:[ \t]*(\\{0,31}["']|\[)?/y;

function valueAfter(text: string, nameStart: number, nameEnd: number): Span | null {
  if (isPartOfWord(text.slice(Math.max(0, nameStart - 2), nameStart))) return null;
  AFTER_NAME.lastIndex = nameEnd;
  const found = AFTER_NAME.exec(text);
  if (found === null) return null;
  const [, keyQuote, opening] = found;
  const start = AFTER_NAME.lastIndex;
  if (keyQuote === undefined) {
    return beginsLineOrQuote(text, nameStart) ? nonEmpty(start - (opening?.length ?? 0), lineEnd(text, start)) : null;
  }
  // Neither text nor list: a number, true, false or null.
  if (opening === undefined) return null;
  return nonEmpty(start, opening === '[' ? endOr(text, text.indexOf(']', start)) : closing(text, opening, start));
}

function isPartOfWord(before: string): boolean {
  return /[\w-]$/.test(before) && !/\\[nrt]$/.test(before);
}

function nonEmpty(start: number, end: number): Span | null {
  return end > start ? { start, end } : null;
}

/** Headers in logs may be indented or marked (`> Cookie: …`). */
function beginsLineOrQuote(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 16), start).replace(/[ \t<>*]+$/, '');
  return before === '' || /[\n\r"'`]$|\\[nr]$/.test(before);
}

/** At a line feed, also at one that is written `\n`. */
function lineEnd(text: string, start: number): number {
  const end = /[\r\n]|\\[rn]/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}

/** The next quote with as many backslashes as the opening one; one with more stands inside the value. */
function closing(text: string, quote: string, start: number): number {
  let at = text.indexOf(quote, start);
  while (at > start && text.charAt(at - 1) === '\\') at = text.indexOf(quote, at + quote.length);
  return endOr(text, at);
}

function endOr(text: string, at: number): number {
  return at === -1 ? text.length : at;
}
