import { expect, test } from 'vitest';
import { advised, ended, quotation, tidy } from '../../src/engine/sentence.ts';

test.each([
  ['Try search_city..', 'Try search_city.'],
  ['Did you mean "list_todos"?.', 'Did you mean "list_todos"?'],
  ['no such tool (did you mean echo?).', 'no such tool (did you mean echo?)'],
  ['first.. And second', 'first. And second'],
  ['wait...', 'wait...'],
  ['cd .. and back', 'cd .. and back'],
  ['1..2', '1..2'],
  ['It died. Its last stderr lines:.', 'It died.'],
])('%j is tidied', (text, expected) => {
  expect(tidy(text)).toBe(expected);
  expect(tidy(expected)).toBe(expected);
});

test.each([
  ['no end', 'no end.'],
  ['an end.', 'an end.'],
  ['an end?', 'an end?'],
  ['in quotes "so?"', 'in quotes "so?"'],
  ['', ''],
  ['two\nlines', 'two\nlines.'],
  ['It said:\n  a\n  b', 'It said:\n  a\n  b'],
])('%j ends once', (text, expected) => {
  expect(ended(text)).toBe(expected);
});

test.each([
  ['It broke', 'Mend it', 'It broke. Mend it.'],
  ['Really?', 'Yes.', 'Really? Yes.'],
  ['It broke', undefined, 'It broke.'],
  [
    'It died. Its last stderr lines:\n  Node.js v1',
    'Start it by hand.',
    'It died. Its last stderr lines:\n  Node.js v1\nStart it by hand.',
  ],
])('%j with the advice %j', (message, advice, expected) => {
  expect(advised(message, advice)).toBe(expected);
});

test.each([
  ['one line', { sentence: 'one line', quoted: [], after: '' }],
  ['two\nlines', { sentence: 'two', quoted: [], after: 'lines' }],
  [
    'It died. Its last stderr lines:\n  a\n    b\n\nStart it by hand.',
    { sentence: 'It died.', quoted: ['a', '  b'], after: 'Start it by hand.' },
  ],
  ['It died\nits last lines on stderr:\n  a', { sentence: 'It died', quoted: ['a'], after: '' }],
])('%j is taken apart', (text, parts) => {
  expect(quotation(text)).toEqual(parts);
});
