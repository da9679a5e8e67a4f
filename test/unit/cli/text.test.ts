import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duration } from '../../../src/cli/text/duration.ts';
import { counted, interval, percent } from '../../../src/cli/text/figures.ts';
import { padEnd, padStart, truncate, width, wrap } from '../../../src/cli/text/width.ts';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('a', ' ', '東', '👩‍👩‍👧', 'é', 'ｱ', '한', '🇩🇪', '…') }),
);

describe('width', () => {
  it.each([
    ['', 0],
    ['plain', 5],
    ['Zürich', 6],
    ['e\u0301', 1],
    ['東京', 4],
    ['한국', 4],
    ['ひらがな', 8],
    ['ｱｲｳ', 3],
    ['ＡＢ', 4],
    ['🙂', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['✓ ✗ … │', 7],
    ['\u001b[31mred\u001b[39m', 3],
  ])('of %j is %i', (text, cells) => {
    expect(width(text)).toBe(cells);
  });
});

describe('truncate', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['too long', 5, 'too …'],
    ['東京都', 5, '東京…'],
    ['東京都', 4, '東…'],
    ['x', 0, ''],
  ])('%j to %i is %j', (text, cells, expected) => {
    expect(truncate(text, cells)).toBe(expected);
  });

  it('never gives more than asked for', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 20 }), (text, cells) => {
        expect(width(truncate(text, cells))).toBeLessThanOrEqual(cells);
      }),
    );
  });
});

describe('wrap', () => {
  it.each([
    ['one two three', 7, ['one two', 'three']],
    ['averylongword x', 5, ['avery', 'longw', 'ord x']],
    ['東京都新宿区', 5, ['東京', '都新', '宿区']],
    ['    indented words here', 13, ['    indented', '    words', '    here']],
    ['first\nsecond', 20, ['first', 'second']],
    ['see /home/kim/shop/evals.yaml', 14, ['see', '/home/kim/', 'shop/', 'evals.yaml']],
    ['', 5, ['']],
  ])('%j at %i', (text, cells, lines) => {
    expect(wrap(text, cells)).toEqual(lines);
  });

  it('keeps every letter, and every line in its bounds', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 30 }), (text, cells) => {
        const lines = wrap(text, cells);
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(cells);
        expect(lines.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      }),
    );
  });
});

it('pads by cells, not by characters', () => {
  expect(padEnd('東', 4)).toBe('東  ');
  expect(padStart('\u001b[1m7\u001b[22m', 3)).toBe('  \u001b[1m7\u001b[22m');
  expect(padEnd('long', 2)).toBe('long');
});

describe('duration', () => {
  it.each([
    [0, '0 ms'],
    [0.4, '0 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1234, '1.2 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [59_600, '1 min'],
    [125_000, '2 min 5 s'],
    [3_599_400, '59 min 59 s'],
    [3_600_000, '1 h'],
    [3_780_000, '1 h 3 min'],
  ])('%d', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('percent', () => {
  it.each([
    [1, '100%'],
    [1999 / 2000, '99.9%'],
    [199 / 200, '99.5%'],
    [2 / 3, '66.7%'],
    [0.5, '50%'],
    [1 / 3, '33.3%'],
    [1 / 5000, '0.1%'],
    [0, '0%'],
    [0.9, '90%'],
    [0.07, '7%'],
    [0.58, '58%'],
  ])('%d', (share, text) => {
    expect(percent(share)).toBe(text);
  });

  it('is 100% only for all, and 0% only for none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: 10_000 }), (a, b) => {
        const [passed, all] = [Math.min(a, b), Math.max(a, b)];
        expect(percent(passed / all) === '100%').toBe(passed === all);
        expect(percent(passed / all) === '0%').toBe(passed === 0);
      }),
    );
  });
});

it('counts nouns and tells intervals', () => {
  expect(counted(1, 'trial')).toBe('1 trial');
  expect(counted(0, 'trial')).toBe('0 trials');
  expect(counted(1200, 'cell')).toBe('1,200 cells');
  expect(interval([0.4385, 1])).toBe('44%–100%');
});
