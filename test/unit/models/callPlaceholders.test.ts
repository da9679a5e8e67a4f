import { describe, expect, test } from 'vitest';
import { fillFromCalls, fillText } from '../../../src/engine/models/callPlaceholders.ts';
import type { Json } from '../../../src/engine/record.ts';
import { callWith, text } from './calls.ts';

const calls = [
  callWith({ content: [text('3'), { type: 'image', data: '', mimeType: 'image/png' }, text('three')] }),
  callWith({ content: [text('{"city":"Berlin","days":[{"max":21},{"max":19}],"empty":null}')] }),
  callWith({ content: [text('see the structure')], structured: { id: 7, 'a-b': true, list: [[1, 2]] } }),
  callWith(null, { error: { kind: 'timeout', text: 'no answer within 60 s' } }),
];

describe('a value', () => {
  test.each<[string, Json]>([
    ['{{calls[0].text}}', '3\nthree'],
    ['{{ calls[0].text }}', '3\nthree'],
    ['{{calls[0].json}}', 3],
    ['{{calls[1].json.city}}', 'Berlin'],
    ['{{calls[1].json.days[1].max}}', 19],
    ['{{calls[1].json.days}}', [{ max: 21 }, { max: 19 }]],
    ['{{calls[1].json.empty}}', null],
    ['{{calls[2].json.id}}', 7],
    ['{{calls[2].json.a-b}}', true],
    ['{{calls[2].json.list[0][1]}}', 2],
    ['{{calls[2].text}}', 'see the structure'],
    ['{{calls[3].text}}', 'no answer within 60 s'],
    ['{{calls[-1].text}}', 'no answer within 60 s'],
    ['{{calls[-3].json.city}}', 'Berlin'],
    ['in {{calls[1].json.city}}: {{calls[1].json.days[0].max}}', 'in Berlin: 21'],
    ['all {{calls[1].json.days}}', 'all [{"max":21},{"max":19}]'],
    ['nothing to fill', 'nothing to fill'],
    ['{{vars.x}} and {{other}}', '{{vars.x}} and {{other}}'],
  ])('%s → %j', (placeholder, expected) => {
    const missing: string[] = [];
    expect(fillFromCalls(placeholder, calls, (what) => missing.push(what))).toEqual(expected);
    expect(missing).toEqual([]);
  });

  test('is filled at any depth, keys aside', () => {
    const value = { '{{calls[0].text}}': [{ city: '{{calls[1].json.city}}' }, 1, null, true] };
    expect(fillFromCalls(value, calls, () => undefined)).toEqual({
      '{{calls[0].text}}': [{ city: 'Berlin' }, 1, null, true],
    });
  });
});

test.each<[string, Json]>([
  ['{{calls[1].json.town}}', null],
  ['{{calls[1].json.days[2].max}}', null],
  ['{{calls[1].json.city.length}}', null],
  ['{{calls[1].json.days.length}}', null],
  ['{{calls[1].json.constructor}}', null],
  ['{{calls[3].json}}', null],
  ['got {{calls[1].json.town}}!', 'got !'],
])('%s finds nothing and goes on', (placeholder, expected) => {
  const missing: string[] = [];
  expect(fillFromCalls(placeholder, calls, (what) => missing.push(what))).toEqual(expected);
  expect(missing).toHaveLength(1);
});

test('a text stays a text', () => {
  expect(fillText('{{calls[0].json}}', calls, () => undefined)).toBe('3');
  expect(fillText('{{calls[1].json.town}}', calls, () => undefined)).toBe('');
});

test.each([
  ['{{calls[4].text}}', 'only 4 calls were made so far'],
  ['{{calls[-5].text}}', 'only 4 calls were made so far'],
  ['{{calls[0].txt}}', 'cannot read the placeholder {{calls[0].txt}}'],
  ['{{calls[0].text.x}}', 'cannot read the placeholder'],
  ['{{calls.0.text}}', 'cannot read the placeholder'],
  ['{{calls[x].text}}', 'cannot read the placeholder'],
  ['{{calls[0].json..x}}', 'cannot read the placeholder'],
])('%s is a mistake of the script', (placeholder, message) => {
  expect(() => fillFromCalls(placeholder, calls, () => undefined)).toThrow(message);
});
