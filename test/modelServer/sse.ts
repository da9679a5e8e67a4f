import type { SseEvent } from './wireFormat.ts';
import { writeJson } from './writeJson.ts';

/** An event as servers usually write it. */
export function plainFrame(event: SseEvent): Buffer {
  if ('word' in event) return Buffer.from(`data: ${event.word}\n\n`);
  const name = event.event === undefined ? '' : `event: ${event.event}\n`;
  return Buffer.from(`${name}data: ${writeJson(event.data)}\n\n`);
}

/**
 * The same event in the least friendly form that the standard allows: CRLF, comments, fields that nobody uses, no space
 * after the colon, and JSON over several data lines. Sent byte by byte, it splits every character of several bytes.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function nastyFrame(event: SseEvent, index: number): Buffer {
  const name = 'word' in event || event.event === undefined ? '' : `event:${event.event}\r\n`;
  const lines = 'word' in event ? [event.word] : writeJson(event.data, 1).split('\n');
  const data = lines.map((line) => `data:${line}\r\n`).join('');
  return Buffer.from(`: keep-alive ✓\r\n\r\n:\r\nid: ${index}\r\nretry: 1000\r\nunknown: field\r\n${name}${data}\r\n`);
}

/** An event whose data ends in the middle. */
export function brokenFrame(event: SseEvent): Buffer {
  const text = plainFrame(event).toString().trimEnd();
  return Buffer.from(`${text.slice(0, Math.ceil(text.length / 2))}\n\n`);
}
