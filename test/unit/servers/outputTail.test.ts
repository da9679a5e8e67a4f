import { expect, test } from 'vitest';
import { OutputTail } from '../../../src/engine/servers/outputTail.ts';

const tailOf = (...chunks: string[]): OutputTail => {
  const tail = new OutputTail();
  for (const chunk of chunks) tail.add(Buffer.from(chunk));
  return tail;
};

test.for([
  { name: 'nothing', chunks: [], lines: '' },
  { name: 'blank lines do not count', chunks: ['a\n\n  \r\nb\r\n'], lines: 'a\nb' },
  { name: 'the last three', chunks: ['1\n2\n', '3\n4', '5\n6\n'], lines: '3\n45\n6' },
  { name: 'a character cut between chunks', chunks: ['x'], lines: 'x' },
])('$name', ({ chunks, lines }) => {
  expect(tailOf(...chunks).lastLines(3)).toBe(lines);
});

test('long lines are cut', () => {
  expect(tailOf('y'.repeat(5000)).lastLines(1)).toBe(`${'y'.repeat(400)}…`);
});

test('only the last 64 KiB are kept', () => {
  const tail = tailOf('first\n', ...Array.from({ length: 200 }, () => `${'z'.repeat(1023)}\n`), 'last\n');
  expect(tail.lastLines(1000).split('\n')).toHaveLength(65);
  expect(tail.lastLines(1)).toBe('last');
});

test('a character whose bytes come in two chunks is whole', () => {
  const tail = new OutputTail();
  const bytes = Buffer.from('é');
  tail.add(bytes.subarray(0, 1));
  tail.add(bytes.subarray(1));
  expect(tail.lastLines(1)).toBe('é');
});
