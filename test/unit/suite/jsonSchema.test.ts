import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { jsonSchema, MATCHERS } from '../../../src/engine/suite/index.ts';
import { read, withCase } from './reading.ts';

const root = join(import.meta.dirname, '../../..');
const schema = jsonSchema() as Schema;

interface Schema {
  description?: string;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  definitions?: Record<string, Schema>;
  anyOf?: Schema[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
}

test('the file in schemas/ is the one that is generated; `npm run schema` writes it', () => {
  expect(JSON.parse(readFileSync(join(root, 'schemas/eval-suite.schema.json'), 'utf8'))).toEqual(schema);
});

test('every key has a description and an example', () => {
  const bare: string[] = [];
  const visit = (node: Schema, path: string) => {
    for (const [name, member] of Object.entries(node.properties ?? {})) {
      const isOperand = path.includes('/$');
      if (!isOperand && (!member.description || !member.examples?.length)) bare.push(`${path}/${name}`);
      visit(member, `${path}/${name}`);
    }
    for (const each of node.anyOf ?? []) visit(each, path);
    if (node.items) visit(node.items, path);
    if (typeof node.additionalProperties === 'object') visit(node.additionalProperties, path);
  };
  visit(schema, '');
  for (const [name, definition] of Object.entries(schema.definitions ?? {})) visit(definition, name);
  expect(bare).toEqual([]);
});

describe('agrees with the reader', () => {
  const validate = new Ajv({ strict: false }).compile(schema as object);

  test.each(globSync('examples/**/*.eval.yaml', { cwd: root }))('on %s', (file) => {
    expect(validate(parse(readFileSync(join(root, file), 'utf8'))), JSON.stringify(validate.errors)).toBe(true);
  });

  test('on the examples of its own keys', () => {
    for (const [name, { example }] of Object.entries(MATCHERS)) {
      const text = withCase(`prompt: a\ncalls: [b: { c: { ${name}: ${JSON.stringify(example)} } }]`);
      expect(read(text), name).toMatchObject({ kind: 'suite', problems: [] });
      expect(validate(parse(text)), name).toBe(true);
    }
  });

  test.each([
    ['an unknown key', 'prompt: a\ncalls: none\nasert: []'],
    ['no subject', 'calls: none'],
    ['two subjects', 'prompt: a\ntool: b'],
    ['a duration without a unit', 'prompt: a\ncalls: none\ntimeout: 30'],
    ['a rate over 1', 'prompt: a\ncalls: none\npass: 80'],
    ['an unknown assertion', 'prompt: a\nassert: [noErrors]'],
    ['an operand of the wrong type', 'prompt: a\ncalls: [b: { c: { $gt: d } }]'],
    ['a long call with an unknown key', 'prompt: a\ncalls: [{ tool: b, argument: {} }]'],
  ])('on %s', (_, keys) => {
    const text = withCase(keys);
    expect(read(text).kind).toBe('broken');
    expect(validate(parse(text))).toBe(false);
  });
});
