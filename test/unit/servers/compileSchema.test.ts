import { expect, test } from 'vitest';
import type { Json } from '../../../src/engine/record.ts';
import { compileSchema } from '../../../src/engine/servers/compileSchema.ts';

const draft07 = 'http://json-schema.org/draft-07/schema#';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';
const nested = (levels: number): Json => (levels === 0 ? {} : { properties: { a: nested(levels - 1) } });

/** 2 to the power of `levels` checks of one value. */
const doubling = (levels: number): Json => ({
  $ref: '#/$defs/0',
  $defs: Object.fromEntries([
    ...Array.from({ length: levels }, (_, level) => {
      const next = { $ref: `#/$defs/${level + 1}` };
      return [level, { allOf: [next, next] }];
    }),
    [levels, { type: 'object' }],
  ]),
});

test.for<{ name: string; schema: Json; valid?: Json[]; invalid?: Json[]; unmeasured?: Json[] }>([
  {
    name: 'an object',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    valid: [{ city: 'Berlin' }, { city: '', more: 1 }],
    invalid: [{}, { city: 1 }, [], null, 'Berlin'],
  },
  { name: 'true and false', schema: true, valid: [1] },
  { name: 'false', schema: false, invalid: [1] },
  {
    name: '2020-12',
    schema: { $schema: draft2020, prefixItems: [{ type: 'string' }] },
    valid: [['a']],
    invalid: [[1]],
  },
  { name: 'unmarked is 2020-12', schema: { prefixItems: [{ type: 'string' }] }, invalid: [[1]] },
  { name: 'draft-07', schema: { $schema: draft07, items: [{ type: 'string' }] }, valid: [['a']], invalid: [[1]] },
  {
    name: 'another dialect',
    schema: { $schema: 'http://json-schema.org/draft-04/schema#', type: 'string' },
    unmeasured: ['a'],
  },
  { name: 'a dialect that is no text', schema: { $schema: 4 }, unmeasured: ['a'] },
  {
    name: 'two patterns in one Ajv',
    schema: { properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } } },
    valid: [{ a: 'aa', b: 'bb' }],
    invalid: [{ a: 'bb' }, { b: 'aa' }],
  },
  { name: 'patterns are not anchored', schema: { pattern: 'b' }, valid: ['abc'], invalid: ['ac'] },
  {
    name: 'patternProperties',
    schema: { patternProperties: { '^x-': { type: 'number' } } },
    valid: [{ 'x-a': 1, y: 'b' }],
    invalid: [{ 'x-a': 'b' }],
  },
  { name: 'Unicode', schema: { pattern: '^\\p{L}+$', maxLength: 3 }, valid: ['äöü'], invalid: ['a1', 'abcd'] },
  { name: 'look-around, which the engine does not know', schema: { pattern: '^(?=a)' }, unmeasured: ['a'] },
  { name: 'a pattern that is none', schema: { pattern: '(' }, unmeasured: ['a'] },
  { name: 'formats', schema: { format: 'date' }, valid: ['2024-02-29'], invalid: ['2023-02-29'] },
  { name: 'an unknown format', schema: { format: 'nonsense' }, valid: ['a'] },
  {
    name: 'names of Object.prototype that are not there',
    schema: {
      properties: { constructor: { type: 'string' }, valueOf: false },
      dependentRequired: { toString: ['a'] },
      dependentSchemas: { hasOwnProperty: false },
      not: { required: ['isPrototypeOf'] },
    },
    valid: [{}, { x: 1 }, Object.assign(Object.create(null), { x: 1 }), { constructor: 'a' }],
    invalid: [{ constructor: 1 }, { valueOf: 1 }, { toString: 1 }, { hasOwnProperty: 1 }, { isPrototypeOf: 1 }],
  },
  {
    name: 'names of Object.prototype that are required',
    schema: { required: ['toString', '__proto__'], dependentRequired: { x: ['valueOf'] } },
    valid: [JSON.parse('{"toString":1,"__proto__":1}')],
    invalid: [{}, { toString: 1 }, JSON.parse('{"toString":1,"__proto__":1,"x":1}')],
  },
  {
    name: 'dependencies of draft-07',
    schema: { $schema: draft07, dependencies: { toString: ['a'], valueOf: false } },
    valid: [{}],
    invalid: [{ toString: 1 }],
  },
  {
    name: 'values with an own __proto__',
    schema: { additionalProperties: false },
    valid: [{}],
    invalid: [JSON.parse('{"__proto__":{}}')],
  },
  {
    name: 'schemas with an own __proto__',
    schema: JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
    unmeasured: [{}],
  },
  {
    name: 'constants with names of Object.prototype',
    schema: { const: { toString: 1, valueOf: 2, constructor: 3 } },
    valid: [
      { toString: 1, valueOf: 2, constructor: 3 },
      Object.assign(Object.create(null), { toString: 1, valueOf: 2, constructor: 3 }),
    ],
    invalid: [{ toString: 1, valueOf: 2, constructor: 4 }, {}, { toString: 1, valueOf: 2, a: 3 }],
  },
  {
    name: 'lists of allowed values',
    schema: { enum: [{ city: ['a', null] }, 1, null] },
    valid: [{ city: ['a', null] }, Object.assign(Object.create(null), { city: ['a', null] }), 1, null],
    invalid: [{ city: ['a'] }, [], '1', false],
  },
  {
    name: 'unique items',
    schema: { uniqueItems: true },
    valid: [[{ toString: 1 }, { toString: 2 }], [1, '1', null, [], {}], 'aa', [[1, 2], [1]]],
    invalid: [
      [{ toString: 1 }, { toString: 1 }],
      [{}, Object.create(null)],
      [1, 2, 1],
      [[1], [1]],
    ],
  },
  { name: 'items that need not be unique', schema: { uniqueItems: false }, valid: [[1, 1]] },
  { name: 'allowed values that are no list', schema: { enum: 1 }, unmeasured: [1] },
  { name: 'uniqueItems that is no boolean', schema: { uniqueItems: 1 }, unmeasured: [[1]] },
  { name: 'a malformed keyword', schema: { required: 'city' }, unmeasured: [{}] },
  { name: 'an unknown type', schema: { type: 'text' }, unmeasured: ['a'] },
  { name: 'an unknown keyword', schema: { 'x-order': 1, type: 'string' }, valid: ['a'], invalid: [1] },
  { name: 'a reference to nowhere', schema: { $ref: '#/$defs/none' }, unmeasured: ['a'] },
  { name: 'a reference to the web', schema: { $ref: 'https://example.com/schema.json' }, unmeasured: ['a'] },
  {
    name: 'a recursive schema',
    schema: { properties: { next: { $ref: '#' } }, required: ['v'] },
    valid: [{ v: 1, next: { v: 2 } }],
    invalid: [{ v: 1, next: {} }],
  },
  { name: 'a reference to itself', schema: { $ref: '#' }, unmeasured: ['a'] },
  { name: 'an asynchronous schema', schema: { $async: true, type: 'string' }, unmeasured: ['a', 1] },
  { name: 'no schema', schema: 'string', unmeasured: ['a'] },
  { name: 'null', schema: null, unmeasured: ['a'] },
  { name: 'a list', schema: [], unmeasured: ['a'] },
  { name: '63 levels', schema: nested(31), valid: [{}] },
  { name: '65 levels', schema: nested(32), unmeasured: [{}] },
  { name: 'too deep', schema: nested(2000), unmeasured: [{}] },
  { name: 'too large', schema: { description: 'x'.repeat(1024 * 1024) }, unmeasured: [{}] },
  { name: 'defaults are not filled in', schema: { properties: { a: { default: 1 } }, required: ['a'] }, invalid: [{}] },
  { name: 'types are not coerced', schema: { type: 'number' }, invalid: ['1'] },
])('$name', ({ schema, valid = [], invalid = [], unmeasured = [] }) => {
  const compiled = compileSchema(schema);
  const results = [...valid, ...invalid, ...unmeasured].map((value) => compiled.validate(value).valid);
  expect(results).toEqual([...valid.map(() => true), ...invalid.map(() => false), ...unmeasured.map(() => null)]);
});

test.for<{ name: string; schema: Json; value: Json }>([
  { name: 'work that doubles at every step', schema: doubling(40), value: {} },
  {
    name: 'unique items by the thousand',
    schema: { uniqueItems: true },
    value: Array.from({ length: 60_000 }, (_, n) => ({ n })),
  },
])('$name is stopped, and not measured', ({ schema, value }) => {
  const start = performance.now();
  expect(compileSchema(schema).validate(value)).toEqual({ valid: null, why: 'checking took too long' });
  expect(performance.now() - start).toBeLessThan(2500);
});

test('a pattern that takes exponential time elsewhere is quick', () => {
  const start = performance.now();
  expect(compileSchema({ pattern: '^(a+)+$' }).validate(`${'a'.repeat(5000)}!`).valid).toBe(false);
  expect(performance.now() - start).toBeLessThan(1000);
});

test('an $id of one schema is not seen by another', () => {
  const first = compileSchema({ $id: 'https://example.com/a', type: 'string' });
  const second = compileSchema({ $id: 'https://example.com/a', type: 'number' });
  expect([first.validate('x'), second.validate('x'), second.validate(1)].map(({ valid }) => valid)).toEqual([
    true,
    false,
    true,
  ]);
  expect(compileSchema({ $ref: 'https://example.com/a' }).validate('x').valid).toBe(null);
});

test('__proto__ in schema and value pollutes nothing', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"number"}},"additionalProperties":false}');
  const results = ['{"__proto__":1}', '{"__proto__":"x"}'].map(
    (text) => compileSchema(schema).validate(JSON.parse(text)).valid,
  );
  // Ajv does not look at that key.
  expect(results).not.toContain(undefined);
  expect('type' in {}).toBe(false);
});

const TASK = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    due: { format: 'date' },
    tags: { items: { type: 'string' } },
    level: { enum: ['low', 'high'] },
    kind: { const: 'task' },
    'a/b': { type: 'number' },
  },
  required: ['title'],
  additionalProperties: false,
};

test.for<[Json, Json, string[]]>([
  [TASK, { due: 'tomorrow' }, ['missing required title', '/due must match format "date"']],
  [TASK, { title: 'a', tags: ['b', 1] }, ['/tags/1 must be string']],
  [TASK, { title: 'a', more: 1 }, ['must not have the property more']],
  [TASK, { title: 'a', level: 'mid', kind: 'list' }, ['/level must be one of "low", "high"', '/kind must be "task"']],
  [TASK, { title: 'a', 'a/b': 'c' }, ['/a~1b must be number']],
  [TASK, [], ['must be object']],
  [{ properties: { a: { required: ['b'] } } }, { a: {} }, ['/a missing required b']],
  [{ items: { type: 'string' } }, [1, 2, 3, 4, 5], ['/0 must be string', '/1 must be string', '/2 must be string']],
  [{ allOf: [{ minimum: 3 }, { minimum: 3 }] }, 1, ['must be >= 3']],
  [
    { propertyNames: { maxLength: 1 } },
    { ab: 1 },
    ['must NOT have more than 1 characters (the name ab)', 'property name must be valid'],
  ],
  [{ properties: { a: false } }, { a: 1 }, ['/a must not be there']],
  [{ enum: ['x'.repeat(100)] }, 1, ['must be one of the allowed values']],
  [{ required: ['x'.repeat(1000)] }, {}, ['does not satisfy "required"']],
  [
    { additionalProperties: { type: 'string' } },
    { ['x'.repeat(1000)]: 1 },
    ['a value deep inside does not satisfy "type"'],
  ],
])('%j complains of %j', ([schema, value, problems]) => {
  expect(compileSchema(schema).validate(value)).toEqual({ valid: false, problems });
});

test('complaints are few and short, however many there are and however long it takes to list them', () => {
  const schema = {
    items: { allOf: Array.from({ length: 50 }, (_, n) => ({ minLength: 2, maxLength: 10 + n, pattern: 'a' })) },
  };
  const found = compileSchema(schema).validate(Array.from({ length: 20_000 }, () => 'b'));
  expect(found.valid).toBe(false);
  if (found.valid !== false) return;
  expect(found.problems.length).toBeGreaterThan(0);
  expect(found.problems.length).toBeLessThan(4);
});

test.for<[Json, string]>([
  ['string', 'the schema is neither an object nor a boolean'],
  [{ $schema: 'http://json-schema.org/draft-04/schema#' }, 'the schema is neither JSON Schema 2020-12 nor draft-07'],
  [nested(2000), 'the schema nests deeper than 64 levels'],
  [{ description: 'x'.repeat(1024 * 1024) }, 'the schema is larger than 1 MiB'],
  [{ $async: true }, 'the schema is asynchronous'],
  [{ $ref: '#/$defs/none' }, "the schema cannot be compiled: can't resolve reference #/$defs/none from id #"],
  [{ $ref: `#/${'x'.repeat(1000)}` }, 'the schema cannot be compiled'],
])('%j cannot be used: %s', ([schema, why]) => {
  expect(compileSchema(schema).validate({})).toEqual({ valid: null, why });
});
