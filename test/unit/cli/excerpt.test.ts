import { describe, expect, it } from 'vitest';
import { excerpt } from '../../../src/cli/text/excerpt.ts';
import { fakeOutput } from './fakeStream.ts';

const { ink } = fakeOutput().output;

/** The place of `words` in a text. */
function place(text: string, words: string) {
  const offset = text.indexOf(words);
  const before = text.slice(0, offset).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  const position = (shift: number) => ({ line, column: column + shift, offset: offset + shift });
  return { file: '/a.eval.yaml', start: position(0), end: position(words.length) };
}

describe('excerpt', () => {
  it.each([
    ['marks the place', 'a: 1\ncity: Paris\n', 'Paris', 80, '2 │ city: Paris\n  │       ^^^^^'],
    ['counts wide characters as wide', '東京: Paris', 'Paris', 80, '1 │ 東京: Paris\n  │       ^^^^^'],
    ['shows tabs as spaces', '\t- x: bad', 'bad', 80, '1 │   - x: bad\n  │        ^^^'],
    [
      'writes out what would act on a terminal',
      'x: \u001b[31m bad',
      'bad',
      80,
      '1 │ x: \\x1b[31m bad\n  │             ^^^',
    ],
    [
      'cuts a long line on the right',
      'city: Paris is the capital of France',
      'Paris',
      24,
      '1 │ city: Paris is the …\n  │       ^^^^^',
    ],
    [
      'cuts a long line on the left where the mark would be out of sight',
      `prompt: ${'so long '.repeat(10)}here and on`,
      'here',
      40,
      '1 │ …so long so long so long here and on\n  │                          ^^^^',
    ],
    ['marks at least one cell', 'x: ""', '', 80, '1 │ x: ""\n  │ ^'],
    [
      'marks a place of several lines to the end of its first',
      'x:\n  - a\n  - b\n',
      '- a\n  - b',
      80,
      '2 │   - a\n  │   ^^^',
    ],
  ])('%s', (_, text, words, columns, expected) => {
    expect(excerpt(text, place(text, words), { columns, ink }).join('\n')).toBe(expected);
  });

  it('is empty where the file has lost the line', () => {
    expect(excerpt('one line', place('1\n2\n3', '3'), { columns: 80, ink })).toEqual([]);
  });
});
