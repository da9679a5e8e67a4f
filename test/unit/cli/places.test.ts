import { expect, it } from 'vitest';
import { ownName } from '../../../src/cli/text/ownName.ts';
import { noPlaces } from '../../../src/cli/text/places.ts';
import type { Json } from '../../../src/engine/index.ts';

const one = (testCase: Json, defaults: Json = {}): Json => ({ defaults, cases: [testCase] });

it.each<[string, Json, string, boolean]>([
  ['extras of the case', one({ match: { extras: 'forbid' }, calls: ['a'] }), '/cases/0/match/extras', false],
  ['an exact order of the case', one({ match: { order: 'exact' }, calls: ['a'] }), '/cases/0/match/order', false],
  ['extras of the defaults', one({ calls: ['a'] }, { match: { extras: 1 } }), '/defaults/match/extras', false],
  ['none', one({ calls: 'none' }), '/cases/0/calls', false],
  ['nothing but the command line', one({ match: { order: 'any' }, calls: ['a'] }), '/cases/0/calls', true],
])('an extra call is laid to %s', (_, snapshot, pointer, key) => {
  expect(noPlaces(snapshot).extras('/cases/0/calls')).toEqual({ pointer, key });
});

it.each<[Json, string, string | null]>([
  [{ name: 'No extras, please' }, 'extra', 'No extras, please'],
  [{ name: 'No extras,  please!' }, 'no-extras-please', null],
  [{ prompt: 'No extras' }, 'extra', null],
])('the name in %j beside the id %s is %j', (testCase, id, shown) => {
  const name = (testCase as { name?: string }).name ?? 'No extras';
  expect(ownName({ at: '/cases/0', id, name }, one(testCase))).toBe(shown);
});
