import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareValue } from '../../../src/engine/grading/index.ts';
import type { Json } from '../../../src/engine/record.ts';
import { reordered } from './reordered.ts';

const MISSING = Symbol('missing');

/** Expected, values that match, values that do not. In partial mode. */
const MATCHER_ROWS: [Json, (Json | typeof MISSING)[], (Json | typeof MISSING)[]][] = [
  ['x', ['x'], ['X', 'x ', 1, null, MISSING]],
  [1, [1], ['1', 2, true, null, MISSING]],
  [0, [0, -0], [false, '', null, MISSING]],
  [true, [true], ['true', 1, MISSING]],
  [null, [null], [0, '', {}, MISSING]],
  [{}, [{}, { a: 1 }], [[], null, 'x', MISSING]],
  [[], [[]], [{}, [1], null, MISSING]],
  [[1, 2], [[1, 2]], [[2, 1], [1], [1, 2, 3], { 0: 1, 1: 2 }]],
  ['$any', [null, 0, '', [], {}, false], [MISSING]],
  ['$string', ['', 'x'], [1, null, [], MISSING]],
  ['$number', [0, 1.5], ['1', null, MISSING]],
  ['$integer', [0, -3, 1e20], [1.5, '1', null, MISSING]],
  ['$boolean', [true, false], [0, 'true', null, MISSING]],
  ['$object', [{}, { a: 1 }], [[], null, 'x', MISSING]],
  ['$array', [[], [1]], [{}, null, 'x', MISSING]],
  ['$null', [null], [0, '', false, MISSING]],
  ['$strange', ['$strange'], ['x', MISSING]],
  ['string', ['string'], ['x', 1]],
  [{ $eq: '$string' }, ['$string'], ['x', MISSING]],
  [{ $eq: { a: { $gt: 1 } } }, [{ a: { $gt: 1 } }], [{ a: 2 }, { a: { $gt: 1 }, b: 1 }, MISSING]],
  [{ $eq: [{ a: 1 }] }, [[{ a: 1 }]], [[{ a: 1, b: 2 }], [{ a: 1 }, 1], []]],
  [{ $eq: null }, [null], [0, MISSING]],
  [{ $ne: 'x' }, ['y', 1, null], ['x', MISSING]],
  [{ $ne: { a: 1 } }, [{ a: 1, b: 2 }, { a: 2 }, 'x'], [{ a: 1 }, MISSING]],
  [{ $gt: 1 }, [2, 1.1], [1, 0, '2', null, MISSING]],
  [{ $gte: 1 }, [1, 2], [0.9, '1', MISSING]],
  [{ $lt: 1 }, [0, -5], [1, '0', null, MISSING]],
  [{ $lte: 1 }, [1, 0], [1.1, null, MISSING]],
  [{ $approx: { value: 0.7, tolerance: 0.1 } }, [0.7, 0.8, 0.6, 0.65], [0.81, 0.59, '0.7', null, MISSING]],
  [{ $approx: { value: 1, tolerance: 0 } }, [1], [1.001, 0.999]],
  [{ $matches: 'b+' }, ['abbc', 'b'], ['ac', 'B', 1, null, MISSING]],
  [{ $matches: '^b$' }, ['b'], ['abc', 'b\n', 'ab']],
  [{ $matches: '(?i)^BER' }, ['berlin'], ['xberlin']],
  [{ $contains: 'an' }, ['banana', ['an', 1]], ['bAnAna', ['banana'], { an: 1 }, 1, MISSING]],
  [{ $contains: { id: 1 } }, [[{ id: 1, name: 'x' }], [0, { id: 1 }]], [[], [{ id: 2 }], '{"id":1}', MISSING]],
  [{ $startsWith: 'ba' }, ['banana'], ['Banana', 'aba', 1, MISSING]],
  [{ $endsWith: 'na' }, ['banana'], ['banan', 1, MISSING]],
  [{ $equalsIgnoreCase: 'Straße' }, ['STRASSE', 'straße'], ['strase', 1, MISSING]],
  [{ $equalsIgnoreCase: 'ΣΑΣ' }, ['σας'], ['σα']],
  [{ $size: 2 }, ['ab', '👍👍', [1, 2], { a: 1, b: 2 }], ['a', [1], {}, 2, null, MISSING]],
  [{ $size: { min: 1, max: 2 } }, ['a', [1, 2]], ['', 'abc', [], 1, MISSING]],
  [{ $size: { min: 1 } }, ['abc'], ['']],
  [{ $empty: true }, ['', [], {}], [' ', [0], { a: 1 }, 0, null, MISSING]],
  [{ $anyOf: ['c', { $gt: 1 }] }, ['c', 2], ['d', 1, MISSING]],
  [{ $anyOf: ['c', { $absent: true }] }, ['c', MISSING], ['d', null]],
  [{ $allOf: [{ $gt: 1 }, { $lt: 3 }] }, [2], [1, 3, MISSING]],
  [{ $not: 'x' }, ['y', null, 1], ['x', MISSING]],
  [{ $not: { $absent: true } }, [1, null], [MISSING]],
  [{ $unordered: [1, 2, 2] }, [[2, 1, 2]], [[1, 2], [1, 1, 2], [1, 2, 2, 2], { 0: 1 }, MISSING]],
  [
    { $unordered: ['$any', { $gt: 5 }, 9] },
    [
      [9, 1, 7],
      [7, 9, 1],
    ],
    [[1, 2, 9]],
  ],
  [{ $unordered: [] }, [[]], [[1], {}, MISSING]],
  [{ $exact: { a: { b: 1 } } }, [{ a: { b: 1 } }], [{ a: { b: 1, c: 2 } }, { a: { b: 1 }, d: 1 }, MISSING]],
  [{ $exact: { a: { $partial: { b: 1 } } } }, [{ a: { b: 1, c: 2 } }], [{ a: { b: 1 }, d: 1 }]],
  [{ $absent: true }, [MISSING], [null, 0, '', {}]],
  [{ $gte: 1, $lt: 10 }, [1, 9], [0, 10]],
  [
    { a: { $absent: true }, b: 1 },
    [{ b: 1 }],
    [
      { a: null, b: 1 },
      { a: 1, b: 1 },
    ],
  ],
  [{ a: [{ b: { $startsWith: 'x' } }] }, [{ a: [{ b: 'xy', c: 1 }] }], [{ a: [{ b: 'y' }] }, { a: [] }]],
];

describe('matchers', () => {
  test.each(MATCHER_ROWS)('%j', (expected, matching, refused) => {
    for (const actual of matching) expect([actual, differences(expected, actual)]).toEqual([actual, []]);
    for (const actual of refused) expect([actual, differences(expected, actual).length > 0]).toEqual([actual, true]);
  });

  function differences(expected: Json, actual: Json | typeof MISSING) {
    return compareValue(expected, actual === MISSING ? undefined : actual, 'partial');
  }

  test('that cannot be carried out say so', () => {
    expect(() => compareValue({ $matches: '(' }, 'x', 'partial')).toThrow(
      expect.objectContaining({ code: 'GRADE001' }),
    );
    expect(() => compareValue({ $nope: 1 }, 'x', 'partial')).toThrow(expect.objectContaining({ code: 'GRADE002' }));
  });

  test('a catastrophic pattern ends at once on a long text', () => {
    expect(compareValue({ $matches: '^(a+)+$' }, `${'a'.repeat(100_000)}!`, 'partial')).toHaveLength(1);
  });
});

describe('differences', () => {
  test.each<[string, Json, Json | undefined, 'partial' | 'exact', object[]]>([
    [
      'are found at the leaves, by path',
      { city: 'Berlin', days: [1, { n: 2 }] },
      { city: 'Paris', days: [1, { n: 3 }] },
      'partial',
      [
        { path: '/city', expected: 'Berlin', actual: 'Paris', matcher: 'equals' },
        { path: '/days/1/n', expected: 2, actual: 3, matcher: 'equals' },
      ],
    ],
    ['name what is missing', { a: { b: 1 } }, {}, 'partial', [{ path: '/a', expected: { b: 1 }, matcher: 'equals' }]],
    [
      'name what is too much',
      { a: 1 },
      { a: 1, b: { c: 2 } },
      'exact',
      [{ path: '/b', actual: { c: 2 }, matcher: 'exact' }],
    ],
    ['name elements too many', [1], [1, 2], 'partial', [{ path: '/1', actual: 2, matcher: 'equals' }]],
    ['name elements too few', [1, 2], [1], 'partial', [{ path: '/1', expected: 2, matcher: 'equals' }]],
    ['escape keys', { 'a/b~c': 1 }, {}, 'partial', [{ path: '/a~1b~0c', expected: 1, matcher: 'equals' }]],
    ['lie at the whole', { a: 1 }, 'x', 'partial', [{ path: '', expected: { a: 1 }, actual: 'x', matcher: 'equals' }]],
    [
      'of a type',
      { a: '$string' },
      { a: 1 },
      'partial',
      [{ path: '/a', expected: '$string', actual: 1, matcher: '$string' }],
    ],
    [
      'of several operators are one each',
      { $gte: 5, $lte: 1 },
      3,
      'partial',
      [
        { path: '', expected: 5, actual: 3, matcher: '$gte' },
        { path: '', expected: 1, actual: 3, matcher: '$lte' },
      ],
    ],
    [
      'of $allOf are those of its parts',
      { n: { $allOf: [{ $gt: 1 }, { $lt: 2 }] } },
      { n: 2 },
      'partial',
      [{ path: '/n', expected: 2, actual: 2, matcher: '$lt' }],
    ],
    [
      'of $eq are found at the leaves',
      { $eq: { a: { $gt: 1 }, b: 2 } },
      { a: { $gt: 2 }, b: 2 },
      'partial',
      [{ path: '/a/$gt', expected: 1, actual: 2, matcher: '$eq' }],
    ],
    [
      'of $unordered compare what is left on both sides',
      { $unordered: [1, { id: 2 }] },
      [{ id: 3 }, 1],
      'partial',
      [{ path: '/0/id', expected: 2, actual: 3, matcher: 'equals' }],
    ],
    [
      'of $not show what was not to be',
      { $not: { $startsWith: 'x' } },
      'xy',
      'partial',
      [{ path: '', expected: { $startsWith: 'x' }, actual: 'xy', matcher: '$not' }],
    ],
    [
      'of a value that must not be there',
      { a: { $absent: true } },
      { a: 1 },
      'exact',
      [{ path: '/a', expected: true, actual: 1, matcher: '$absent' }],
    ],
  ])('%s', (_, expected, actual, mode, differences) => {
    expect(compareValue(expected, actual, mode)).toEqual(differences);
  });

  test('are at most a hundred', () => {
    const long = Array.from({ length: 100_000 }, (_, index) => index);
    expect(compareValue([], long, 'partial')).toHaveLength(100);
  });

  test('keys are own keys, and `__proto__` is one like any other', () => {
    const actual = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}') as Json;
    expect(compareValue({ admin: true }, actual, 'partial')).toHaveLength(1);
    expect(compareValue({ toString: '$any' }, {}, 'partial')).toHaveLength(1);
    expect(compareValue({ constructor: 1 }, actual, 'partial')).toEqual([]);
    expect(compareValue({ constructor: 1 }, actual, 'exact').map(({ path }) => path)).toEqual(['/__proto__']);
    const expected = Object.assign(Object.create(null) as { [key: string]: Json }, { constructor: 1 });
    expect(compareValue(expected, actual, 'partial')).toEqual([]);
  });
});

describe('properties', () => {
  const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  /** Without anything that could be read as a matcher. */
  const plain = json.filter((value) => !JSON.stringify(value).includes('"$'));

  test('a value equals itself, in every mode and order of keys', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('partial', 'exact'), fc.nat(), (value, mode, seed) => {
        expect(compareValue({ $eq: value }, reordered(value, seed), mode)).toEqual([]);
      }),
    );
  });

  test('the order of keys changes no difference', () => {
    fc.assert(
      fc.property(json, json, fc.constantFrom('partial', 'exact'), fc.nat(), (expected, actual, mode, seed) => {
        const found = compareValue({ $eq: expected }, actual, mode);
        expect(compareValue({ $eq: reordered(expected, seed) }, reordered(actual, seed), mode)).toEqual(found);
      }),
    );
  });

  test('what matches exactly matches in part', () => {
    fc.assert(
      fc.property(plain, json, (expected, more) => {
        const actual =
          expected !== null && typeof expected === 'object' && !Array.isArray(expected)
            ? { more, ...expected }
            : expected;
        if (compareValue({ $exact: expected }, actual, 'partial').length > 0) return;
        expect(compareValue(expected, actual, 'partial')).toEqual([]);
      }),
    );
  });
});

test('matchers that multiply their work are given up in time, and never answered wrongly', () => {
  const wide = (depth: number): Json =>
    depth === 0 ? { $gte: 0 } : { $unordered: Array.from({ length: 300 }, () => wide(depth - 1)) };
  const values = (depth: number): Json => (depth === 0 ? 1 : Array.from({ length: 300 }, () => values(depth - 1)));
  const start = performance.now();
  expect(() => compareValue(wide(2), values(2), 'partial')).toThrow(/takes too much work/);
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(compareValue(wide(1), values(1), 'partial')).toEqual([]);
});
