import { expect, test } from 'vitest';
import { toolFindings } from '../../../src/engine/doctor/toolFindings.ts';
import type { Json } from '../../../src/engine/record.ts';
import type { Tool } from '../../../src/engine/servers/index.ts';

function tool(name: string, inputSchema: Json, more: Partial<Tool> = {}): Tool {
  const description = `The tool ${name}.`;
  return { server: 's', name, description, inputSchema, outputSchema: undefined, annotations: {}, hash: '', ...more };
}

const described = { type: 'string', description: 'What to say.' };
const good = tool('say', { type: 'object', properties: { text: described }, required: ['text'] });

test('a good tool gives no cause', () => {
  expect(toolFindings([good, tool('nothing', { type: 'object' })])).toEqual([]);
});

const six = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, {}]));

test.each<[Tool[], string]>([
  [[], 'it offers no tools'],
  [[good, tool('mute', {}, { description: ' ' })], '1 tool without a description: mute'],
  [[tool('a', { properties: { x: {}, y: described } })], '1 parameter without a description: a.x'],
  [[tool('a', { properties: six })], '7 parameters without a description: a.a, a.b, a.c, a.d, a.e and 2 more'],
  [[tool('a', { required: ['x'] })], '1 required parameter that the schema does not declare: a.x'],
  [[tool('a', { type: 'object', pattern: '(?=x)' })], '1 inputSchema that cannot be used: a ('],
  [[tool('a', { type: 'thing' })], '1 inputSchema that cannot be used: a ('],
  [[tool('a', {}, { outputSchema: { $ref: '#/nowhere' } })], '1 outputSchema that cannot be used: a ('],
])('%#: %s', (tools, text) => {
  expect(toolFindings(tools)).toEqual([
    { level: 'warning', text: expect.stringContaining(text), remedy: expect.stringMatching(/\.$/) },
  ]);
});
