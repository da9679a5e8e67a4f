import { expect, test } from 'vitest';
import { sampleArguments } from '../../../src/engine/authoring/sampleArguments.ts';
import type { Json } from '../../../src/engine/record.ts';

const rows: [what: string, schema: Json, value: Json, guessed: boolean][] = [
  ['a constant', { const: 7 }, 7, false],
  ['an example before a default', { type: 'string', examples: ['a', 'b'], default: 'c' }, 'a', false],
  ['an example of OpenAPI', { type: 'string', example: 'a' }, 'a', false],
  ['a default before an enum', { enum: ['x', 'y'], default: 'y' }, 'y', false],
  ['the first of an enum', { type: 'string', enum: ['x', 'y'] }, 'x', false],
  ['an empty default', { type: 'string', default: '' }, 'hello', true],
  ['an example that the schema refuses', { type: 'number', examples: ['many'] }, 'many', true],
  ['a text', { type: 'string' }, 'hello', true],
  ['a date', { type: 'string', format: 'date' }, '2025-01-31', true],
  ['a long text', { type: 'string', minLength: 7 }, 'hellohe', true],
  ['a short text', { type: 'string', maxLength: 2 }, 'he', true],
  ['an integer', { type: 'integer' }, 1, true],
  ['a least number', { type: 'number', minimum: 10 }, 10, true],
  ['an open least number', { type: 'integer', exclusiveMinimum: 10 }, 11, true],
  ['a most number', { type: 'number', maximum: -3 }, -3, true],
  ['a step', { type: 'number', multipleOf: 5 }, 5, true],
  ['a fraction of a step', { type: 'number', multipleOf: 0.25 }, 1, true],
  ['a boolean', { type: 'boolean' }, false, true],
  ['null', { type: 'null' }, null, false],
  ['one of several types', { type: ['null', 'integer'] }, 1, true],
  ['a choice', { anyOf: [{ type: 'null' }, { enum: ['a'] }] }, 'a', false],
  ['a list', { type: 'array', items: { enum: ['a'] }, minItems: 2 }, ['a', 'a'], false],
  [
    'an object',
    { type: 'object', properties: { a: { const: 1 }, b: { type: 'string' } }, required: ['a'] },
    { a: 1 },
    false,
  ],
  [
    'all of several',
    { allOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }, { $ref: '#/$defs/more' }] },
    { a: 1, b: 2 },
    false,
  ],
  ['a reference', { $ref: '#/$defs/unit' }, 'celsius', false],
  ['a reference in a circle', { $ref: '#/$defs/circle' }, null, true],
  ['a reference elsewhere', { $ref: 'https://example.com/schema' }, null, true],
  ['a pattern that nothing here fits', { type: 'string', pattern: '^INV-[0-9]+$' }, 'hello', true],
];

test.each(rows)('%s', (_, schema, value, guessed) => {
  const more = { properties: { b: { const: 2 } }, required: ['b'] };
  const $defs = { unit: { enum: ['celsius', 'kelvin'] }, circle: { $ref: '#/$defs/circle' }, more };
  const input = { type: 'object', properties: { it: schema, other: {} }, required: ['it'], $defs };
  expect(sampleArguments(input)).toEqual({ arguments: { it: value }, guessed: guessed ? ['it'] : [] });
});

test.each([
  ['city', 'Berlin'],
  ['timezone', 'Europe/Berlin'],
  ['userEmail', 'user@example.com'],
  ['query', 'hello'],
])('what %s is called tells what may do', (name, value) => {
  const schema = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
  expect(sampleArguments(schema)).toEqual({ arguments: { [name]: value }, guessed: [name] });
});

test.each<[string, Json]>([
  ['nothing', {}],
  ['no schema', true],
  ['a requirement that is no list', { required: 'all' }],
  ['a reserved name', { required: ['__proto__'], properties: {} }],
])('%s asks for nothing', (_, schema) => {
  expect(sampleArguments(schema)).toEqual({ arguments: {}, guessed: [] });
});

test('a schema without an end comes to one', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] };
  const schema = { type: 'object', properties: { node }, required: ['node'], $defs: { node } };
  expect(JSON.stringify(sampleArguments(schema).arguments)).toContain('null');
});
