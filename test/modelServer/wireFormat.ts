import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../../src/engine/record.ts';
import type { Answer } from './answer.ts';
import type { Conversation } from './conversation.ts';

/** How one provider's API writes what all of them say. Pure: no format knows of HTTP or of faults on the way. */
export interface WireFormat {
  readonly name: 'chat' | 'responses' | 'messages' | 'google';
  /** Whether a request to this path speaks the format, whatever base path stands before it. */
  accepts(path: string): boolean;
  /** The API key that a request carries, wherever the provider looks for it. */
  keyOf(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined;
  /** The status with which a wrong or missing key is refused. */
  keyStatus(kind: 'badKey' | 'missingKey'): number;
  /** @throws BadRequest when the body is none that the provider would take */
  read(body: JsonObject, path: string): Conversation;
  body(answer: Answer): Json;
  /** The same answer as a stream; `request` is the body that asked for it. */
  events(answer: Answer, request: JsonObject): SseEvent[];
  error(problem: ApiProblem): Json;
  /** The error as an event inside a stream that began well. */
  errorEvent(problem: ApiProblem): SseEvent;
  readonly requestIdHeader: string;
}

export interface JsonObject {
  [key: string]: Json;
}

/** `word` stands for data that is no JSON. */
export type SseEvent = { event?: string; data: Json } | { word: string };

export interface ApiProblem {
  kind: 'status' | 'badKey' | 'missingKey' | 'contextOverflow';
  status: number;
  message: string;
  code?: string;
  /** Said in the body, not in a header. */
  retryAfterSeconds?: number;
  requestId: string;
}

/** When every answer was made: a fixed time, in seconds since 1970, so that answers never differ. */
export const CREATED = 1_767_225_600;

/** A text in the pieces in which it is streamed; none for an empty one. */
export function pieces(text: string): string[] {
  return text.match(/.{1,12}/gsu) ?? [];
}
