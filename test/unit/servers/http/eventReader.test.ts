import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventReader } from '../../../../src/engine/servers/http/eventReader.ts';

function read(text: string, limit = 1000): unknown[] {
  return shown(new EventReader(limit).push(Buffer.from(text)));
}

function shown(events: ReturnType<EventReader['push']>): unknown[] {
  return events.map((event) =>
    event.kind === 'tooLong'
      ? ['too long', event.head.toString()]
      : [event.type, event.data?.toString() ?? null, event.id, event.retryMs],
  );
}

test.for([
  ['data: a\n\n', [['message', 'a', null, null]]],
  ['data:a\r\ndata: b\r\n\r\n', [['message', 'a\nb', null, null]]],
  ['event: endpoint\ndata:  /x\n\n', [['endpoint', ' /x', null, null]]],
  ['id: 7\ndata\n\n', [['message', '', '7', null]]],
  ['id: a\0b\ndata: x\n\n', [['message', 'x', null, null]]],
  ['retry: 20\n\nretry: soon\n\n', [['message', null, null, 20]]],
  [': a comment\n\n\n\n', []],
  ['data: never ended\n', []],
  [
    'data: 0123456789abc\ndata: 0123456789\n\ndata: ok\n\n',
    [
      ['too long', '0123456789abc'],
      ['message', 'ok', null, null],
    ],
  ],
  [
    'data: 0123456789abcdefghij\nid: 1\n\n',
    [
      ['too long', '0123456789abcd'],
      ['message', null, '1', null],
    ],
  ],
  [': 0123456789abcdefghij\ndata: ok\n\n', [['message', 'ok', null, null]]],
] as const)('%j', ([text, events]) => {
  expect(read(text, 20)).toEqual(events);
});

test('how the stream is cut changes nothing', () => {
  const piece = fc.constantFrom(
    'data: x',
    'data',
    ':',
    'id: 1',
    'event: e',
    'retry: 5',
    '\n',
    '\r\n',
    '\n\n',
    'xxxxxxxxxxxxxxxxxxxx',
  );
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(12)), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(''));
      const reader = new EventReader(16);
      const events = [];
      let start = 0;
      for (const cut of cuts) {
        events.push(...reader.push(bytes.subarray(start, start + cut)));
        start += cut;
      }
      events.push(...reader.push(bytes.subarray(start)));
      expect(shown(events)).toEqual(read(bytes.toString(), 16));
    }),
  );
});
