import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonSchema } from '../../../src/engine/suite/index.ts';
import { root } from './blocks.ts';

const format = readFileSync(join(root, 'docs/format.md'), 'utf8');

/** Every key that any map of the format has, found in the JSON Schema. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own =
    'properties' in schema && typeof schema.properties === 'object' ? Object.keys(schema.properties ?? {}) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

test.each([...new Set(keysOf(jsonSchema()))].sort())('docs/format.md names the key %s', (key) => {
  expect(format).toMatch(new RegExp(`(?<![\\w$])${key.replace('$', '\\$')}(?!\\w)`));
});
