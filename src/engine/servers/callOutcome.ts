import type { CallError, CallResult, Json } from '../record.ts';
import type { CallOutcome } from './connection.ts';
import { isObject } from './isObject.ts';
import { type Finding, shorten, shortJson } from './serverLine.ts';

const ERROR_TEXT = 2000;
const CONTENT_TYPES = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

type Read = Pick<CallOutcome, 'result' | 'error'> & { findings: Finding[] };

/**
 * A call's result as the server sent it. What cannot be understood stays in the result; only an answer that is no tool
 * result at all is a protocol error.
 */
export function readCallResult(tool: string, answer: Json): Read {
  const findings: Finding[] = [];
  const odd = (text: string): void => {
    findings.push({ kind: 'oddResult', text: `the result of ${shorten(tool)} ${text}` });
  };
  if (!isObject(answer) || (answer.content === undefined && answer.structuredContent === undefined)) {
    const text = `The answer is no tool result: ${shortJson(answer)}.`;
    return { error: { kind: 'protocol', text }, findings };
  }
  const content = readContent(answer.content, odd);
  if (answer.isError !== undefined && typeof answer.isError !== 'boolean') odd('has an isError that is no boolean');
  const result: CallResult = {
    content,
    ...(answer.structuredContent === undefined ? {} : { structured: answer.structuredContent }),
    isError: answer.isError === true,
    bytes: Buffer.byteLength(JSON.stringify(answer)),
    cut: false,
  };
  return result.isError
    ? { result, error: { kind: 'content', text: errorText(content) }, findings }
    : { result, findings };
}

function readContent(content: Json | undefined, odd: (text: string) => void): Json[] {
  if (!Array.isArray(content)) {
    odd(content === undefined ? 'has no content' : 'has a content that is no list');
    return content === undefined ? [] : [content];
  }
  for (const block of content) {
    const type = isObject(block) ? block.type : undefined;
    if (typeof type !== 'string') odd(`holds a block without a type: ${shortJson(block)}`);
    else if (!CONTENT_TYPES.has(type)) odd(`holds a block of the unknown type ${shorten(type)}`);
  }
  return content;
}

function errorText(content: readonly Json[]): string {
  const texts = content.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []));
  const text = texts.join('\n').trim();
  if (text === '') return 'The tool reported an error without a text.';
  return text.length > ERROR_TEXT ? `${text.slice(0, ERROR_TEXT)}…` : text;
}

/** A JSON-RPC error of the server, by its code; the specification's own example of an unknown tool is a -32602. */
export function readRpcError(code: number, message: string): CallError {
  const text = `${message} (JSON-RPC error ${code})`;
  if (code !== -32602) return { kind: 'protocol', text };
  return {
    kind: /\b(?:unknown|no such) tool\b|\btool\b.*\bnot found\b/i.test(message) ? 'unknownTool' : 'invalidArguments',
    text,
  };
}
