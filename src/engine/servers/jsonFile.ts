import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Problem } from '../errors.ts';
import { Lines } from '../suite/lines.ts';
import { child, segments } from '../suite/pointer.ts';
import type { ServerCode } from './codes.ts';

const MAX_CHARACTERS = 1024 * 1024;
const MAX_DEPTH = 64;
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

export interface JsonFile {
  lines: Lines;
  /** Null where the text cannot be used. Only its own keys may be read: through `members`. */
  root: Node | null;
  problems: Problem[];
}

/**
 * Reads JSON that a stranger may have written, with comments and trailing commas. Whether its keys can be trusted is for
 * `checkKeys` to say.
 *
 * @param text without a byte order mark
 * @param options.isPlain comments and trailing commas are accepted with a warning
 * @param options.least   what a file needs to hold at least, for a hint
 */
export function readJsonFile(file: string, text: string, options: { isPlain: boolean; least: string }): JsonFile {
  const lines = new Lines(file, text);
  const problems: Problem[] = [];
  const refuse = (code: ServerCode, offset: number, message: string, hint?: string): JsonFile => {
    const range = lines.range(offset, Math.min(offset + 1, text.length));
    problems.push({ code, severity: 'error', message, range, ...(hint === undefined ? {} : { hint }) });
    return { lines, root: null, problems };
  };
  if (text.length > MAX_CHARACTERS) return refuse('MCP017', 0, 'the file is larger than 1 MiB');
  if (text.trim() === '') return refuse('MCP002', 0, 'the file is empty', `It needs at least ${options.least}.`);
  const { open, tooDeep } = findOpen(text);
  if (tooDeep !== null) return refuse('MCP017', tooDeep, `nesting deeper than ${MAX_DEPTH} levels`);
  const extra = options.isPlain ? findExtra(text) : null;
  if (extra !== null) {
    const range = lines.range(extra.offset, extra.offset + extra.length);
    problems.push({ code: 'MCP001', severity: 'warning', message: `other tools may refuse ${extra.name} here`, range });
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true }) ?? null;
  const [error] = errors;
  const container = open.at(-1);
  if (error !== undefined && container !== undefined && isAtEnd(error, text)) {
    const { line, column } = lines.position(container.offset);
    const where = container.key === null ? `the ${container.kind}` : `"${container.key}"`;
    return refuse('MCP002', text.length, `the file ends inside ${where} opened at ${line}:${column}`);
  }
  if (error !== undefined || root === null) {
    return refuse('MCP002', error?.offset ?? 0, `not valid JSON: ${SYNTAX[error?.error ?? 1] ?? SYNTAX[1]}`);
  }
  return { lines, root, problems };
}

/** The properties of an object node; none for another. */
export function members(node: Node | null): { name: string; key: Node; value: Node }[] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    return key === undefined || value === undefined ? [] : [{ name: String(key.value), key, value }];
  });
}

/** By jsonc-parser's ParseErrorCode, which is a const enum and thus out of reach. */
const SYNTAX: readonly string[] = [
  '',
  'this is no value',
  'this is no number',
  'a key in double quotes is expected here',
  'a value is expected here',
  'a colon is expected here',
  'a comma is expected here',
  'a closing brace is expected here',
  'a closing bracket is expected here',
  'something follows the end',
  'this is no comment',
  'this comment is never closed',
  'this string is never closed',
  'this number is incomplete',
  'this \\u needs four hexadecimal digits',
  'this escape is unknown',
  'this character must be escaped',
];

interface Container {
  kind: 'object' | 'list';
  key: string | null;
  offset: number;
}

interface Token {
  kind: 'object' | 'list' | 'close' | 'comma' | 'colon' | 'string' | 'comment' | 'space' | 'end' | 'other';
  offset: number;
  length: number;
  /** Of a string, its value. */
  text: string;
}

function* tokensOf(text: string): Generator<Token> {
  const scanner = createScanner(text, false);
  for (;;) {
    const kind = TOKENS[scanner.scan()] ?? 'other';
    if (kind === 'end') return;
    if (kind === 'space') continue;
    yield { kind, offset: scanner.getTokenOffset(), length: scanner.getTokenLength(), text: scanner.getTokenValue() };
  }
}

/** The first thing that plain JSON does not know, and its name. */
function findExtra(text: string): { name: string; offset: number; length: number } | null {
  let comma: Token | null = null;
  for (const token of tokensOf(text)) {
    if (token.kind === 'comment') return { name: 'comments', offset: token.offset, length: token.length };
    if (token.kind === 'close' && comma !== null) return { name: 'trailing commas', offset: comma.offset, length: 1 };
    comma = token.kind === 'comma' ? token : null;
  }
  return null;
}

/**
 * What is still open at the end, outermost first, and the offset of the bracket that goes too deep. Token by token,
 * because building the tree of a deep text ends in a RangeError.
 */
function findOpen(text: string): { open: Container[]; tooDeep: number | null } {
  const open: Container[] = [];
  let lastString: string | null = null;
  let key: string | null = null;
  for (const { kind, offset, text: value } of tokensOf(text)) {
    if (kind === 'comment') continue;
    if (kind === 'object' || kind === 'list') {
      open.push({ kind, key, offset });
      if (open.length > MAX_DEPTH) return { open, tooDeep: offset };
    } else if (kind === 'close') open.pop();
    key = kind === 'colon' ? lastString : null;
    lastString = kind === 'string' ? value : null;
  }
  return { open, tooDeep: null };
}

/** By jsonc-parser's SyntaxKind, which is a const enum and thus out of reach. */
const TOKENS: Readonly<Record<number, Token['kind']>> = {
  1: 'object',
  2: 'close',
  3: 'list',
  4: 'close',
  5: 'comma',
  6: 'colon',
  10: 'string',
  12: 'comment',
  13: 'comment',
  14: 'space',
  15: 'space',
  17: 'end',
};

function isAtEnd(error: ParseError, text: string): boolean {
  return error.offset + error.length >= text.trimEnd().length;
}

/**
 * Refuses keys that are set twice, or that could stand for something else than they show.
 *
 * @param servers the pointer of the map of servers, whose members are named in messages
 */
export function checkKeys(node: Node, pointer: string, servers: string, lines: Lines, problems: Problem[]): void {
  for (const [index, element] of node.type === 'array' ? (node.children ?? []).entries() : []) {
    checkKeys(element, child(pointer, index), servers, lines, problems);
  }
  const seen = new Map<string, Node>();
  for (const { name, key, value } of members(node)) {
    const range = lines.range(key.offset, key.offset + key.length);
    const at = child(pointer, name);
    const first = seen.get(name);
    if (first !== undefined) {
      const firstRange = lines.range(first.offset, first.offset + first.length);
      const places = [firstRange, range].map(({ start }) => `${start.line}:${start.column}`).join(', ');
      problems.push({
        ...{ code: 'MCP003', severity: 'error', range, pointer: at },
        message: `"${name}" is set twice${ownerOf(pointer, servers)} (${places}); refusing to guess`,
        related: { message: 'first set here', range: firstRange },
      });
    }
    seen.set(name, key);
    if (RESERVED.has(name)) {
      problems.push({ code: 'MCP004', severity: 'error', range, pointer: at, message: `reserved key "${name}"` });
    }
    checkKeys(value, at, servers, lines, problems);
  }
}

/** ` for "db"` where the pointer leads into a server. */
function ownerOf(pointer: string, servers: string): string {
  const [server] = pointer.startsWith(`${servers}/`) ? segments(pointer.slice(servers.length)) : [];
  return server === undefined ? '' : ` for "${server}"`;
}
