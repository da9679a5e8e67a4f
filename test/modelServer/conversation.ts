import type { Json } from '../../src/engine/record.ts';

/** A request in the words that all wire formats share. */
export interface Conversation {
  model: string;
  isStreamed: boolean;
  tools: readonly OfferedTool[];
  turns: readonly Turn[];
}

export interface OfferedTool {
  name: string;
  schema: Json;
}

/** `id` and `tool` stand where the format names them. */
export type Turn =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly AskedCall[] }
  | { role: 'results'; results: readonly ToolResult[] };

export interface AskedCall {
  id: string | undefined;
  tool: string;
  /** JSON text. */
  arguments: string;
}

export interface ToolResult {
  id: string | undefined;
  tool: string | undefined;
  /** What the tool said, as the client sent it. */
  value: Json;
}

/** A request the server cannot make sense of, or that the provider would refuse: answered with a 400. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** The last message a user wrote and what came after it. */
export function sinceLastUser(turns: readonly Turn[]): { text: string; after: readonly Turn[] } {
  const index = turns.findLastIndex((turn) => turn.role === 'user');
  const turn = turns[index];
  if (turn?.role !== 'user') throw new BadRequest('the conversation holds no message of a user');
  return { text: turn.text, after: turns.slice(index + 1) };
}

export function repliesIn(turns: readonly Turn[]): number {
  return turns.filter((turn) => turn.role === 'assistant').length;
}

export function callsIn(turns: readonly Turn[]): number {
  return turns.reduce((sum, turn) => sum + (turn.role === 'assistant' ? turn.calls.length : 0), 0);
}

/**
 * What the tools returned, in the order in which the calls were asked for. A result belongs to the open call with its id,
 * else to the first open one of its tool, else to the first open one.
 *
 * @throws BadRequest when a result has no call, or a call no result though the conversation went on: providers refuse both
 */
export function resultsIn(turns: readonly Turn[]): Json[] {
  const results: Json[] = [];
  let open: { call: AskedCall; place: number }[] = [];
  let places = 0;
  for (const turn of turns) {
    if (turn.role === 'results') {
      for (const result of turn.results) {
        const match = open.find(({ call }) => belongs(result, call));
        if (match === undefined)
          throw new BadRequest(`no tool call was asked for with the id ${result.id ?? '(none)'}`);
        open = open.filter((entry) => entry !== match);
        results[match.place] = result.value;
      }
      continue;
    }
    refuseOpen(open);
    open = turn.role === 'assistant' ? turn.calls.map((call, index) => ({ call, place: places + index })) : [];
    places += open.length;
  }
  refuseOpen(open);
  return results;
}

function belongs(result: ToolResult, call: AskedCall): boolean {
  if (result.id !== undefined && call.id !== undefined) return result.id === call.id;
  return result.tool === undefined || result.tool === call.tool;
}

function refuseOpen(open: readonly { call: AskedCall }[]): void {
  const [first] = open;
  if (first === undefined) return;
  throw new BadRequest(`the tool call ${first.call.id ?? first.call.tool} was not answered with a tool result`);
}

/** Four characters make a token, whatever the format: the same conversation costs the same everywhere. */
export function tokensOf(turns: readonly Turn[]): number {
  let characters = 0;
  for (const turn of turns) {
    if (turn.role === 'results') {
      for (const { value } of turn.results) characters += textOf(value).length;
    } else {
      characters += turn.text.length;
      if (turn.role === 'assistant')
        for (const call of turn.calls) characters += call.tool.length + call.arguments.length;
    }
  }
  return Math.ceil(characters / 4);
}

/** The text of a message whose content is a text or a list of parts. */
export function textOf(content: Json | undefined): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n');
}

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

export function objectsIn(value: Json | undefined): { [key: string]: Json }[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function stringOr<T>(value: Json | undefined, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
