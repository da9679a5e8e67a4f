import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REDACTED, Redactor } from '../../../src/engine/runs/redact.ts';
import { unescaped, unescapedWithPlaces } from '../../../src/engine/runs/unescape.ts';

function shown(secret: string, text: string): string {
  const redactor = new Redactor();
  redactor.add(secret);
  const record = { reason: text };
  const clean = redactor.redact(record).reason;
  expect(JSON.parse(redactor.line(record).text)).toEqual({ reason: clean });
  return clean;
}

describe('what a server makes of a secret before it prints it', () => {
  test.each([
    ['a carriage return at the end', 'hunter2pass\r', 'hunter2pass'],
    ['a space at the end', 'hunter2pass ', 'hunter2pass'],
    ['a tab at the end', 'hunter2pass\t', 'hunter2pass'],
    ['a line feed at the end', 'hunter2pass\n', 'hunter2pass'],
    ['space in front', ' \thunter2pass', 'hunter2pass'],
    ['a no-break space', '\u00a0hunter2pass\ufeff', 'hunter2pass'],
    ['quotes', '"hunter2pass"\r\n', 'hunter2pass'],
    ['single quotes', " 'hunter2pass' ", 'hunter2pass'],
    ['a scheme', 'Bearer hunter2pass', 'hunter2pass'],
    ['the first of two lines', 'hunter2pass\r\nanother1', 'hunter2pass'],
    ['the last of two lines', 'hunter2pass\r\nanother1', 'another1'],
    ['old line ends', 'hunter2pass\ranother1', 'another1'],
    ['a member of a document', '{"type":"account","private_key":"MIIEvQIBADAN\\nhunter2pass"}', 'hunter2pass'],
  ])('%s', (_, secret, printed) => {
    expect(shown(secret, `it is <${printed}>`)).toBe(`it is <${REDACTED}>`);
    expect(shown(secret, Buffer.from(printed).toString('hex'))).toBe(REDACTED);
  });

  test('a value that is long enough only with the space around it is searched for as it is', () => {
    expect(shown('abcdef  ', 'abcdef and <abcdef  >')).toBe(`abcdef and <${REDACTED}>`);
  });

  test('the marks of a key file are no secret, nor are names and short members', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END RSA PRIVATE KEY-----\n';
    const text = '-----BEGIN RSA PRIVATE KEY-----\nMIIE';
    expect(shown(key, text)).toBe(text);
    expect(shown('{"type":"service_account"}', 'a service_account')).toBe('a service_account');
  });
});

describe('one secret, any mixture of escapes', () => {
  const secret = 'sk.live+abc/é123$XYZ "<&>';
  const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');
  const units = (text: string) => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  const bytes = [...Buffer.from(secret)];
  test.each([
    ['as a pattern', secret.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')],
    ['as a pattern in JSON', JSON.stringify(secret.replaceAll(/[\\^$.|?*+()[\]{}/]/g, '\\$&')).slice(1, -1)],
    [
      'JSON, slashes and letters at once',
      JSON.stringify(secret).slice(1, -1).replace('/', '\\/').replace('é', '\\u00e9'),
    ],
    [
      'every character \\u',
      units(secret)
        .map((code) => `\\u${hex(code, 4)}`)
        .join(''),
    ],
    [
      'every character \\u, twice',
      units(secret)
        .map((code) => `\\\\u${hex(code, 4)}`)
        .join(''),
    ],
    [
      'every character \\U',
      units(secret)
        .map((code) => `\\u${hex(code, 4).toUpperCase()}`)
        .join(''),
    ],
    [
      'every character \\u{}',
      units(secret)
        .map((code) => `\\u{${hex(code, 2)}}`)
        .join(''),
    ],
    [
      'every character \\x',
      units(secret)
        .map((code) => `\\x${hex(code, 2)}`)
        .join(''),
    ],
    ['every byte %', bytes.map((code) => `%${hex(code, 2)}`).join('')],
    ['every byte %, twice', bytes.map((code) => `%25${hex(code, 2).toUpperCase()}`).join('')],
    ['URL of JSON', encodeURIComponent(JSON.stringify(secret).replace('/', '\\/').slice(1, -1))],
    ['HTML', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
    [
      'every character &#',
      units(secret)
        .map((code) => `&#${code};`)
        .join(''),
    ],
    [
      'every character &#x',
      units(secret)
        .map((code) => `&#x${hex(code, 4)};`)
        .join(''),
    ],
    [
      'HTML of HTML',
      units(secret)
        .map((code) => `&amp;#${code};`)
        .join(''),
    ],
  ])('%s', (_, text) => {
    expect(shown(secret, `a \\ b ${text} c`)).toBe(`a \\ b ${REDACTED} c`);
  });

  test('each character in a way of its own', () => {
    const ways: ((c: string) => string)[] = [
      (c) => c,
      (c) => [...Buffer.from(c)].map((code) => `%${hex(code, 2)}`).join(''),
      (c) =>
        units(c)
          .map((code) => `\\u${hex(code, 4)}`)
          .join(''),
      (c) =>
        units(c)
          .map((code) => `\\\\\\u${hex(code, 4).toUpperCase()}`)
          .join(''),
      (c) => `&#${c.codePointAt(0)};`,
      (c) => (/[^\w\s\\]/.test(c) ? `\\${c}` : c),
    ];
    const letter = fc.constantFrom(...'abcXYZ019-_./+$!~é€');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(letter, fc.nat(ways.length - 1)), { minLength: 8, maxLength: 30 }),
        fc.constantFrom('', 'x', ' "', '\\ ', '% '),
        (letters, around) => {
          const key = letters.map(([c]) => c).join('');
          const text = letters.map(([c, way]) => ways[way]?.(c) ?? c).join('');
          expect(shown(key, `${around}${text} ${around}`)).toBe(`${around}${REDACTED} ${around}`);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('what overlaps goes as a whole', () => {
    const redactor = new Redactor();
    redactor.add('abcdefgh');
    redactor.add('abcdefgh/é/12345678');
    expect(redactor.redact({ text: '<abcdefgh\\/\\u00e9\\/12345678> <abcdefgh>' }).text).toBe(
      `<${REDACTED}> <${REDACTED}>`,
    );
  });

  test('places lead back to where a unit was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'\\%&amp;u0041x25nq"é') }), (text) => {
        const { plain, starts } = unescapedWithPlaces(text);
        expect(plain).toBe(unescaped(text));
        expect(starts).toHaveLength(plain.length + 1);
        expect([...starts].every((start, index) => start >= (starts[index - 1] ?? 0))).toBe(true);
        expect(starts.at(-1)).toBe(text.length);
      }),
    );
  });

  test.each(['\\', '%25', '%', '&amp;', '&#x0', '&#0', '&', '\\u{0', '%c3', '%c3%a9', '\\\\u', '&amp;amp;#'])(
    'hostile text ends soon: many %s',
    (piece) => {
      // Quadratic time would outlast any patience.
      expect(unescaped(piece.repeat(100_000)).length).toBeGreaterThan(0);
    },
  );
});
