import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visible, visibleLine } from '../../../src/engine/reports/visible.ts';

describe('visible', () => {
  test.each([
    ['plain text stays', 'Grüße, 世界 🎉', 'Grüße, 世界 🎉'],
    ['line feed and tab stay', 'a\n\tb', 'a\n\tb'],
    ['CR LF becomes LF', 'a\r\nb', 'a\nb'],
    ['a lone CR cannot overwrite', 'FAIL\rPASS', 'FAIL\\x0dPASS'],
    ['a colour', '\u001b[32mPASS\u001b[0m', '\\x1b[32mPASS\\x1b[0m'],
    ['the clipboard (OSC 52)', '\u001b]52;c;eA==\u0007', '\\x1b]52;c;eA==\\x07'],
    ['C1 controls', '\u009b31m', '\\x9b31m'],
    ['backspace and DEL', 'a\b\u007f', 'a\\x08\\x7f'],
    ['bidi override', 'a\u202etxt.exe', 'a\\u202etxt.exe'],
    ['bidi isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['zero width space and byte order mark', '\u200ba\ufeff', '\\u200ba\\ufeff'],
    ['line and paragraph separator', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['a lone surrogate', 'a\ud83d', 'a\\ud83d'],
    ['tags that hide text', '\u{e0041}', '\\u{e0041}'],
    ['a code point that is no character', '\uffff', '\\uffff'],
    ['joined emoji stay', '👩‍🚀', '👩‍🚀'],
    ['nothing', '', ''],
  ])('%s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test('is idempotent and leaves no character that XML 1.0 forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visible(text);
        expect(visible(shown)).toBe(shown);
        expect(shown).toMatch(/^[\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
      }),
    );
  });

  test('one line is one line', () => {
    expect(visibleLine('a\r\n\tb')).toBe('a\\n\\tb');
  });
});
