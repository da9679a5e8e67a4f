import type { Json } from '../../src/engine/record.ts';
import type { Plan, PlannedCall, Reply } from './reply.ts';

/** A plan that cannot be read. The server answers it with a 400 whose message says where it went wrong. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}

const FENCED = /^[ \t]*```plan[ \t]*\n([\s\S]*?)^[ \t]*```/m;
const INLINE = /(?:^|\s)plan:[ \t]+(.*)/;

/** The text of the plan in a prompt: a fenced block called `plan`, else what follows `plan:` on its line. */
export function planTextIn(prompt: string): string | undefined {
  return FENCED.exec(prompt)?.[1] ?? INLINE.exec(prompt)?.[1];
}

/**
 * Reads the plan language that index.ts describes.
 *
 * @throws PlanError with the position, counted from 1
 */
export function readPlan(text: string): Plan {
  const cursor = new Cursor(text);
  const replies: Reply[] = [];
  let loops = false;
  while (cursor.skipTo()) {
    if (loops) throw cursor.error('nothing may follow !loop');
    if (cursor.takes(/!loop(?![\w-])/y) !== undefined) {
      if (replies.length === 0) throw cursor.error('!loop needs a reply before it');
      loops = true;
    } else {
      replies.push(readReply(cursor));
    }
    cursor.endReply();
  }
  if (replies.length === 0) throw cursor.error('the plan is empty');
  return { replies, loops };
}

function readReply(cursor: Cursor): Reply {
  const reply: Reply = {};
  const calls: PlannedCall[] = [];
  do {
    cursor.takes(/[ \t]*/y);
    if (cursor.takes(/say[ \t]+/y) !== undefined) addText(reply, 'say', cursor);
    else if (cursor.takes(/think[ \t]+/y) !== undefined) addText(reply, 'think', cursor);
    else if (cursor.takes(/!/y) !== undefined) {
      const words = cursor.takes(/(?:(?![ \t]+[|&](?:\s|$)|\n).)+/y);
      if (words === undefined) throw cursor.error('expected fault words after "!"');
      reply.faults = reply.faults === undefined ? words : `${reply.faults} ${words}`;
    } else calls.push(readCall(cursor));
  } while (cursor.takes(/[ \t]*&(?=[ \t])/y) !== undefined);
  return calls.length === 0 ? reply : { ...reply, calls };
}

function addText(reply: Reply, kind: 'say' | 'think', cursor: Cursor): void {
  if (reply[kind] !== undefined) throw cursor.error(`a reply has one "${kind}"`);
  const quoted = cursor.takes(/"(?:[^"\\]|\\.)*"/y);
  if (quoted !== undefined) {
    const text = readJson(quoted, cursor);
    reply[kind] = String(text);
    return;
  }
  const plain = cursor.takes(/(?:(?![ \t]+[|&](?:\s|$)|\n).)+/y);
  if (plain === undefined) throw cursor.error(`expected a text after "${kind}"`);
  reply[kind] = plain.trimEnd();
}

function readCall(cursor: Cursor): PlannedCall {
  const tool = cursor.takes(/[A-Za-z_][\w.:/-]*/y);
  if (tool === undefined) throw cursor.error('expected say, think, !fault or the name of a tool');
  cursor.takes(/[ \t]*/y);
  if (cursor.peek() !== '{') return { tool };
  const value = readJson(cursor.takeObject(), cursor);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw cursor.error('expected an object of arguments');
  }
  return { tool, arguments: value };
}

function readJson(text: string, cursor: Cursor): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw cursor.error(error instanceof Error ? error.message : String(error));
  }
}

class Cursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Steps over white space and line ends; false at the end. */
  skipTo(): boolean {
    this.takes(/\s*/y);
    return this.#at < this.#text.length;
  }

  peek(): string | undefined {
    return this.#text[this.#at];
  }

  takes(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }

  /** Takes from `{` to the brace that closes it, minding strings. */
  takeObject(): string {
    const start = this.#at;
    let depth = 0;
    for (;;) {
      const token = this.takes(/"(?:[^"\\]|\\.)*"|[^"]/sy);
      if (token === undefined) throw this.error('the arguments never end');
      if (token === '{') depth += 1;
      else if (token === '}') depth -= 1;
      if (depth === 0) return this.#text.slice(start, this.#at);
    }
  }

  endReply(): void {
    if (this.takes(/[ \t]*(?:\||\n|$)/y) === undefined) throw this.error('expected " | ", " & " or the end');
  }

  error(problem: string): PlanError {
    return new PlanError(`cannot read the plan at character ${this.#at + 1}: ${problem}`);
  }
}
