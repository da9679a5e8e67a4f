import { describe, expect, it } from 'vitest';
import { addInput, addMatch, addReporter, addText, positiveInteger, trialCount } from '../../../src/cli/options.ts';

describe('reporter', () => {
  it.each([
    ['list', { name: 'list', file: null }],
    ['json', { name: 'json', file: null }],
    ['json=-', { name: 'json', file: null }],
    ['json=out.json', { name: 'json', file: 'out.json' }],
    ['junit=a=b.xml', { name: 'junit', file: 'a=b.xml' }],
  ])('%s', (value, spec) => {
    expect(addReporter(value, [])).toEqual([spec]);
  });

  it.each([
    ['jsn', /no reporter "jsn". Did you mean "json"\?/],
    ['html', /Known: list, json, junit/],
    ['json=', /Name a file/],
    ['list=out.txt', /writes to the terminal only/],
  ])('%s is refused', (value, message) => {
    expect(() => addReporter(value, [])).toThrow(message);
  });

  it('gives stdout to one report only', () => {
    const first = addReporter('json', []);
    expect(() => addReporter('junit=-', first)).toThrow(/Only one report/);
    expect(addReporter('junit=out.xml', first)).toHaveLength(2);
  });
});

describe('input', () => {
  it.each([
    ['key=value', { key: 'value' }],
    ['key=a=b', { key: 'a=b' }],
    ['key=', { key: '' }],
    ['my key= v ', { 'my key': ' v ' }],
  ])('%s', (value, inputs) => {
    expect(Object.fromEntries(addInput(value))).toEqual(inputs);
  });

  it('adds up, the last one counting', () => {
    const inputs = addInput('a=2', addInput('b=1', addInput('a=1')));
    expect(Object.fromEntries(inputs)).toEqual({ a: '2', b: '1' });
  });

  it.each(['', 'key', '=value'])('%j is refused', (value) => {
    expect(() => addInput(value)).toThrow('without id or value');
  });
});

describe('match', () => {
  it.each([
    ['order=exact', { order: 'exact' }],
    ['arguments=ignore', { arguments: 'ignore' }],
    ['extras=forbid', { extras: 'forbid' }],
    ['extras=2', { extras: 2 }],
    ['ignoreTools=a,b*', { ignoreTools: ['a', 'b*'] }],
  ])('%s', (value, match) => {
    expect(addMatch(value, {})).toEqual(match);
  });

  it('adds up', () => {
    expect(addMatch('ignoreTools=b', addMatch('order=any', addMatch('ignoreTools=a', {})))).toEqual({
      order: 'any',
      ignoreTools: ['a', 'b'],
    });
  });

  it.each([
    ['oder=any', /Did you mean "order"\?/],
    ['order', /Give a value: order=/],
    ['order=exakt', /no value of order. Did you mean "exact"\?/],
    ['extras=many', /Known: allow, forbid, or a number/],
    ['extras=-1', /no value of extras/],
  ])('%s is refused', (value, message) => {
    expect(() => addMatch(value, {})).toThrow(message);
  });
});

describe('numbers', () => {
  it.each(['0', '-1', '1.5', 'x', '', '1e3', '99999999999'])('%j is no number from 1', (value) => {
    expect(() => positiveInteger(value)).toThrow(/whole number from 1/);
  });

  it('takes up to 100 trials', () => {
    expect(trialCount('100')).toBe(100);
    expect(() => trialCount('101')).toThrow(/1 to 100/);
  });
});

it('texts add up and are not empty', () => {
  expect(addText('b', ['a'])).toEqual(['a', 'b']);
  expect(() => addText('', [])).toThrow(/empty/);
});
