import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LineEvent, LineReader } from '../../../src/engine/servers/lineReader.ts';

const shown = (events: readonly LineEvent[]): object[] =>
  events.map((event) => ({
    kind: event.kind,
    ...('bytes' in event ? { text: event.bytes.toString('latin1') } : {}),
    ...('head' in event ? { head: event.head.toString('latin1') } : {}),
    ...('tail' in event ? { tail: event.tail.toString('latin1'), length: event.length } : {}),
  }));

const read = (limit: number, chunks: readonly Uint8Array[]): object[] => {
  const reader = new LineReader(limit);
  return shown([...chunks.flatMap((chunk) => reader.push(Buffer.from(chunk))), ...reader.end()]);
};

const line = (text: string): object => ({ kind: 'line', text });

test.for([
  { name: 'nothing', text: '', events: [] },
  { name: 'a line', text: 'a\n', events: [line('a')] },
  { name: 'empty lines', text: '\n\n', events: [line(''), line('')] },
  { name: 'an end without a newline', text: 'a\nb', events: [line('a'), line('b')] },
  { name: 'a line as long as the limit', text: 'abcde\n', events: [line('abcde')] },
  {
    name: 'a longer line',
    text: 'abcdef\nx\n',
    events: [
      { kind: 'overflow', head: 'abcde' },
      { kind: 'oversized', head: 'abcde', tail: 'abcdef', length: 6 },
      line('x'),
    ],
  },
  {
    name: 'a longer line that never ends',
    text: 'abcdefgh',
    events: [
      { kind: 'overflow', head: 'abcde' },
      { kind: 'oversized', head: 'abcde', tail: 'abcdefgh', length: 8 },
    ],
  },
])('$name', ({ text, events }) => {
  expect(read(5, [Buffer.from(text)])).toEqual(events);
});

test('of a long line both ends are kept', () => {
  const [overflow, oversized] = read(2000, [Buffer.from(`${'a'.repeat(1500)}${'b'.repeat(3000)}\n`)]);
  expect(overflow).toEqual({ kind: 'overflow', head: 'a'.repeat(1024) });
  expect(oversized).toEqual({ kind: 'oversized', head: 'a'.repeat(1024), tail: 'b'.repeat(1024), length: 4500 });
});

test('however the stream is cut into chunks, the lines are the same', () => {
  const bytes = fc.array(fc.constantFrom(0x0a, 0x61, 0x7b, 0xff), { maxLength: 80 });
  const cuts = fc.array(fc.nat({ max: 80 }), { maxLength: 20 });
  fc.assert(
    fc.property(bytes, cuts, fc.integer({ min: 1, max: 20 }), (stream, places, limit) => {
      const whole = Uint8Array.from(stream);
      const sorted = [0, ...places.map((place) => Math.min(place, whole.length)), whole.length].sort((a, b) => a - b);
      const chunks = sorted.slice(1).map((end, index) => whole.slice(sorted[index], end));
      expect(read(limit, chunks)).toEqual(read(limit, [whole]));
    }),
    { numRuns: 5000 },
  );
});

test('a stream of single bytes costs no buffer for each', () => {
  const reader = new LineReader(64 * 1024 * 1024);
  const before = process.memoryUsage().heapUsed;
  for (let byte = 0; byte < 300_000; byte++) reader.push(Buffer.from('x'));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(30 * 1024 * 1024);
  expect(reader.unfinished.toString()).toBe('x'.repeat(1024));
  expect(shown(reader.end())).toEqual([line('x'.repeat(300_000))]);
});
