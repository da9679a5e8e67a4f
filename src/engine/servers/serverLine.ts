import { isUtf8 } from 'node:buffer';
import { isJSONRPCResultResponse, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '../record.ts';
import { isObject } from './isObject.ts';
import { parseFinite } from './parseFinite.ts';

type AnswerId = string | number;

/** What one line of a server holds. */
export type Incoming =
  /** A request or a notification of the server's own. */
  | { kind: 'message'; message: JSONRPCMessage }
  | { kind: 'answer'; id: AnswerId; message: JSONRPCMessage }
  /** Meant as an answer, but none that can be used; `id` is null where it cannot be told. */
  | { kind: 'fault'; id: AnswerId | null; text: string };

export interface Finding {
  kind: string;
  text: string;
}

/** Deeper values would end in a RangeError somewhere further on. */
const MAX_JSON_DEPTH = 256;

/**
 * Reads one line of a server's stdout. Never throws: what is wrong becomes a finding, and what can be saved is saved (a
 * message with junk glued to it, several messages on one line, an answer with a malformed error).
 */
export function readServerLine(bytes: Buffer): { incoming: Incoming[]; findings: Finding[] } {
  const findings: Finding[] = [];
  if (!isUtf8(bytes)) findings.push({ kind: 'invalidUtf8', text: `bytes that are not UTF-8: ${shorten(bytes)}` });
  if (jsonDepth(bytes) > MAX_JSON_DEPTH) {
    const text = `nests deeper than ${MAX_JSON_DEPTH} levels`;
    return { incoming: [{ kind: 'fault', id: answerId(bytes, bytes), text }], findings };
  }
  const text = bytes.toString('utf8').trim();
  if (text === '') return { incoming: [], findings };
  const whole = parse(text);
  if (whole !== undefined) return { incoming: readValue(whole, findings), findings };
  const saved = messagesWithin(text);
  findings.push(
    saved.length === 0
      ? { kind: 'junk', text: `a line on stdout that is not JSON: ${shorten(text)}` }
      : { kind: 'gluedJunk', text: `text on stdout glued to a message: ${shorten(text)}` },
  );
  return { incoming: saved.flatMap((value) => readValue(value, findings)), findings };
}

/**
 * The id of the answer that begins with `head` and ends with `tail`, read without the middle; null for a request or
 * notification, or where none of the usual orders of keys is met.
 */
export function answerId(head: Buffer, tail: Buffer): AnswerId | null {
  const id =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*,\s*"(?:jsonrpc|result|error)"/.exec(
      head.subarray(0, 1024).toString('utf8'),
    )?.[1] ??
    /[}\]"\w]\s*,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(
      tail.subarray(-1024).toString('utf8'),
    )?.[1];
  const value = id === undefined || isRequest(head) ? undefined : parse(id);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** Whether a line that begins so is a request or notification of the server. */
export function isRequest(head: Buffer): boolean {
  return /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*[^,]{1,80},\s*)?"method"/.test(
    head.subarray(0, 1024).toString('utf8'),
  );
}

/** Text as it may stand in a message: in quotes, control characters escaped, about 120 characters at most. */
export function shorten(text: string | Buffer): string {
  const plain = typeof text === 'string' ? text : text.subarray(0, 1024).toString('utf8');
  return JSON.stringify(cut(plain));
}

/** A value as JSON, as it may stand in a message. */
export function shortJson(value: Json): string {
  return cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function parse(text: string): Json | undefined {
  try {
    return parseFinite(text);
  } catch {
    return undefined;
  }
}

function readValue(value: Json, findings: Finding[]): Incoming[] {
  // Protocol 2025-03-26 had batches.
  if (Array.isArray(value)) return value.flatMap((entry) => (Array.isArray(entry) ? [] : readValue(entry, findings)));
  if (!isObject(value)) {
    findings.push({ kind: 'notJsonRpc', text: `JSON on stdout that is no message: ${shortJson(value)}` });
    return [];
  }
  const { jsonrpc, id, method, params, result, error } = value;
  if (jsonrpc !== '2.0' || (method === undefined && result === undefined && error === undefined)) {
    findings.push({ kind: 'notJsonRpc', text: `JSON that is not JSON-RPC 2.0: ${shortJson(value)}` });
    return isId(id) && method === undefined ? [{ kind: 'fault', id, text: 'is not JSON-RPC 2.0' }] : [];
  }
  if (method !== undefined) {
    // What the SDK does not recognise it reports by itself; nothing waits for it.
    const message = {
      jsonrpc,
      ...(id === undefined ? {} : { id }),
      method,
      ...(params === undefined ? {} : { params }),
    };
    return [{ kind: 'message', message: message as JSONRPCMessage }];
  }
  if (!isId(id)) {
    findings.push({ kind: 'notJsonRpc', text: `an answer without an id: ${shortJson(value)}` });
    return [];
  }
  return [error === undefined ? readResult(id, result) : readError(id, error, findings)];
}

function readResult(id: AnswerId, result: Json | undefined): Incoming {
  if (!isObject(result)) {
    return { kind: 'fault', id, text: `has a result that is no object: ${shortJson(result ?? null)}` };
  }
  const message = { jsonrpc: '2.0' as const, id, result };
  if (result._meta !== undefined && !isJSONRPCResultResponse(message)) {
    return { kind: 'fault', id, text: `has a malformed _meta: ${shortJson(result._meta)}` };
  }
  return { kind: 'answer', id, message };
}

function readError(id: AnswerId, error: Json, findings: Finding[]): Incoming {
  const { code, message, data } = isObject(error) ? error : {};
  const wellFormed = typeof code === 'number' && Number.isSafeInteger(code) && typeof message === 'string';
  if (!wellFormed) findings.push({ kind: 'notJsonRpc', text: `a malformed error: ${shortJson(error)}` });
  return {
    kind: 'answer',
    id,
    message: {
      jsonrpc: '2.0',
      id,
      error: {
        code: typeof code === 'number' && Number.isSafeInteger(code) ? code : -32603,
        message: typeof message === 'string' ? message : shortJson(error),
        ...(data === undefined ? {} : { data }),
      },
    },
  };
}

function isId(id: Json | undefined): id is AnswerId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
}

/** The deepest nesting of brackets outside strings. */
function jsonDepth(bytes: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inString) {
      if (byte === 0x5c) index++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return deepest;
}

const CANDIDATES = 32;

/** The JSON-RPC messages that stand somewhere in a line which as a whole is not JSON. */
function messagesWithin(text: string): Json[] {
  const found: Json[] = [];
  const start = /\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:/g;
  for (let tries = 0; tries < CANDIDATES; tries++) {
    const match = start.exec(text);
    if (match === null) break;
    const end = objectEnd(text, match.index);
    const value = end === -1 ? undefined : parse(text.slice(match.index, end));
    if (!isObject(value) || value.jsonrpc !== '2.0') continue;
    found.push(value);
    start.lastIndex = end;
  }
  return found;
}

/** The index after the bracket that closes the one at `start`, or -1. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return index + 1;
  }
  return -1;
}
