import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AUTHORING_CODES } from '../../../src/engine/authoring/codes.ts';
import { MODEL_CODES } from '../../../src/engine/models/codes.ts';
import { SERVER_CODES } from '../../../src/engine/servers/codes.ts';
import { CODES } from '../../../src/engine/suite/codes.ts';
import { root } from './blocks.ts';

/** Code → what is wrong, as docs/errors.md has it. */
const documented = new Map(
  readFileSync(join(root, 'docs/errors.md'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const row = /^\| ([A-Z]+\d{3}) \| (.+?) \| (.+) \|$/.exec(line);
      return row === null ? [] : [[row[1] ?? '', row[2] ?? ''] as const];
    }),
);

test('every code of the source is in docs/errors.md, and no other', () => {
  const used = globSync('src/**/*.ts', { cwd: root }).flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/\b[A-Z]{3,8}\d{3}\b/g) ?? [],
  );
  expect([...documented.keys()].sort()).toEqual([...new Set(used)].sort());
});

test.each(Object.entries({ ...CODES, ...SERVER_CODES, ...MODEL_CODES, ...AUTHORING_CODES }))(
  '%s means the same in source and document',
  (code, meaning) => {
    expect(documented.get(code)).toBe(meaning);
  },
);
