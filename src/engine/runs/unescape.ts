/** Escapes of escapes of escapes are undone; deeper ones nobody writes by accident. */
const MOST_PASSES = 3;

/** What begins an escape; a text without any of them is its own plain form. */
const HINT = /[\\%&]/;

/**
 * One escape: of JSON, of a programming language or of a regular expression, however many backslashes stand before it; of
 * a URL or of HTML, however often its own `%` or `&` was escaped again. Every alternative is linear in the text.
 */
const ESCAPE = new RegExp(
  [
    String.raw`\\+(?:u\{0{0,8}(?<braced>[0-9a-f]{1,6})\}|u(?<unit>[0-9a-f]{4})|x(?<code>[0-9a-f]{2})|(?<control>[nrtbf])|(?<plain>[^\w\s]))`,
    '%(?:25)*(?<ascii>[0-7][0-9a-f])',
    '(?<utf8>%(?:25)*[c-f][0-9a-f](?:%(?:25)*[89ab][0-9a-f]){1,3})',
    '&(?:amp;)*(?:#x0{0,8}(?<hex>[0-9a-f]{1,6})|#0{0,8}(?<decimal>[0-9]{1,7})|(?<entity>amp|lt|gt|quot|apos|nbsp));',
  ].join('|'),
  'gi',
);

/** Beyond what `JSON.stringify` makes of line feeds, tabs and quotes, once or twice. */
const UNUSUAL = /\\[^"\\nrtbf]|\\{4}|%[0-9a-f]{2}|&(?:#|amp;|lt;|gt;|quot;|apos;|nbsp;)/i;

/** A quick look: false where a line of JSON holds no other escapes than those that it has of being JSON, or JSON in JSON. */
export function holdsUnusualEscape(line: string): boolean {
  return UNUSUAL.test(line);
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/**
 * The plain form of a text: every escape in it undone, mixed as they may be, so that one secret has one form however it was
 * written. Two texts that mean the same have the same plain form; the reverse does not hold, so it is only for searching.
 */
export function unescaped(text: string): string {
  let plain = text;
  for (let pass = 0; pass < MOST_PASSES && HINT.test(plain); pass++) {
    const before = plain;
    plain = before.replace(ESCAPE, (...found) => meaningOf(found[0], found.at(-1)));
    if (plain === before) break;
  }
  return plain;
}

/**
 * The plain form and where each of its code units came from.
 *
 * @returns `starts[i]`: where in `text` the unit i was written; one more at the end, the length of `text`
 */
export function unescapedWithPlaces(text: string): { plain: string; starts: Uint32Array } {
  let plain = text;
  let starts = Uint32Array.from({ length: text.length + 1 }, (_, index) => index);
  for (let pass = 0; pass < MOST_PASSES && HINT.test(plain); pass++) {
    const next = onePass(plain, starts);
    if (next.plain === plain) break;
    ({ plain, starts } = next);
  }
  return { plain, starts };
}

function onePass(text: string, from: Uint32Array): { plain: string; starts: Uint32Array<ArrayBuffer> } {
  // No escape is shorter than what it stands for.
  const starts = new Uint32Array(text.length + 1);
  let plain = '';
  let done = 0;
  const copyTo = (end: number): void => {
    starts.set(from.subarray(done, end), plain.length);
    plain += text.slice(done, end);
  };
  for (const found of text.matchAll(ESCAPE)) {
    copyTo(found.index);
    const meaning = meaningOf(found[0], found.groups);
    starts.fill(from[found.index] ?? 0, plain.length, plain.length + meaning.length);
    plain += meaning;
    done = found.index + found[0].length;
  }
  copyTo(text.length);
  starts[plain.length] = from[text.length] ?? 0;
  return { plain, starts: starts.slice(0, plain.length + 1) };
}

function meaningOf(written: string, groups: Record<string, string | undefined> = {}): string {
  const { braced, unit, code, control, plain, ascii, utf8, hex, decimal, entity } = groups;
  if (plain !== undefined) return plain;
  if (control !== undefined) return CONTROLS[control.toLowerCase()] ?? written;
  if (utf8 !== undefined) return Buffer.from(utf8.replace(/%(?:25)*/g, ''), 'hex').toString('utf8');
  if (entity !== undefined) return ENTITIES[entity.toLowerCase()] ?? written;
  const digits = braced ?? unit ?? code ?? ascii ?? hex;
  const point = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : written;
}
