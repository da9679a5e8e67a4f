import { type CST, Lexer, Parser } from 'yaml';
import type { Code } from './codes.ts';
import type { Lines } from './lines.ts';
import type { Problems } from './problems.ts';

export const DEEPEST = 64;
export const LARGEST_BYTES = 5 * 1024 * 1024;

/** Stray characters, of which each would cost an error object in the composer. Nobody mends a thousand of them one by one. */
const MOST_STRAY = 1000;

/** Indicators, anchor, tag, comma: no honest item has more of them before its value. */
const USUAL_MARKS = 8;

/**
 * The concrete syntax of the file's one document, read without recursion and checked before anything is composed from
 * it: composing deeply nested text can end the whole process, and keys that are collections take hours.
 *
 * @returns the tokens to compose, or undefined where the text must not be composed; the problems say why
 */
export function guard(lines: Lines, problems: Problems): CST.Token[] | undefined {
  const tell: Tell = (code, start, end, message, hint, text) => {
    const range = lines.range(start, end);
    const fix = text === undefined ? undefined : { title: `Quote it: ${text}`, range, text };
    problems.add({ code, severity: 'error', message, range, ...(hint && { hint }), ...(fix && { fix }) });
    if (code === 'YAML002' || code === 'YAML010') problems.garble(range.start.line);
  };
  if (!isReadable(lines.text, tell)) return undefined;
  const tokens = parse(lines.text, tell);
  const document = tokens?.find((token) => token.type === 'document');
  if (tokens === undefined || (document !== undefined && !new Walk(lines.text, tell).accepts(document)))
    return undefined;
  return tokens;
}

type Tell = (code: Code, start: number, end: number, message: string, hint?: string, replacement?: string) => void;

function isReadable(text: string, tell: Tell): boolean {
  if (text.length * 3 > LARGEST_BYTES) {
    const bytes = Buffer.byteLength(text);
    if (bytes > LARGEST_BYTES) {
      tell('YAML011', 0, 0, tooLarge(bytes));
      return false;
    }
  }
  const nul = text.indexOf('\0');
  if (nul >= 0) tell('YAML012', nul, nul + 1, 'a NUL character', 'A suite is a text file; is this one?');
  return nul < 0;
}

export function tooLarge(bytes: number): string {
  return `file is ${(bytes / 1024 / 1024).toFixed(1)} MiB; the limit is 5 MiB`;
}

/** Stops at the first token that is too deep or one document too many, so that hostile text costs no memory. */
function parse(text: string, tell: Tell): CST.Token[] | undefined {
  const parser = new Parser();
  const kept: CST.Token[] = [];
  let documents = 0;
  let stray = 0;
  const keep = (token: CST.Token) => {
    if (token.type === 'directive') {
      const hint = 'A suite is always YAML 1.2; remove the line.';
      tell('YAML013', token.offset, token.offset + token.source.length, 'directives are not supported', hint);
      stray += 1;
      return;
    }
    if (token.type === 'error') stray += 1;
    if (token.type === 'document') documents += 1;
    if (documents < 2) kept.push(token);
    else if (token.type === 'document') {
      const hint = 'Remove "---" or split the file.';
      tell('YAML004', token.offset, token.offset + 3, 'only one document is allowed', hint);
    }
  };
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) keep(token);
    // The document, 64 collections and a scalar are the deepest stack there may be.
    const tooDeep = parser.stack.length > DEEPEST + 2 ? parser.stack[DEEPEST + 1] : undefined;
    if (tooDeep !== undefined) {
      tellDepth(tooDeep.offset, tell);
      return undefined;
    }
    if (stray > MOST_STRAY) {
      tellStray(parser.offset, tell);
      return undefined;
    }
    if (documents > 1) return kept;
  }
  for (const token of parser.end()) keep(token);
  return kept;
}

export function tooDeepMessage(): string {
  return `nesting deeper than ${DEEPEST} levels; the file is not read further`;
}

function tellDepth(offset: number, tell: Tell): void {
  tell('YAML005', offset, offset + 1, tooDeepMessage());
}

function tellStray(offset: number, tell: Tell): void {
  tell('YAML013', offset, offset + 1, 'too many stray characters; the file is not read further');
}

const OPENING: Readonly<Record<string, string>> = { "'": 'a text', '"': 'a text', '[': 'a list', '{': 'a map' };

/** Visits every token of a document, with a stack of its own. */
class Walk {
  readonly #text: string;
  readonly #tell: Tell;
  readonly #stack: { token: CST.Token; depth: number }[] = [];
  #stray = 0;

  constructor(text: string, tell: Tell) {
    this.#text = text;
    this.#tell = tell;
  }

  /** False where the document must not be composed. */
  accepts(document: CST.Document): boolean {
    this.#marks(document.start);
    this.#marks(document.end);
    this.#push(document.value, 0);
    for (let next = this.#stack.pop(); next !== undefined; next = this.#stack.pop()) {
      if (!this.#visit(next.token, next.depth)) return false;
      if (this.#stray > MOST_STRAY) {
        tellStray(next.token.offset, this.#tell);
        return false;
      }
    }
    return true;
  }

  #push(token: CST.Token | null | undefined, depth: number): void {
    if (token) this.#stack.push({ token, depth });
  }

  #visit(token: CST.Token, depth: number): boolean {
    switch (token.type) {
      case 'block-map':
      case 'block-seq':
      case 'flow-collection':
        if (depth >= DEEPEST) {
          tellDepth(token.offset, this.#tell);
          return false;
        }
        if (token.type === 'flow-collection') this.#closing(token);
        for (const item of token.items) this.#item(item, token.type === 'block-seq', depth);
        return true;
      case 'single-quoted-scalar':
      case 'double-quoted-scalar':
        this.#quoted(token);
        this.#marks(token.end);
        return true;
      case 'scalar':
      case 'alias':
        this.#marks(token.end);
        return true;
      default:
        return true;
    }
  }

  #item(item: CST.CollectionItem, isSequence: boolean, depth: number): void {
    const { start, key, sep, value } = item;
    this.#marks(start);
    this.#marks(sep);
    if (!isSequence && !key && !sep && !value) this.#stray += start.length > 0 ? 1 : 0;
    const isPair = sep?.some(isValueMark) === true || start.some(isKeyMark);
    if (key || isPair) this.#key(key, start, sep);
    // The last pushed is visited first: keys come before values, though problems are sorted anyway.
    this.#push(value, depth + 1);
    this.#push(key, depth + 1);
  }

  #key(key: CST.Token | null | undefined, start: readonly CST.SourceToken[], sep?: readonly CST.SourceToken[]): void {
    if (key?.type === 'scalar' || key?.type === 'single-quoted-scalar' || key?.type === 'double-quoted-scalar') return;
    const offset = key?.offset ?? sep?.find(isValueMark)?.offset ?? start.find(isKeyMark)?.offset ?? 0;
    const placeholder = /^\{\{[^{}\n]*\}\}/.exec(this.#text.slice(offset - 1, offset + 200))?.[0];
    if (placeholder !== undefined) {
      const line = this.#text.slice(offset - 1 + placeholder.length).split('\n', 1)[0] ?? '';
      const quoted = /^\s*(?:#.*)?$/.test(line) ? `'${placeholder}'` : undefined;
      const message = `${placeholder} without quotes is a map to YAML, not a placeholder`;
      const hint = quoted === undefined ? 'Quote the whole value.' : `Quote it: ${quoted}.`;
      this.#tell('YAML010', offset - 1, offset - 1 + placeholder.length, message, hint, quoted);
      return;
    }
    const alias = key?.type === 'alias' ? key.source : undefined;
    const hint = alias === undefined ? undefined : `Quote it: '${alias}'.`;
    this.#tell('YAML010', offset, offset + (alias?.length ?? 1), 'keys must be plain text', hint);
  }

  #quoted(token: CST.FlowScalar): void {
    const { offset, source } = token;
    const quote = source[0] ?? '';
    if (source.length > 1 && source.endsWith(quote)) return;
    this.#neverClosed(offset, quote);
  }

  #closing(token: CST.FlowCollection): void {
    this.#marks(token.end);
    const { source, offset } = token.start;
    const end = source === '{' ? 'flow-map-end' : 'flow-seq-end';
    if (!token.end.some(({ type }) => type === end)) this.#neverClosed(offset, source);
  }

  #neverClosed(offset: number, opening: string): void {
    this.#tell('YAML002', offset, offset + 1, `${OPENING[opening] ?? 'a value'} opened here is never closed`);
  }

  #marks(marks: readonly CST.Token[] | undefined): void {
    if (marks === undefined) return;
    let count = 0;
    for (const mark of marks) {
      if (mark.type === 'tag') {
        const end = mark.offset + mark.source.length;
        const hint = 'A suite holds data only; quote a text that begins with "!".';
        this.#tell('YAML008', mark.offset, end, 'tags are not supported', hint);
      }
      if (mark.type !== 'space' && mark.type !== 'newline' && mark.type !== 'comment') count += 1;
    }
    if (count > USUAL_MARKS) this.#stray += count;
  }
}

function isValueMark(token: CST.SourceToken): boolean {
  return token.type === 'map-value-ind';
}

function isKeyMark(token: CST.SourceToken): boolean {
  return token.type === 'explicit-key-ind';
}
