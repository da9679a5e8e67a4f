import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerId, isRequest, readServerLine, shorten } from '../../../src/engine/servers/serverLine.ts';

const read = (line: string | Buffer) => readServerLine(Buffer.from(line));
const kinds = (line: string): string[] => read(line).findings.map(({ kind }) => kind);

const answer = { jsonrpc: '2.0', id: 1, result: { ok: true } };
const text = JSON.stringify(answer);
const asAnswer = { kind: 'answer', id: 1, message: answer };
const note = { jsonrpc: '2.0', method: 'notifications/x' };

test.for([
  { name: 'an answer', line: text, incoming: [asAnswer], findings: [] },
  {
    name: 'numbers that JSON cannot hold',
    line: `{"jsonrpc":"2.0","id":1,"result":{"a":[1e999,-1E+400],"b":1e3,"c":1${'0'.repeat(400)},"d":"1e999"}}`,
    incoming: [
      {
        kind: 'answer',
        id: 1,
        message: { jsonrpc: '2.0', id: 1, result: { a: [null, null], b: 1000, c: null, d: '1e999' } },
      },
    ],
    findings: [],
  },
  { name: 'an answer with a carriage return', line: `${text}\r`, incoming: [asAnswer], findings: [] },
  { name: 'white space', line: '  \t\r', incoming: [], findings: [] },
  { name: 'a notification', line: JSON.stringify(note), incoming: [{ kind: 'message', message: note }], findings: [] },
  {
    name: 'a batch',
    line: `[${text},${JSON.stringify(note)}]`,
    incoming: [asAnswer, { kind: 'message', message: note }],
    findings: [],
  },
  { name: 'batches within batches', line: '[[[1]]]', incoming: [], findings: [] },
  { name: 'more keys in an answer', line: JSON.stringify({ ...answer, extra: 1 }), incoming: [asAnswer], findings: [] },
  { name: 'junk before', line: `loading ${text}`, incoming: [asAnswer], findings: ['gluedJunk'] },
  { name: 'junk behind', line: `${text} done`, incoming: [asAnswer], findings: ['gluedJunk'] },
  { name: 'junk with braces and quotes', line: `{"a": {"b" ${text}`, incoming: [asAnswer], findings: ['gluedJunk'] },
  { name: 'two answers', line: `${text}${text}`, incoming: [asAnswer, asAnswer], findings: ['gluedJunk'] },
  { name: 'junk', line: 'Server started', incoming: [], findings: ['junk'] },
  { name: 'a cut answer', line: text.slice(0, -2), incoming: [], findings: ['junk'] },
  { name: 'a number', line: '17', incoming: [], findings: ['notJsonRpc'] },
  { name: 'an object', line: '{"level":"info"}', incoming: [], findings: ['notJsonRpc'] },
  {
    name: 'no "jsonrpc"',
    line: '{"id":1,"result":{}}',
    incoming: [{ kind: 'fault', id: 1, text: 'is not JSON-RPC 2.0' }],
    findings: ['notJsonRpc'],
  },
  { name: 'an answer without an id', line: '{"jsonrpc":"2.0","result":{}}', incoming: [], findings: ['notJsonRpc'] },
  {
    name: 'an error for nobody',
    line: '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}',
    incoming: [],
    findings: ['notJsonRpc'],
  },
  {
    name: 'an id that is no integer',
    line: '{"jsonrpc":"2.0","id":1.5,"result":{}}',
    incoming: [],
    findings: ['notJsonRpc'],
  },
  {
    name: 'a list as result',
    line: '{"jsonrpc":"2.0","id":1,"result":[]}',
    incoming: [{ kind: 'fault', id: 1, text: 'has a result that is no object: []' }],
    findings: [],
  },
  {
    name: 'an error without a code',
    line: '{"jsonrpc":"2.0","id":1,"error":{"message":"broken"}}',
    incoming: [
      { kind: 'answer', id: 1, message: { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'broken' } } },
    ],
    findings: ['notJsonRpc'],
  },
  {
    name: '257 levels',
    line: `{"jsonrpc":"2.0","id":7,"result":${'['.repeat(256)}${']'.repeat(256)}}`,
    incoming: [{ kind: 'fault', id: 7, text: 'nests deeper than 256 levels' }],
    findings: [],
  },
  {
    name: 'brackets in a string are no levels',
    line: `{"jsonrpc":"2.0","method":"x","params":{"a":"${'[{\\"'.repeat(999)}"}}`,
    incoming: [{ kind: 'message', message: { jsonrpc: '2.0', method: 'x', params: { a: '[{"'.repeat(999) } } }],
    findings: [],
  },
])('$name', ({ line, incoming, findings }) => {
  expect(read(line).incoming).toEqual(incoming);
  expect(kinds(line)).toEqual(findings);
});

test('bytes that are not UTF-8 are replaced and told', () => {
  const bytes = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","method":"a'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(read(bytes)).toMatchObject({
    incoming: [{ message: { method: 'a\uFFFD' } }],
    findings: [{ kind: 'invalidUtf8' }],
  });
});

test.for([
  { line: '{"jsonrpc":"2.0","id":12,"result":{"a', id: 12 },
  { line: '{ "id" : "x\\"y" , "jsonrpc":"2.0","result":', id: 'x"y' },
  { line: '…"text"}]},"jsonrpc":"2.0","id":3}', id: 3 },
  { line: '…"structured":{"id":5}},"jsonrpc":"2.0"}', id: null },
  { line: '{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","params":{', id: null },
  { line: '{"jsonrpc":"2.0","method":"notifications/message","params":{"id":4}', id: null },
  { line: '{"jsonrpc":"2.0","result":{"id":4,"result":', id: null },
])('the id of $line is $id', ({ line, id }) => {
  expect(answerId(Buffer.from(line), Buffer.from(line))).toBe(id);
});

test.for([
  ['{"jsonrpc":"2.0","method":"x"', true],
  ['{"method":"x","jsonrpc"', true],
  ['{"jsonrpc":"2.0","id":"a","method":"x"', true],
  ['{"jsonrpc":"2.0","id":1,"result":{"method"', false],
] as const)('%s: request %s', ([line, expected]) => {
  expect(isRequest(Buffer.from(line))).toBe(expected);
});

test('no bytes make it throw, and what it shows is short and without control characters', () => {
  const pieces = fc.constantFrom(
    text,
    JSON.stringify(note),
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    'junk',
    '\u001b[31m',
    '"id":',
    '1',
    ',',
    '\0',
  );
  const line = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((value) => Buffer.from(value)),
  );
  fc.assert(
    fc.property(line, (bytes) => {
      for (const { text: told } of readServerLine(bytes).findings) {
        expect(told.length).toBeLessThan(900);
        expect([...told].every((character) => character >= ' ')).toBe(true);
      }
    }),
    { numRuns: 5000 },
  );
});

test('a whole message is found wherever junk stands around it', () => {
  const junk = fc.string({ maxLength: 20 }).filter((around) => !/[{"\n]/.test(around) && around.trim() !== '');
  fc.assert(
    fc.property(junk, junk, (before, behind) => {
      expect(read(`${before}${text}${behind}`).incoming).toEqual([asAnswer]);
    }),
    { numRuns: 1000 },
  );
});

test('long texts are cut', () => {
  expect(shorten('x'.repeat(1000))).toBe(`"${'x'.repeat(120)}…"`);
});
