import { describe, expect, test } from 'vitest';
import { matchesTool, nearest } from '../../../src/engine/suite/index.ts';

describe('matchesTool', () => {
  test.each<[pattern: string, server: string | null, tool: string, fits: boolean]>([
    ['get_weather', 'weather', 'get_weather', true],
    ['get_weather', null, 'get_weather', true],
    ['get_weather', 'weather', 'get_weather_now', false],
    ['Get_weather', 'weather', 'get_weather', false],
    ['get_*', 'weather', 'get_weather', true],
    ['get_*', 'weather', 'forget_weather', false],
    ['*', 'weather', '.a/b', true],
    ['*_b', 'weather', 'a/x_b', true],
    ['pod?', 'k', 'pods', true],
    ['pod?', 'k', 'pod', false],
    ['{get,list}_*', 'k', 'list_pods', true],
    ['[gl]et', 'k', 'let', true],
    ['!get', 'k', 'list', false],
    ['a.b', 'k', 'axb', false],
    ['a+(b)', 'k', 'abb', false],
    ['weather::get_weather', 'weather', 'get_weather', true],
    ['weather::*', 'weather', 'anything', true],
    ['weather::*', 'other', 'anything', false],
    ['weather::*', null, 'anything', false],
    ['w*::get_*', 'weather', 'get_weather', true],
    ['*a*a*a*a*a*', 'k', 'aaaaaaaaaa', false],
  ])('%s on %s::%s: %s', (pattern, server, tool, fits) => {
    expect(matchesTool(pattern, server, tool)).toBe(fits);
  });

  test('a name of hostile length meets no glob but its own text', () => {
    const name = 'a'.repeat(100_000);
    expect(matchesTool('*a*a*a*b', 'k', name)).toBe(false);
    expect(matchesTool(name, 'k', name)).toBe(true);
  });
});

describe('nearest', () => {
  const keys = ['assert', 'prompt', 'maxTurns', 'timeout', 'calls', 'tool'];

  test.each([
    ['asert', 'assert'],
    ['max_turns', 'maxTurns'],
    ['MAXTURNS', 'maxTurns'],
    ['clals', 'calls'],
    ['promt', 'prompt'],
    ['tol', 'tool'],
    ['elephant', undefined],
    ['', undefined],
    ['x'.repeat(10_000), undefined],
  ])('%s', (word, candidate) => {
    expect(nearest(word, keys)).toBe(candidate);
  });
});
