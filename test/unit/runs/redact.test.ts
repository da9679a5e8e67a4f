import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { RunEnd, RunHead, Trial } from '../../../src/engine/record.ts';
import { encodingsOf } from '../../../src/engine/runs/encodings.ts';
import { hideHeaderValues } from '../../../src/engine/runs/headers.ts';
import { REDACTED, Redactor } from '../../../src/engine/runs/redact.ts';
import { sampleCall, sampleCheck, sampleEnd, sampleHead, sampleTrial } from './samples.ts';

/** Holds what every encoding treats specially: quote, backslash, slash, percent, plus, space, non-ASCII, angle bracket. */
const secret = 'pa"ss\\w/rd%+ ü<42>';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const encodings: Record<string, string> = {
  raw: secret,
  'URL-encoded': encodeURIComponent(secret),
  'form-encoded': new URLSearchParams({ key: secret }).toString().slice('key='.length),
  'base64, at the start': base64(secret),
  'base64 of user:secret': base64(`user:${secret}`),
  'base64 at the third offset': base64(`ab${secret}`),
  base64url: Buffer.from(`key=${secret}`).toString('base64url'),
  hex: Buffer.from(secret).toString('hex'),
  HEX: Buffer.from(secret).toString('hex').toUpperCase(),
  'JSON-escaped': json(secret),
  'JSON-escaped twice': json(json(secret)),
  'JSON with ASCII only': json(secret).replace('ü', '\\u00fc'),
  'JSON with escaped slashes': json(secret).replace('/', '\\/'),
};

/** Every place of the record where a stranger's text can stand. */
const slots: Record<string, (text: string) => unknown> = {
  note: (text) => sampleHead({ note: text }),
  snapshot: (text) =>
    sampleHead({ suite: { path: 'a', name: 'a', hash: '', snapshot: { servers: { a: { env: { K: text } } } } } }),
  'skip reason': (text) => sampleHead({ skipped: [{ cell: 'a', reason: text }] }),
  arguments: (text) => sampleTrial('a#1', {}, [sampleCall({ arguments: { deep: [{ token: text }] } })]),
  'argument name': (text) => sampleTrial('a#1', {}, [sampleCall({ arguments: { [text]: 1 } })]),
  'result text': (text) =>
    sampleTrial('a#1', {}, [
      sampleCall({
        result: { content: [{ type: 'text', text: `It is ${text}.` }], isError: false, bytes: 1, cut: false },
      }),
    ]),
  'structured result': (text) =>
    sampleTrial('a#1', {}, [
      sampleCall({ result: { content: [], structured: { a: text }, isError: false, bytes: 1, cut: false } }),
    ]),
  'call error': (text) => sampleTrial('a#1', {}, [sampleCall({ error: { kind: 'crashed', text } })]),
  reason: (text) => sampleTrial('a#1', { verdict: 'errored', reason: { stage: 'connect', cause: 'server', text } }),
  check: (text) => sampleTrial('a#1', { checks: [sampleCheck({ expected: { a: text }, actual: text, reason: text })] }),
  discrepancy: (text) =>
    sampleTrial('a#1', {
      checks: [sampleCheck({ diff: [{ kind: 'extra', call: 'c1', tool: 't', arguments: { a: text }, counts: true }] })],
    }),
  evidence: (text) => sampleTrial('a#1', { chain: [{ stage: 'toolCalled', state: 'broke', evidence: text }] }),
  warning: (text) => sampleEnd([], { warnings: [text] }),
};

describe.each(Object.entries(slots))('a secret in %s', (_, record) => {
  test.each(Object.entries(encodings))('%s', (_, text) => {
    const redactor = new Redactor();
    redactor.add(secret);
    // Characters around it, so that no encoding stands alone.
    const value = record(`<${text}>`);
    const line = redactor.line(value).text;
    expect(line).not.toContain(json(text));
    for (const encoding of Object.values(encodings)) expect(line).not.toContain(json(encoding));
    expect(line).toContain(REDACTED);
    expect(JSON.stringify(redactor.redact(value))).toBe(line);
    const schema = z.union([RunHead, Trial, RunEnd]);
    expect(schema.safeParse(JSON.parse(line)).error).toBeUndefined();
  });
});

test('what holds no secret comes back untouched', () => {
  const redactor = new Redactor();
  redactor.add(secret);
  const trial = sampleTrial('a#1');
  expect(redactor.redact(trial)).toBe(trial);
  expect(redactor.line(trial).text).toBe(JSON.stringify(trial));
});

test('neighbours of a secret stay', () => {
  const redactor = new Redactor();
  redactor.add('abcdefgh');
  redactor.add('abcdefghij');
  expect(redactor.redact({ text: 'x abcdefghij y abcdefgh z' })).toEqual({ text: `x ${REDACTED} y ${REDACTED} z` });
});

test('base64 leaves no bits of the secret at its edges', () => {
  const redactor = new Redactor();
  redactor.add('0123456789');
  for (const before of ['', 'u', 'us', 'use']) {
    for (const after of ['', 'v', 'vw', 'vwx']) {
      const shown = redactor.redact({ text: base64(`${before}0123456789${after}`) }).text;
      const around = shown.split(REDACTED).map((text) => Buffer.from(text, 'base64').toString('latin1'));
      expect(around.join('|')).not.toMatch(/\d/);
    }
  }
});

test.each(['completed', 'transcript', 'arguments', 'cancelled', 'toolSelected', '12345678', 'durationMs'])(
  'a secret that is a word of the record, %s, does not break the file',
  (word) => {
    const redactor = new Redactor();
    redactor.add(word);
    const trial = sampleTrial('a#1', { verdict: 'cancelled', durationMs: 12345678 }, [
      sampleCall({ arguments: { [word]: word, n: 12345678.5 } }),
    ]);
    trial.chain = [{ stage: 'toolSelected', state: 'ok', evidence: `saw ${word}` }];
    const line = JSON.parse(redactor.line(trial).text);
    expect(Trial.safeParse(line).error).toBeUndefined();
    expect(line).toMatchObject({
      verdict: 'cancelled',
      durationMs: 12345678,
      chain: [{ evidence: `saw ${REDACTED}` }],
    });
    expect(JSON.stringify(line.transcript.steps[0].calls[0].arguments)).not.toContain(word);
    const end = JSON.parse(redactor.line(sampleEnd([['a#1', 'cancelled', 12345678, 9]])).text);
    expect(RunEnd.safeParse(end).error).toBeUndefined();
    expect(end.trials).toEqual([['a#1', 'cancelled', 12345678, 9]]);
  },
);

function childrenOf(schema: z.core.$ZodType, key: string): [string, z.core.$ZodType][] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape);
  if (schema instanceof z.ZodUnion) return schema.options.map((option) => [key, option]);
  if (schema instanceof z.ZodTuple) return schema.def.items.map((item) => [key, item]);
  if (schema instanceof z.ZodArray) return [[key, schema.element]];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [[key, schema.unwrap()]];
  return schema instanceof z.ZodRecord ? [[key, schema.valueType]] : [];
}

test('every key that holds foreign JSON and every word of the record is known', () => {
  const words = new Set<string>();
  const foreign = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (schema: z.core.$ZodType, key: string): void => {
    if (schema._zod.def.type === 'custom') foreign.add(key);
    if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) words.add(key);
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const [name, child] of childrenOf(schema, key)) visit(child, name);
  };
  for (const schema of [RunHead, Trial, RunEnd]) visit(schema, '');
  expect(foreign.size).toBeGreaterThan(5);
  expect(words.size).toBeGreaterThan(10);

  const redactor = new Redactor();
  redactor.add('longsecret');
  for (const key of foreign) {
    expect(redactor.redact({ [key]: { longsecret: 'longsecret' } })).toEqual({ [key]: { [REDACTED]: REDACTED } });
  }
  words.delete('trials');
  words.delete('format');
  for (const key of words) expect(redactor.redact({ [key]: 'longsecret' })).toEqual({ [key]: 'longsecret' });
});

test('no encoding of any secret stays in any text, and the line stays JSON', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
      text,
      text,
      fc.nat(),
      (key, before, after, pick) => {
        const redactor = new Redactor();
        redactor.add(key);
        const encodings = encodingsOf(key);
        const hidden = encodings[pick % encodings.length]?.text ?? key;
        const line = redactor.line({ text: before + hidden + after, arguments: { [hidden]: hidden } }).text;
        const clean = JSON.parse(line);
        for (const shown of [clean.text, ...Object.entries(clean.arguments).flat()]) {
          for (const encoding of encodings) expect(shown.replaceAll(REDACTED, '')).not.toContain(encoding.text);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('short texts are not secrets, and lines of a key file are', () => {
  const redactor = new Redactor();
  redactor.add('3000');
  redactor.add('-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nshort\n');
  const text = 'port 3000, short, MIIEvQIBADANBgkqhkiG';
  expect(redactor.redact({ text })).toEqual({ text: `port 3000, short, ${REDACTED}` });
});

test('__proto__ stays data', () => {
  const redactor = new Redactor();
  redactor.add('longsecret');
  const value = JSON.parse('{"arguments":{"__proto__":{"a":"longsecret"}}}');
  expect(redactor.line(value).text).toBe(`{"arguments":{"__proto__":{"a":"${REDACTED}"}}}`);
});

describe('headers are secrets whatever stands in them', () => {
  test.each([
    'Authorization',
    'authorization',
    'Proxy-Authorization',
    'Cookie',
    'set-cookie',
    'X-Api-Key',
    'x-api-key',
  ])('the key %s', (key) => {
    const redactor = new Redactor();
    const value = { arguments: { headers: { [key]: 'abc', other: 'abc' } } };
    expect(redactor.redact(value)).toEqual({ arguments: { headers: { [key]: REDACTED, other: 'abc' } } });
  });

  test.each([
    [{ cookie: null }, { cookie: null }],
    [{ cookie: '' }, { cookie: '' }],
    [{ cookie: true }, { cookie: true }],
    [{ 'set-cookie': ['a=b'] }, { 'set-cookie': REDACTED }],
    [{ authorization: { a: 'b' } }, { authorization: REDACTED }],
    [{ cookies: 'sweet' }, { cookies: 'sweet' }],
  ])('%j', (value, clean) => {
    expect(new Redactor().redact({ input: value })).toEqual({ input: clean });
  });

  test.each([
    ['a line', 'GET /\nAuthorization: Bearer x.y\nAccept: */*', 'GET /\nAuthorization: #\nAccept: */*'],
    ['a log line', '> Cookie: a=b; c="d"\r\n', '> Cookie: #\r\n'],
    ['a line that is written \\n', 'x\\nX-Api-Key: k\\ny', 'x\\nX-Api-Key: #\\ny'],
    ['a command', `curl -H 'Authorization: Basic eA==' x`, `curl -H 'Authorization: #`],
    ['JSON', '{"authorization":"Bearer x","a":1}', '{"authorization":"#","a":1}'],
    ['JSON with spaces', '{ "Cookie" : "a=\\"b\\"" , "a":1}', '{ "Cookie" : "#" , "a":1}'],
    ['JSON in JSON', '"{\\"x-api-key\\":\\"k\\",\\"a\\":\\"b\\"}"', '"{\\"x-api-key\\":\\"#\\",\\"a\\":\\"b\\"}"'],
    ['a list', '{"set-cookie":["a","b"],"c":1}', '{"set-cookie":[#],"c":1}'],
    ['a cut text', '{"authorization":"Bearer x', '{"authorization":"#'],
    ['a Python map', "{'Cookie': 'a', 'b': 1}", "{'Cookie': '#', 'b': 1}"],
    ['no value', 'Authorization:\n"cookie":""', 'Authorization:\n"cookie":""'],
    [
      'no header',
      'Send the authorization: it matters; no cookie here',
      'Send the authorization: it matters; no cookie here',
    ],
    ['another name', 'X-Authorization-Mode: a\n"my-cookie":"b"', 'X-Authorization-Mode: a\n"my-cookie":"b"'],
    ['a number', '{"cookie": 5, "a": "b"}', '{"cookie": 5, "a": "b"}'],
  ])('in a text: %s', (_, text, clean) => {
    expect(hideHeaderValues(text, '#')).toBe(clean);
  });

  test.each([
    ['backslashes', `cookie${'\\'.repeat(400_000)}`],
    ['names', '"cookie":'.repeat(100_000)],
    ['open quotes of many depths', Array.from({ length: 700 }, (_, i) => `"cookie":${'\\'.repeat(700 - i)}"`).join('')],
    ['spaces', `cookie${' '.repeat(400_000)}:`.repeat(2)],
  ])('hostile text ends soon: many %s', (_, text) => {
    // Quadratic time would outlast any patience.
    expect(hideHeaderValues(text, '#').length).toBeLessThanOrEqual(text.length);
  });
});
