import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Node } from 'jsonc-parser';
import type { Problem } from '../errors.ts';
import { child } from '../suite/pointer.ts';
import type { ServerCode } from './codes.ts';
import { members, readJsonFile } from './jsonFile.ts';
import type { ServerDraft } from './serverDraft.ts';
import type { Place, Written } from './variables.ts';

const NAME = '.mcp.json';

/** The servers of one file, none where it has errors; `problems` are those of the file, each draft holds its own. */
export interface McpFile {
  file: string;
  servers: ReadonlyMap<string, ServerDraft>;
  problems: readonly Problem[];
}

/** The nearest `.mcp.json` in the folders from that of `file` up to the workspace; null where there is none. */
export function findMcpFile(file: string, workspace: string): string | null {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, NAME);
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
    const rest = relative(workspace, folder);
    if (rest === '' || rest.split(sep)[0] === '..' || isAbsolute(rest)) return null;
  }
}

/** Never throws: whatever is wrong is a located problem. */
export function readMcpFile(file: string): McpFile {
  const fail = (code: ServerCode, message: string): McpFile => {
    const start = { line: 1, column: 1, offset: 0 };
    return {
      file,
      servers: new Map(),
      problems: [{ code, severity: 'error', message, range: { file, start, end: start } }],
    };
  };
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return fail('MCP002', `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isUtf8(bytes)) return fail('MCP017', 'the file is not UTF-8 text');
  return parseMcpFile(file, bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

function parseMcpFile(file: string, text: string): McpFile {
  const { lines, root, problems } = readJsonFile(file, text);
  const servers = new Map<string, ServerDraft>();
  const place = (node: Node, pointer: string): Place => ({
    pointer,
    range: lines.range(node.offset, node.offset + node.length),
  });
  const wrong = (at: Place, message: string, hint?: string): void => {
    problems.push({ code: 'MCP016', severity: 'error', message, ...at, ...(hint === undefined ? {} : { hint }) });
  };
  if (root === null) return { file, servers, problems };
  const top = members(root).find(({ name }) => name === 'mcpServers');
  if (top === undefined) {
    const other = members(root).some(({ name }) => name === 'servers');
    const hint = other ? 'It has "servers", as .vscode/mcp.json has; here the key is "mcpServers".' : undefined;
    wrong(place(root, ''), 'expected an object with "mcpServers"', hint);
  } else if (top.value.type !== 'object') {
    wrong(place(top.value, '/mcpServers'), `"mcpServers" must be an object; found ${describe(top.value)}`);
  }
  // With a key set twice or reserved, nobody can say what a server is.
  if (problems.some(({ severity }) => severity === 'error')) return { file, servers, problems };
  for (const { name, key, value } of members(top?.value ?? null)) {
    const pointer = child('/mcpServers', name);
    servers.set(name, readEntry(name, value, place(key, pointer), text, place));
  }
  return { file, servers, problems };
}

function readEntry(
  name: string,
  entry: Node,
  at: Place,
  text: string,
  place: (node: Node, pointer: string) => Place,
): ServerDraft {
  const draft: ServerDraft = { name, at, env: new Map(), problems: [] };
  const problem = (code: ServerCode, where: Place, message: string, hint?: string): void => {
    draft.problems.push({ code, severity: 'error', message, ...where, ...(hint === undefined ? {} : { hint }) });
  };
  if (entry.type !== 'object') problem('MCP016', at, `server "${name}" must be an object; found ${describe(entry)}`);
  const values = new Map(members(entry).map(({ name: key, value }) => [key, value]));
  const placeOf = (key: string, node: Node): Place => place(node, child(at.pointer, key));
  /** A text, or a number as it is written. */
  const written = (node: Node, where: Place, label: string): Written | undefined => {
    if (node.type === 'string') return { text: String(node.value), at: where, dialect: 'mcpFile' };
    if (node.type === 'number') {
      return { text: text.slice(node.offset, node.offset + node.length), at: where, dialect: 'mcpFile' };
    }
    problem('MCP007', where, `${label} must be text; found ${describe(node)}`, 'Quote it.');
    return undefined;
  };
  const plain = (key: 'command' | 'cwd'): void => {
    const node = values.get(key);
    if (node?.type === 'string') draft[key] = { text: String(node.value), at: placeOf(key, node), dialect: 'mcpFile' };
    else if (node !== undefined)
      problem('MCP016', placeOf(key, node), `"${key}" must be text; found ${describe(node)}`);
  };
  plain('command');
  plain('cwd');
  readTransport(draft, values, placeOf, problem);
  const args = values.get('args');
  if (args !== undefined && args.type !== 'array') {
    problem('MCP016', placeOf('args', args), `"args" must be a list; found ${describe(args)}`);
  } else if (args !== undefined) {
    const pointer = child(at.pointer, 'args');
    draft.args = (args.children ?? []).flatMap(
      (node, index) => written(node, place(node, child(pointer, index)), `args[${index}]`) ?? [],
    );
  }
  const env = values.get('env');
  if (env !== undefined && env.type !== 'object') {
    problem('MCP016', placeOf('env', env), `"env" must be an object; found ${describe(env)}`);
  }
  for (const { name: key, value } of members(env ?? null)) {
    const where = place(value, child(child(at.pointer, 'env'), key));
    const got = written(value, where, `env "${key}"`);
    if (got !== undefined) draft.env.set(key, got);
  }
  return draft;
}

/** What only a server that is not stdio has. */
function readTransport(
  draft: ServerDraft,
  values: ReadonlyMap<string, Node>,
  placeOf: (key: string, node: Node) => Place,
  problem: (code: ServerCode, where: Place, message: string, hint?: string) => void,
): void {
  const url = values.get('url');
  const type = values.get('type');
  if (url !== undefined && draft.command !== undefined) {
    problem('MCP005', placeOf('url', url), `server "${draft.name}" needs exactly one of command or url`);
  } else if (url !== undefined) draft.remote = placeOf('url', url);
  if (type !== undefined && type.value !== 'stdio') draft.remote = placeOf('type', type);
}

function describe(node: Node): string {
  switch (node.type) {
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'string':
      return 'text';
    case 'number':
      return 'a number';
    default:
      return String(node.value);
  }
}
