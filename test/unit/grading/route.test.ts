import { describe, expect, test } from 'vitest';
import type { Call } from '../../../src/engine/record.ts';
import type { MatchOptions } from '../../../src/engine/suite/model.ts';
import { call } from './build.ts';
import { match, matchWritten, told, type Written, written } from './matchWritten.ts';

describe('what is left on both sides', () => {
  test.each<[string, string, string, Partial<MatchOptions>, string[]]>([
    ['any: a loose expectation leaves the strict one its call', 's s:x', 's:x s:y', {}, []],
    ['any: the closest call explains a mismatch', 's:z', 't s:x', {}, ['mismatch /calls/0 c1 /q', 'allowed c0']],
    ['any: one call meets one expectation', 's:x s:x', 's:x', {}, ['missing /calls/1']],
    ['any: swapped calls are in no wrong order', 'a b', 'b a', {}, []],
    ['inOrder: a mismatch does not cost the rest', 'a:1 b', 'a:2 b', { order: 'inOrder' }, ['mismatch /calls/0 c0 /q']],
    ['inOrder: gaps', 'a b c', 'a x b x c', { order: 'inOrder' }, ['allowed c1', 'allowed c3']],
    ['inOrder: of two longest the earliest expected', 'a b', 'b a', { order: 'inOrder' }, ['outOfOrder /calls/1 c0']],
    ['inOrder: reversed', 'a b c', 'c b a', { order: 'inOrder' }, ['outOfOrder /calls/1 c1', 'outOfOrder /calls/2 c0']],
    ['inOrder: repeated', 'a b', 'b a b', { order: 'inOrder' }, ['allowed c0']],
    ['inOrder: a strict one after a loose one', 'a a:1', 'a:1 a:2', { order: 'inOrder' }, ['mismatch /calls/1 c1 /q']],
    ['exact: a call past the end', 'a', 'a x', { order: 'exact' }, ['extra c1']],
    [
      'exact: shifted by one',
      'a b',
      'x a b',
      { order: 'exact' },
      ['outOfOrder /calls/0 c1', 'outOfOrder /calls/1 c2', 'extra c0'],
    ],
    ['exact: too few', 'a b', 'a', { order: 'exact' }, ['missing /calls/1']],
    ['exact: another argument in the same place', 'a:1 b', 'a:2 b', { order: 'exact' }, ['mismatch /calls/0 c0 /q']],
    ['extras: none may be left over', 'a', 'a a', { extras: 'forbid' }, ['extra c1']],
    ['extras: all are told when there are too many', 'a', 'a b c', { extras: 1 }, ['extra c1', 'extra c2']],
    [
      'extras: what explains a mismatch is not left over',
      'a:1',
      'a:2',
      { extras: 'forbid' },
      ['mismatch /calls/0 c0 /q'],
    ],
    ['ignoreTools: as if never called', 'a', 'x a', { order: 'exact', ignoreTools: ['x'] }, []],
  ])('%s', (_, expected, actual, options, discrepancies) => {
    expect(told(matchWritten(expected, actual, options).discrepancies)).toEqual(discrepancies);
  });

  test('pairs the least differing first, whatever the order', () => {
    const { discrepancies } = match(
      [{ s: { a: 1, b: 1, c: 1 } }, { s: { a: 2, b: 2, c: 2 } }],
      [call('s', { a: 2, b: 2, c: 9 }), call('s', { a: 1, b: 9, c: 9 })],
    );
    expect(told(discrepancies)).toEqual(['mismatch /calls/0 c1 /b /c', 'mismatch /calls/1 c0 /c']);
  });

  test.each<[string, string, Partial<MatchOptions>, string]>([
    ['a b', 'b a', { order: 'inOrder' }, 'made before a, expected after it'],
    ['a b c', 'b c a', { order: 'inOrder' }, 'made after b, expected before it'],
    ['a b', 'x a b', { order: 'exact' }, 'call 2, expected as call 1'],
  ])('%s against %s says where the call stood', (expected, actual, options, text) => {
    expect(matchWritten(expected, actual, options).discrepancies[0]).toMatchObject({ kind: 'outOfOrder', text });
  });
});

describe('other semantics than a greedy matcher has', () => {
  // The worked examples of a greedy matcher, as ours decides them.
  test.each<[string, string, string, Partial<MatchOptions>, boolean]>([
    ['no call where any route without calls is asked for', '', '', {}, true],
    ['an empty argument list does not take the strict one', 's s:x', 's:x s:y', {}, true],
    ['a loose one after the strict one', 's:x s', 's:x s:y', {}, true],
    ['order exact forbids what follows', 'a', 'a x', { order: 'exact' }, false],
    ['order exact', 'a b c', 'a x b c', { order: 'exact' }, false],
    ['order inOrder', 'a b c', 'a x b c', { order: 'inOrder' }, true],
    ['order any', 'a b c', 'c b a', {}, true],
    ['cap 0', 'a b c', 'a a b c', { extras: 0 }, false],
    ['cap 1', 'a b c', 'a a b c', { extras: 1 }, true],
    ['cap 1 in order', 'a b c', 'a a b c', { extras: 1, order: 'inOrder' }, true],
    ['cap 1 exceeded', 'a', 'a a a', { extras: 1 }, false],
    ['another letter case is another tool', 'S', 's', {}, false],
  ])('%s', (_, expected, actual, options, passes) => {
    expect(matchWritten(expected, actual, options).outcome).toBe(passes ? 'passed' : 'failed');
  });
});

describe('count', () => {
  const a = call('a');
  test.each<[string, Written, Call[], Partial<MatchOptions>, string[]]>([
    ['within', [{ tool: 'a', count: { min: 1, max: 3 } }], [a, a], {}, []],
    ['below', [{ tool: 'a', count: 3 }], [a], {}, ['missing /calls/0', 'missing /calls/0']],
    ['beyond, though extras are allowed', [{ tool: 'a', count: { min: 1, max: 2 } }], [a, a, a], {}, ['extra c2']],
    ['beyond, in order', [{ tool: 'a', count: 1 }, 'b'], [a, call('b'), a], { order: 'inOrder' }, ['extra c2']],
    ['zero', [{ tool: 'a', count: { min: 0, max: 0 } }], [a], {}, ['extra c0']],
    ['optional', [{ tool: 'a', count: { min: 0, max: 1 } }], [], {}, []],
    [
      'no upper end',
      [{ tool: 'a', count: { min: 1, max: Number.POSITIVE_INFINITY } }],
      [a, a, a],
      { extras: 'forbid' },
      [],
    ],
    ['a required slot before an optional one', [{ tool: 'a', count: { min: 0, max: 1 } }, 'a'], [a], {}, []],
    [
      'optional slots take what would be left over',
      [
        { tool: 's', arguments: { q: { $anyOf: [1, 2] } } },
        { tool: 's', arguments: { q: 1 }, count: { min: 0, max: 1 } },
      ],
      [call('s', { q: 1 }), call('s', { q: 2 })],
      { extras: 'forbid' },
      [],
    ],
    ['a call of another tool is no call beyond', [{ tool: 'a', count: 1 }], [a, call('b')], {}, ['allowed c1']],
    [
      'a failed attempt does not count',
      [{ tool: 'a', count: 1 }],
      [call('a', {}, { error: { kind: 'protocol', text: 'no' } }), a],
      {},
      ['allowed c0'],
    ],
  ])('%s', (_, calls, actual, options, discrepancies) => {
    expect(told(match(calls, actual, options).discrepancies)).toEqual(discrepancies);
  });

  test('a huge one is reported within reason', () => {
    expect(match([{ tool: 'a', count: 1_000_000 }], []).discrepancies).toHaveLength(20);
  });
});

describe('alternative routes', () => {
  const either = [{ anyOf: ['a', ['b', 'c']] }, 'd'];
  test.each<[string, Written, string, string[]]>([
    ['the first that passes', either, 'a b c d', ['allowed c1', 'allowed c2']],
    ['another', either, 'b c d', []],
    [
      'none: the one with the fewest discrepancies',
      [
        {
          anyOf: [
            ['a', 'c'],
            ['b', 'c'],
          ],
        },
      ],
      'b',
      ['missing /calls/0/anyOf/1/1'],
    ],
    ['none: extras that are allowed weigh nothing', either, 'b d', ['missing /calls/0/anyOf/0/0', 'allowed c0']],
    ['none: the earlier of two equal ones', [{ anyOf: ['a', 'b'] }], '', ['missing /calls/0/anyOf/0/0']],
    ['several choices', [{ anyOf: ['a', 'b'] }, { anyOf: ['c', 'd'] }], 'b d', []],
    ['an empty alternative', [{ anyOf: [[], 'b'] }, 'a'], 'a', []],
  ])('%s', (_, calls, actual, discrepancies) => {
    const made = written(actual).map(({ tool, args }) => call(tool, args));
    expect(told(match(calls, made).discrepancies)).toEqual(discrepancies);
  });

  test('are at most 64', () => {
    const two = { anyOf: ['a', 'b'] };
    expect(() => match(Array(6).fill(two), [])).not.toThrow();
    expect(() => match(Array(7).fill(two), [])).toThrow(expect.objectContaining({ code: 'GRADE003' }));
  });
});
