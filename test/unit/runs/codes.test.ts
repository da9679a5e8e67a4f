import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RUN_CODES } from '../../../src/engine/runs/codes.ts';

test('every code that the room gives is listed, and none that it does not', () => {
  const room = fileURLToPath(new URL('../../../src/engine/runs/', import.meta.url));
  const sources = readdirSync(room).filter((name) => name !== 'codes.ts');
  const given = sources.flatMap(
    (name) => readFileSync(`${room}${name}`, 'utf8').match(/(?<=')(?:PLAN|RUN)\d{3}(?=')/g) ?? [],
  );
  expect([...new Set(given)].sort()).toEqual(Object.keys(RUN_CODES));
});
