import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import type { Node } from 'jsonc-parser';
import type { Problem } from '../../errors.ts';
import type { Lines } from '../../suite/lines.ts';
import { child } from '../../suite/pointer.ts';
import type { ServerCode } from '../codes.ts';
import { checkKeys, members, readJsonFile } from '../jsonFile.ts';
import { describeNode } from './describeNode.ts';
import type { Dialect } from './dialects.ts';
import type { Place, Scope, ServerDraft } from './draft.ts';
import { readEntry } from './entry.ts';
import { type Inputs, NO_INPUTS, readInputs } from './inputs.ts';
import type { ConfigPlace } from './places.ts';

/** What one file says of servers: none where it has errors. Each draft holds its own problems. */
export interface ConfigFile {
  file: string;
  servers: ReadonlyMap<string, ServerDraft>;
  inputs: Inputs;
  problems: readonly Problem[];
}

/** Larger files are not even read; how many characters they may have, `readJsonFile` says. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Null where there is no such file, or one that says nothing of servers. Whatever is wrong is a located problem. */
export function readConfigFile(place: ConfigPlace): ConfigFile | null {
  const { file, dialect } = place;
  const fail = (code: ServerCode, message: string): ConfigFile => {
    const start = { line: 1, column: 1, offset: 0 };
    const range = { file, start, end: start };
    return { file, servers: new Map(), inputs: NO_INPUTS, problems: [{ code, severity: 'error', message, range }] };
  };
  let bytes: Buffer;
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) return null;
    if (stats.size > MAX_BYTES) return dialect.isShared ? null : fail('MCP017', 'the file is larger than 1 MiB');
    bytes = readFileSync(file);
  } catch (error) {
    if (dialect.isShared) return null;
    return fail('MCP002', `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (dialect.isShared && !dialect.servers.every((key) => text.includes(JSON.stringify(key)))) return null;
  if (!isUtf8(bytes)) return fail('MCP017', 'the file is not UTF-8 text');
  return new Reading(place, text).read();
}

/** The reading of one text. */
class Reading {
  readonly #place: ConfigPlace;
  readonly #text: string;
  readonly #lines: Lines;
  readonly #root: Node | null;
  readonly #problems: Problem[];
  #inputs: Inputs = NO_INPUTS;

  constructor(place: ConfigPlace, text: string) {
    const { isPlainJson: isPlain, servers } = place.dialect;
    const { lines, root, problems } = readJsonFile(place.file, text, { isPlain, least: `{"${servers[0]}": {}}` });
    this.#place = place;
    this.#text = text;
    this.#lines = lines;
    this.#root = root;
    this.#problems = problems;
  }

  read(): ConfigFile | null {
    const root = this.#root;
    const { dialect } = this.#place;
    if (root === null) return dialect.isShared ? this.#passOver() : this.#end(new Map());
    if (dialect.isShared) return this.#readShared(root, dialect);
    const found = this.#find(root, dialect.servers);
    const pointer = found?.pointer ?? '';
    checkKeys(root, '', pointer, this.#lines, this.#problems);
    if (found !== null) {
      this.#warnOfMistake(root, dialect);
      return this.#readServers(found.node, pointer, this.#find(root, dialect.inputs ?? []));
    }
    if (dialect.mayBeBare && isBareMap(root)) return this.#readServers(root, '', null);
    this.#refuse(root, dialect);
    return this.#end(new Map());
  }

  /** Of a file that is about other things too, only the part about servers is looked at. */
  #readShared(root: Node, { servers, inputs }: Dialect): ConfigFile | null {
    const found = this.#find(root, servers);
    if (found === null) return null;
    const declared = this.#find(root, inputs ?? []);
    checkKeys(found.node, found.pointer, found.pointer, this.#lines, this.#problems);
    if (declared !== null) checkKeys(declared.node, declared.pointer, found.pointer, this.#lines, this.#problems);
    return this.#readServers(found.node, found.pointer, declared);
  }

  /** An editor reads its settings in spite of mistakes, and most of them hold no servers. */
  #passOver(): ConfigFile {
    const hint = 'Servers that it may hold are not seen.';
    const problems = this.#problems.map((problem): Problem => ({ ...problem, severity: 'warning', hint }));
    return { file: this.#place.file, servers: new Map(), inputs: NO_INPUTS, problems };
  }

  #readServers(map: Node, pointer: string, inputs: Found | null): ConfigFile {
    const { variables } = this.#place.dialect;
    if (map.type !== 'object') {
      const key = this.#place.dialect.servers.at(-1);
      this.#wrong(this.#at(map, pointer), `"${key}" must be an object; found ${describeNode(map)}`);
    }
    if (inputs !== null) {
      const read = readInputs(inputs.node, this.#at(inputs.key, inputs.pointer), (node, at) => this.#at(node, at));
      this.#inputs = read.inputs;
      this.#problems.push(...read.problems);
    }
    // With a key set twice or reserved, nobody can say what a server is.
    if (this.#problems.some(({ severity }) => severity === 'error')) return this.#end(new Map());
    const { folder, cwd, dialect } = this.#place;
    const scope: Scope = { variables, folder, cwd, inputs: this.#inputs, within: null };
    const servers = members(map).map(({ name, key, value }) => {
      const at = this.#at(key, child(pointer, name));
      const source = { dialect, scope, text: this.#text, place: (node: Node, where: string) => this.#at(node, where) };
      return [name, readEntry(name, value, at, source)] as const;
    });
    return this.#end(new Map(servers));
  }

  #end(servers: ReadonlyMap<string, ServerDraft>): ConfigFile {
    return { file: this.#place.file, servers, inputs: this.#inputs, problems: this.#problems };
  }

  /** Servers that no other tool would find here. */
  #warnOfMistake(root: Node, { name, servers, mistakenKey }: Dialect): void {
    const mistake = members(root).find(({ name: key }) => key === mistakenKey);
    if (mistake === undefined || mistake.value.type !== 'object') return;
    this.#problems.push({
      ...{ code: 'MCP019', severity: 'warning', ...this.#at(mistake.key, child('', mistake.name)) },
      message: `"${mistakenKey}" means nothing in ${name}, where servers stand under "${servers[0]}"`,
      hint: `Move them to "${servers[0]}".`,
    });
  }

  #refuse(root: Node, { name, servers, mistakenKey }: Dialect): void {
    const [wanted = ''] = servers;
    const mistake = members(root).find(({ name: key }) => key === mistakenKey);
    if (mistake === undefined) {
      this.#wrong(this.#at(root, ''), `expected an object with "${wanted}"`);
      return;
    }
    const at = this.#at(mistake.key, child('', mistake.name));
    const title = `Rename it to "${wanted}"`;
    this.#problems.push({
      ...{ code: 'MCP019', severity: 'error', ...at },
      message: `"${mistakenKey}" means nothing in ${name}, where servers stand under "${wanted}"`,
      ...{ hint: `${title}.`, fix: { title, range: at.range, text: JSON.stringify(wanted) } },
    });
  }

  #find(root: Node, path: readonly string[]): Found | null {
    let found: Found = { key: root, node: root, pointer: '' };
    for (const name of path) {
      const [first, second] = members(found.node).filter(({ name: key }) => key === name);
      if (first === undefined) return null;
      const pointer = child(found.pointer, name);
      if (second !== undefined && this.#place.dialect.isShared) this.#tellTwice(first.key, second.key, pointer);
      found = { key: first.key, node: first.value, pointer };
    }
    return path.length === 0 ? null : found;
  }

  #tellTwice(first: Node, second: Node, pointer: string): void {
    const at = this.#at(second, pointer);
    const related = { message: 'first set here', range: this.#at(first, pointer).range };
    const message = `"${String(first.value)}" is set twice; refusing to guess`;
    if (this.#problems.some(({ code, pointer: known }) => code === 'MCP003' && known === pointer)) return;
    this.#problems.push({ code: 'MCP003', severity: 'error', message, related, ...at });
  }

  #wrong(at: Place, message: string): void {
    this.#problems.push({ code: 'MCP016', severity: 'error', message, ...at });
  }

  #at(node: Node, pointer: string): Place {
    return { pointer, range: this.#lines.range(node.offset, node.offset + node.length) };
  }
}

interface Found {
  key: Node;
  node: Node;
  pointer: string;
}

/** Some tools let the map of servers be the whole file. */
function isBareMap(root: Node): boolean {
  const entries = members(root);
  const isServer = ({ value }: { value: Node }) =>
    members(value).some(({ name }) => name === 'command' || name === 'url');
  return entries.every(({ value }) => value.type === 'object') && entries.some(isServer);
}
