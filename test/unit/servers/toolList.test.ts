import { expect, test } from 'vitest';
import type { Json } from '../../../src/engine/record.ts';
import { ListError } from '../../../src/engine/servers/pages.ts';
import { readToolList } from '../../../src/engine/servers/toolList.ts';

const schema = { type: 'object' };
const read = (...pages: Json[]) => {
  const asked: (string | null)[] = [];
  const list = readToolList('s', async (cursor) => {
    asked.push(cursor);
    return pages[asked.length - 1] ?? { tools: [] };
  });
  return list.then((got) => ({ ...got, asked }));
};
const one = async (tool: Json) => (await read({ tools: [tool] })).tools[0];

test('pages are asked for by their cursors', async () => {
  const page = (name: string, nextCursor?: string): Json => ({
    tools: [{ name, inputSchema: schema }],
    ...(nextCursor === undefined ? {} : { nextCursor }),
  });
  const { tools, asked } = await read(page('a', 'x'), page('b', ''), page('c'));
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual([null, 'x', '']);
});

test('a cursor that is null ends the list, as some servers have it', async () => {
  expect((await read({ tools: [], nextCursor: null })).asked).toEqual([null]);
});

test('a tool is taken over with what it says', async () => {
  const annotations = { readOnlyHint: true, destructiveHint: 'no', title: 'A', idempotentHint: false };
  expect(
    await one({ name: 'a', description: 'Does a.', inputSchema: schema, outputSchema: schema, annotations, _meta: {} }),
  ).toEqual({
    ...{ server: 's', name: 'a', description: 'Does a.', inputSchema: schema, outputSchema: schema },
    annotations: { readOnlyHint: true, idempotentHint: false },
    hash: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
});

test('the hash depends on all that a model sees, and not on the order of keys', async () => {
  const tool = { name: 'a', description: 'd', inputSchema: { type: 'object', properties: { x: { type: 'string' } } } };
  const hashes = await Promise.all(
    [
      tool,
      { inputSchema: { properties: { x: { type: 'string' } }, type: 'object' }, description: 'd', name: 'a' },
      { ...tool, name: 'b' },
      { ...tool, description: 'e' },
      { ...tool, inputSchema: schema },
      { ...tool, outputSchema: schema },
      { ...tool, annotations: { readOnlyHint: true } },
    ].map(async (each) => (await one(each))?.hash),
  );
  expect(hashes[1]).toBe(hashes[0]);
  expect(new Set(hashes).size).toBe(hashes.length - 1);
});

test.for<{ name: string; tool: Json; left: string[]; findings: string[] }>([
  { name: 'no object', tool: 7, left: [], findings: ['badTool: tool number 1 has no name; left out'] },
  {
    name: 'no name',
    tool: { inputSchema: schema },
    left: [],
    findings: ['badTool: tool number 1 has no name; left out'],
  },
  {
    name: 'no schema',
    tool: { name: 'a' },
    left: [],
    findings: ['badTool: tool "a" is left out: it has no inputSchema'],
  },
  {
    name: 'a list as schema',
    tool: { name: 'a', inputSchema: [] },
    left: [],
    findings: ['badTool: tool "a" is left out: its inputSchema is no object: []'],
  },
  {
    name: 'a huge schema',
    tool: { name: 'a', inputSchema: { description: 'x'.repeat(1024 * 1024) } },
    left: [],
    findings: ['badTool: tool "a" is left out: its inputSchema is larger than 1 MiB'],
  },
  {
    name: 'a schema without a type',
    tool: { name: 'a', inputSchema: {} },
    left: ['a'],
    findings: ['oddTool: tool "a": its inputSchema does not say "type": "object"'],
  },
  {
    name: 'a description that is no text',
    tool: { name: 'a', description: null, inputSchema: schema },
    left: ['a'],
    findings: ['oddTool: tool "a": its description is no text'],
  },
  {
    name: 'an output schema that is none',
    tool: { name: 'a', inputSchema: schema, outputSchema: 'x' },
    left: ['a'],
    findings: ['oddTool: tool "a": its outputSchema is no object: "x"; taken as not declared'],
  },
])('$name', async ({ tool, left, findings }) => {
  const list = await read({ tools: [tool] });
  expect(list.tools.map(({ name }) => name)).toEqual(left);
  expect(list.findings.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(findings);
});

test('a long description is cut', async () => {
  const tool = await one({ name: 'a', description: 'x'.repeat(70_000), inputSchema: schema });
  expect(tool?.description).toHaveLength(64 * 1024);
});

test('two tools of one name are an error, also when one of them is bad', async () => {
  const twice = { tools: [{ name: 'a', inputSchema: schema }, { name: 'b', inputSchema: schema }, { name: 'a' }] };
  const error = await read(twice).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ListError);
  expect(error).toMatchObject({ duplicate: true, message: 'it offers two tools named "a" (numbers 1 and 3)' });
});
