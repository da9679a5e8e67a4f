import type { Node } from 'jsonc-parser';
import type { Problem } from '../../errors.ts';
import { nearest } from '../../suite/nearest.ts';
import { child } from '../../suite/pointer.ts';
import type { ServerCode } from '../codes.ts';
import { members } from '../jsonFile.ts';
import { describeNode } from './describeNode.ts';
import type { Dialect } from './dialects.ts';
import type { Place, Scope, ServerDraft, TransportKind, Written } from './draft.ts';

export interface EntrySource {
  dialect: Dialect;
  scope: Scope;
  /** Of the whole file. */
  text: string;
  place(node: Node, pointer: string): Place;
}

/** The names of transports; some have several. */
const TYPES: Readonly<Record<string, TransportKind>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  sse: 'sse',
};

/** One server of a file. Keys that only its own tool understands are passed over. */
export function readEntry(name: string, entry: Node, at: Place, source: EntrySource): ServerDraft {
  const { dialect, scope } = source;
  const problems: Problem[] = [];
  const problem = (code: ServerCode, where: Place, message: string, hint?: string): void => {
    problems.push({ code, severity: 'error', message, ...where, ...(hint === undefined ? {} : { hint }) });
  };
  if (entry.type !== 'object') {
    problem('MCP016', at, `server "${name}" must be an object; found ${describeNode(entry)}`);
  }
  const values = new Map(members(entry).map(({ name: key, value }) => [key, value]));
  const placeOf = (key: string, node: Node): Place => source.place(node, child(at.pointer, key));

  const plain = (key: string): Written | undefined => {
    const node = values.get(key);
    if (node === undefined) return undefined;
    const where = placeOf(key, node);
    if (node.type === 'string') return { text: String(node.value), at: where, scope };
    problem('MCP016', where, `"${key}" must be text; found ${describeNode(node)}`);
    return undefined;
  };
  /** A text, or a number as it is written. */
  const written = (node: Node, where: Place, label: string): Written | undefined => {
    if (node.type === 'string') return { text: String(node.value), at: where, scope };
    if (node.type === 'number') {
      return { text: source.text.slice(node.offset, node.offset + node.length), at: where, scope };
    }
    problem('MCP007', where, `${label} must be text; found ${describeNode(node)}`, 'Quote it.');
    return undefined;
  };
  const map = (key: string): [string, Node, Place][] => {
    const node = values.get(key);
    if (node === undefined) return [];
    if (node.type !== 'object') {
      problem('MCP016', placeOf(key, node), `"${key}" must be an object; found ${describeNode(node)}`);
    }
    const pointer = child(at.pointer, key);
    return members(node).map(({ name: each, value }) => [each, value, source.place(value, child(pointer, each))]);
  };

  const type = readType(values.get('type'), (node) => placeOf('type', node), problem);
  const command = plain('command');
  const cwd = plain('cwd');
  const envFile = dialect.hasEnvFile ? plain('envFile') : undefined;
  const url = plain(dialect.urlKey) ?? (dialect.urlKey === 'url' ? undefined : plain('url'));
  const args = values.get('args');
  if (args !== undefined && args.type !== 'array') {
    problem('MCP016', placeOf('args', args), `"args" must be a list; found ${describeNode(args)}`);
  }
  const pointer = child(at.pointer, 'args');
  const list = (args?.type === 'array' ? (args.children ?? []) : []).flatMap(
    (node, index) => written(node, source.place(node, child(pointer, index)), `args[${index}]`) ?? [],
  );
  const env = map('env').flatMap(([each, node, where]): [string, Written | null][] => {
    if (node.type === 'null' && scope.variables === 'vscode') return [[each, null]];
    const got = written(node, where, `env "${each}"`);
    return got === undefined ? [] : [[each, got]];
  });
  const headers = map('headers').flatMap(([each, node, where]): [string, Written][] => {
    const got = written(node, where, `header "${each}"`);
    return got === undefined ? [] : [[each, got]];
  });
  return {
    ...{ name, at, scope, problems },
    ...(type !== undefined && { type }),
    ...(command !== undefined && { command }),
    ...(args !== undefined && { args: list }),
    env: new Map(env),
    ...(envFile !== undefined && { envFile }),
    ...(cwd !== undefined && { cwd }),
    ...(url !== undefined && { url }),
    headers: new Map(headers),
  };
}

function readType(
  node: Node | undefined,
  placeOf: (node: Node) => Place,
  problem: (code: ServerCode, where: Place, message: string, hint?: string) => void,
): ServerDraft['type'] {
  if (node === undefined) return undefined;
  const at = placeOf(node);
  const word = node.type === 'string' ? String(node.value) : '';
  const kind = Object.hasOwn(TYPES, word) ? TYPES[word] : undefined;
  if (kind !== undefined) return { kind, at };
  const near = nearest(word, Object.keys(TYPES));
  const hint = near === undefined ? 'Known are stdio, http and sse.' : `Did you mean "${near}"?`;
  const found = node.type === 'string' ? JSON.stringify(word) : describeNode(node);
  problem('MCP016', at, `"type" must be stdio, http or sse; found ${found}`, hint);
  return undefined;
}
