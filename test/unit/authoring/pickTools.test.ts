import { expect, test } from 'vitest';
import { pickTools } from '../../../src/engine/authoring/pickTools.ts';
import type { Json } from '../../../src/engine/record.ts';
import type { Tool } from '../../../src/engine/servers/index.ts';

function tool(name: string, args: { [name: string]: Json } = {}, annotations: Tool['annotations'] = {}): Tool {
  const inputSchema = { type: 'object', properties: args, required: Object.keys(args) };
  return { server: 's', name, description: '', inputSchema, outputSchema: undefined, annotations, hash: '' };
}

const text = { type: 'string' };
const known = { enum: ['a'] };
const readOnly = { readOnlyHint: true };

test.each<[string, Tool[], string[]]>([
  ['read-only ones first', [tool('a', { x: text }), tool('b', { x: text, y: text }, readOnly)], ['b', 'a']],
  ['destructive ones last', [tool('get', {}, { destructiveHint: true }), tool('put')], ['put', 'get']],
  ['names that promise to look', [tool('put_x', { x: text }), tool('get_x', { x: text })], ['get_x', 'put_x']],
  [
    'one argument, none, several',
    [tool('a', { x: text, y: text }, readOnly), tool('b', {}, readOnly), tool('c', { x: text }, readOnly)],
    ['c', 'b', 'a'],
  ],
  ['less guessed', [tool('a', { x: text }, readOnly), tool('b', { x: known }, readOnly)], ['b', 'a']],
  ["else the server's order", [tool('b'), tool('a')], ['b', 'a']],
  ['none that a suite cannot hold', [tool('a*'), tool('s::a'), tool('a b'), tool('c', { constructor: text })], []],
])('%s', (_, tools, names) => {
  expect(pickTools(tools).map(({ tool: { name } }) => name)).toEqual(names);
});
