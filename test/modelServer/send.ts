import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { brokenFrame, nastyFrame, plainFrame } from './sse.ts';
import type { SseEvent } from './wireFormat.ts';

/** An answer as it would go out if nothing went wrong on the way. */
export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  content: { text: string } | { events: readonly SseEvent[]; errorEvent: SseEvent };
}

/**
 * Sends an answer, with what goes wrong on the way. Returns once there is nothing more to send; a hanging answer once the
 * client has gone.
 *
 * @param gone aborted when the connection is closed
 * @param onEvent told of every event of a stream that went out whole
 */
export async function send(
  response: ServerResponse,
  outgoing: Outgoing,
  { fault, gone, onEvent }: { fault: Fault; gone: AbortSignal; onEvent: () => void },
): Promise<void> {
  if (fault.hang === true) return untilAborted(gone);
  if (fault.reset === 0) {
    response.socket?.resetAndDestroy();
    return;
  }
  const { content } = outgoing;
  if ('text' in content) return sendText(response, outgoing, content.text, fault, gone);

  response.writeHead(outgoing.status, { ...outgoing.headers, 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  const { events, errorEvent } = content;
  if (fault.truncate === true) {
    const whole = Buffer.concat(events.map(plainFrame));
    response.end(whole.subarray(0, Math.ceil(whole.length / 2)));
    return;
  }
  for (const [index, event] of events.entries()) {
    const isDue = (place: number | undefined) => place === index || place === index - events.length;
    if (isDue(fault.cut)) break;
    if (isDue(fault.stall)) return untilAborted(gone);
    if (isDue(fault.reset)) {
      response.destroy();
      return;
    }
    if (isDue(fault.errorEvent)) {
      await write(response, plainFrame(errorEvent));
      break;
    }
    await pause(fault.chunkLatencyMs, gone);
    if (gone.aborted) return;
    if (isDue(fault.malformedSse)) await write(response, brokenFrame(event));
    else if (fault.nastySse === true) await writeByteByByte(response, nastyFrame(event, index));
    else await write(response, plainFrame(event));
    onEvent();
  }
  response.end();
}

async function sendText(
  response: ServerResponse,
  { status, headers }: Outgoing,
  text: string,
  fault: Fault,
  gone: AbortSignal,
): Promise<void> {
  const whole = Buffer.from(text);
  const half = whole.subarray(0, Math.ceil(whole.length / 2));
  const isShort = fault.truncate === true || fault.cut !== undefined;
  response.writeHead(status, { ...headers, 'content-length': isShort ? half.length : whole.length });
  if (fault.stall === undefined && fault.reset === undefined) {
    response.end(isShort ? half : whole);
    return;
  }
  response.flushHeaders();
  if (fault.stall !== 0) await write(response, half);
  if (fault.stall !== undefined) return untilAborted(gone);
  response.destroy();
}

/** Waits, unless the client goes. */
export async function pause(ms: number | undefined, gone: AbortSignal): Promise<void> {
  if (ms === undefined || ms === 0 || gone.aborted) return;
  try {
    await sleep(ms, undefined, { signal: gone });
  } catch (error) {
    if (!gone.aborted) throw error;
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Resolves when the bytes are on their way, or never can be. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => resolve());
  });
}

async function writeByteByByte(response: ServerResponse, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length - 1; at += 1) response.write(bytes.subarray(at, at + 1));
  await write(response, bytes.subarray(-1));
}
