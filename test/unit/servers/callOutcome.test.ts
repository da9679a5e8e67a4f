import { expect, test } from 'vitest';
import type { Json } from '../../../src/engine/record.ts';
import { readCallResult, readRpcError } from '../../../src/engine/servers/callOutcome.ts';

const text = (words: string): Json => ({ type: 'text', text: words });

test('the size is that of the whole answer as JSON, in bytes', () => {
  const answer = { content: [text('é')], structuredContent: { a: 1 }, _meta: { b: 2 } };
  expect(readCallResult('t', answer).result).toEqual({
    ...{ content: [text('é')], structured: { a: 1 }, isError: false, cut: false },
    bytes: Buffer.byteLength(JSON.stringify(answer)),
  });
});

test.for<{ name: string; content: Json; error: string }>([
  { name: 'one text', content: [text('no')], error: 'no' },
  {
    name: 'several texts',
    content: [text('a'), { type: 'image', data: '', mimeType: 'image/png' }, text('b')],
    error: 'a\nb',
  },
  { name: 'none', content: [], error: 'The tool reported an error without a text.' },
  { name: 'a long one', content: [text('x'.repeat(5000))], error: `${'x'.repeat(2000)}…` },
])('the text of an isError result: $name', ({ content, error }) => {
  expect(readCallResult('t', { content, isError: true })).toMatchObject({
    result: { isError: true },
    error: { kind: 'content', text: error },
  });
});

test.for<{ answer: Json; findings: number }>([
  { answer: { content: [] }, findings: 0 },
  { answer: { content: [text('a'), { type: 'resource_link', uri: 'x', name: 'y' }] }, findings: 0 },
  { answer: { content: [], isError: 'yes' }, findings: 1 },
  { answer: { content: [{ type: 'hologram' }, 5] }, findings: 2 },
  { answer: { structuredContent: {} }, findings: 1 },
])('what is odd in $answer is told', ({ answer, findings }) => {
  const read = readCallResult('t', answer);
  expect(read.findings).toHaveLength(findings);
  expect(read.result?.isError).toBe(false);
  expect(read.error).toBeUndefined();
});

test.for<Json>([null, 'x', [], {}, { toolResult: 1 }])('%j is no tool result', (answer) => {
  expect(readCallResult('t', answer)).toMatchObject({ error: { kind: 'protocol' } });
});

test.for([
  [-32602, 'city is required', 'invalidArguments'],
  [-32602, 'Unknown tool: get_wether', 'unknownTool'],
  [-32602, 'Tool get_wether not found', 'unknownTool'],
  [-32602, 'city not found', 'invalidArguments'],
  [-32601, 'Method not found', 'protocol'],
  [-32603, 'Unknown tool', 'protocol'],
  [1, 'x', 'protocol'],
] as const)('error %i "%s" is %s', ([code, message, kind]) => {
  expect(readRpcError(code, message)).toEqual({ kind, text: `${message} (JSON-RPC error ${code})` });
});
