import type { Call, CallError, CallResult, Json } from '../../record.ts';
import { isObject } from '../../servers/isObject.ts';
import type { Lines } from '../../suite/lines.ts';
import { nearest } from '../../suite/nearest.ts';
import { parseJson } from './parseJson.ts';
import { type Fault, shapeError } from './traceError.ts';

/**
 * The calls of a trace that is a list of `{ tool, arguments, result?, server? }`. A tool may be written `server::tool`, and
 * `arguments` may be left out where there are none. Other keys (times, ids) are passed over, but not one that looks like a
 * misspelt key of ours: what it holds would be missing from the grading.
 *
 * @throws McproveError TRACE003 when it is no JSON, TRACE004 with all that is wrong with its shape, each at its place
 */
export function readCallList(trace: Lines): Call[] {
  const value = parseJson(trace);
  if (!Array.isArray(value)) {
    const hint = 'Each entry: { "tool": "name", "arguments": {…} }, with a "result" where there is one.';
    throw shapeError(trace, [{ path: [], message: `expected a list of calls; found ${nameOf(value)}`, hint }]);
  }
  const faults: Fault[] = [];
  const calls = value.map((entry, index) => readEntry(entry, index, faults));
  if (faults.length > 0) throw shapeError(trace, faults);
  return calls.filter((call) => call !== null);
}

const KEYS = ['tool', 'arguments', 'result', 'server'];

/** What other tools call our keys. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  name: 'tool',
  toolName: 'tool',
  function: 'tool',
  args: 'arguments',
  input: 'arguments',
  params: 'arguments',
  parameters: 'arguments',
  output: 'result',
  response: 'result',
  content: 'result',
};

function readEntry(entry: Json, index: number, faults: Fault[]): Call | null {
  if (!isObject(entry)) {
    faults.push({ path: [index], message: `call ${index + 1}: expected an object; found ${nameOf(entry)}` });
    return null;
  }
  const before = faults.length;
  const fault = (key: string, message: string, hint?: string) =>
    faults.push({
      path: [index, key],
      message: `call ${index + 1}: ${message}`,
      ...(hint === undefined ? {} : { hint }),
    });

  checkKeys(entry, fault);
  const { tool, server = null, result } = entry;
  const args = entry.arguments ?? {};
  if (tool === undefined) fault('tool', 'has no "tool"');
  else if (typeof tool !== 'string' || tool === '') fault('tool', `"tool" must be a name; found ${nameOf(tool)}`);
  if (server !== null && typeof server !== 'string')
    fault('server', `"server" must be a name; found ${nameOf(server)}`);
  if (!isObject(args)) {
    const hint = typeof args === 'string' ? 'A text that holds JSON is not read; write the object itself.' : undefined;
    fault('arguments', `"arguments" must be an object; found ${nameOf(args)}`, hint);
  }
  if (isObject(result)) checkResult(result, fault);
  if (faults.length > before || typeof tool !== 'string' || (server !== null && typeof server !== 'string'))
    return null;
  const cut = server === null ? tool.indexOf('::') : -1;
  return {
    id: `call-${index + 1}`,
    by: 'model',
    server: cut > 0 ? tool.slice(0, cut) : server,
    tool: cut > 0 ? tool.slice(cut + 2) : tool,
    arguments: args,
    mocked: false,
    ...(result === undefined ? {} : readResult(result)),
    argumentsValid: null,
    resultValid: null,
    startMs: 0,
    durationMs: 0,
  };
}

function checkKeys(entry: { [key: string]: Json }, fault: (key: string, message: string, hint?: string) => void): void {
  for (const key of Object.keys(entry)) {
    if (KEYS.includes(key)) continue;
    if (key === 'isError' || key === 'error') {
      fault(key, `"${key}" is not read here`, 'Write "result": { "isError": true, "content": "…" }.');
      continue;
    }
    const meant = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : nearest(key, KEYS);
    if (meant !== undefined && !Object.hasOwn(entry, meant)) {
      fault(key, `unknown key "${key}"`, `Did you mean "${meant}"?`);
    }
  }
}

/** What is no result of MCP's may be any JSON, but an error must not be read as a success. */
function checkResult(
  { content, structuredContent, ...result }: { [key: string]: Json },
  fault: (key: string, message: string, hint?: string) => void,
): void {
  const { isError } = result;
  if (isError !== undefined && typeof isError !== 'boolean') {
    const hint = isError === 'true' || isError === 'false' ? 'Remove the quotes.' : undefined;
    fault('result', `"isError" of "result" must be true or false; found ${nameOf(isError)}`, hint);
  }
  const misspelt = Object.keys(result).find((key) => key !== 'isError' && /^is[_-]?error$/i.test(key));
  if (misspelt !== undefined && isError === undefined) {
    fault('result', `"result" has the unknown key "${misspelt}"`, 'Did you mean "isError"?');
  }
  const isMcp = typeof isError === 'boolean' || structuredContent !== undefined;
  if (isMcp && content !== undefined && typeof content !== 'string' && !isBlocks(content)) {
    const found = Array.isArray(content) ? 'a list with something else' : nameOf(content);
    fault('result', `"content" of "result" must be a text or a list of { "type": …, … }; found ${found}`);
  }
}

/** A result as MCP has it (`{ content, structuredContent, isError }`), a list of content, a text, or any other JSON. */
function readResult(result: Json): { result: CallResult; error?: CallError } {
  const { content, structured, isError } = shapeOf(result);
  const read: CallResult = {
    content,
    ...(structured === undefined ? {} : { structured }),
    isError,
    bytes: Buffer.byteLength(JSON.stringify(result)),
    cut: false,
  };
  if (!isError) return { result: read };
  const texts = content.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []));
  return { result: read, error: { kind: 'content', text: texts.join('\n') || 'the tool reported an error' } };
}

function shapeOf(result: Json): { content: Json[]; structured?: Json; isError: boolean } {
  if (typeof result === 'string') return { content: [textBlock(result)], isError: false };
  if (isBlocks(result)) return { content: result, isError: false };
  if (!isObject(result)) return { ...fromJson(result), isError: false };
  const { content, structuredContent, isError = false } = result;
  const structured = structuredContent === undefined ? {} : { structured: structuredContent };
  if (typeof isError === 'boolean') {
    if (typeof content === 'string') return { content: [textBlock(content)], ...structured, isError };
    if (isBlocks(content)) return { content, ...structured, isError };
    if (content === undefined && structuredContent !== undefined) {
      return { ...fromJson(structuredContent), isError };
    }
  }
  return { ...fromJson(result), isError: isError === true };
}

function fromJson(value: Json): { content: Json[]; structured: Json } {
  return { content: [textBlock(JSON.stringify(value))], structured: value };
}

function textBlock(text: string): Json {
  return { type: 'text', text };
}

function isBlocks(value: Json | undefined): value is Json[] {
  return Array.isArray(value) && value.every((block) => isObject(block) && typeof block.type === 'string');
}

function nameOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value === '') return 'an empty text';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}
