import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Problem } from '../errors.ts';
import type { Json } from '../record.ts';
import type { Code } from './codes.ts';
import { DEEPEST, tooDeepMessage } from './guard.ts';
import type { Lines } from './lines.ts';
import { nearest } from './nearest.ts';
import { isMergeKey, mergedMaps } from './nodes.ts';
import type { Problems } from './problems.ts';

/** As many as a million values, aliases counted as what they stand for. */
const MOST_VALUES = 1_000_000;

const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

export interface Converted {
  data: Json;
  /** What each alias stands for. */
  targets: ReadonlyMap<Alias, Node>;
  /** Some number is written otherwise than JSON would write it. */
  hasOddNumbers: boolean;
}

/**
 * Plain data from YAML nodes. Maps have no prototype; what an alias stands for is shared, not copied, so that a small
 * file cannot become a large one.
 *
 * @returns undefined where the data must not be walked: it is too large, too deep, or holds itself
 */
export function convert(root: Node | null, lines: Lines, problems: Problems): Converted | undefined {
  const conversion = new Conversion(lines, problems);
  try {
    return { data: conversion.value(root), targets: conversion.targets, hasOddNumbers: conversion.hasOddNumbers };
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** Ends a conversion whose problem has been told. */
class Refused extends Error {}

interface Anchor {
  node: Node;
  /** Undefined while the node itself is being converted. */
  content: { value: Json; size: number; height: number } | undefined;
}

class Conversion {
  readonly targets = new Map<Alias, Node>();
  hasOddNumbers = false;
  readonly #lines: Lines;
  readonly #problems: Problems;
  readonly #anchors = new Map<string, Anchor>();
  /** Values so far, aliases expanded. */
  #count = 0;
  #depth = 0;
  /** The greatest depth since the innermost open anchor began. */
  #deepest = 0;

  constructor(lines: Lines, problems: Problems) {
    this.#lines = lines;
    this.#problems = problems;
  }

  value(node: Node | null): Json {
    if (isAlias(node)) return this.#alias(node);
    this.#add(1, node);
    if (node === null) return null;
    return node.anchor === undefined ? this.#content(node) : this.#anchored(node, node.anchor);
  }

  #content(node: Node): Json {
    if (isScalar(node)) return this.#scalar(node);
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
    const value = isMap(node) ? this.#map(node) : this.#list(node);
    this.#depth -= 1;
    return value;
  }

  #add(size: number, node: Node | null): void {
    this.#count += size;
    if (this.#count <= MOST_VALUES) return;
    const message = `more than ${MOST_VALUES.toLocaleString('en')} values${isAlias(node) ? ', aliases expanded' : ''}`;
    this.#tell('YAML006', node, message, { hint: 'Split the suite into several files.' });
    throw new Refused();
  }

  #anchored(node: Exclude<Node, Alias>, name: string): Json {
    const anchor: Anchor = { node, content: undefined };
    this.#anchors.set(name, anchor);
    const before = { count: this.#count, deepest: this.#deepest };
    this.#deepest = this.#depth;
    const value = this.#content(node);
    anchor.content = { value, size: this.#count - before.count + 1, height: this.#deepest - this.#depth };
    this.#deepest = Math.max(this.#deepest, before.deepest);
    return value;
  }

  #alias(node: Alias): Json {
    const anchor = this.#anchors.get(node.source);
    if (anchor === undefined) return this.#unknownAlias(node);
    this.targets.set(node, anchor.node);
    if (anchor.content === undefined) {
      this.#tell('YAML006', node, `alias *${node.source} stands inside the value that it names`);
      throw new Refused();
    }
    const { value, size, height } = anchor.content;
    this.#add(size, node);
    if (this.#depth + height > DEEPEST) {
      this.#tell('YAML005', node, tooDeepMessage());
      throw new Refused();
    }
    this.#deepest = Math.max(this.#deepest, this.#depth + height);
    return value;
  }

  /** Most often a glob that lacks its quotes; read on as if it had them. */
  #unknownAlias(node: Alias): Json {
    const text = `*${node.source}`;
    const { line } = this.#lines.position(node.range?.[0] ?? 0);
    if (this.#problems.isGarbled(line) || this.#problems.isFull('error')) return text;
    const known = nearest(node.source, this.#anchors.keys());
    const place = known === undefined ? undefined : this.#place(this.#anchors.get(known)?.node);
    const hint =
      known === undefined ? `Quote a text that begins with "*": '${text}'.` : `Did you mean *${known} (${place})?`;
    const fix = known === undefined ? { title: `Quote it: '${text}'`, text: `'${text}'` } : undefined;
    this.#tell('YAML007', node, `alias ${text} has no anchor before it`, { hint, ...(fix && { fix }) });
    this.#problems.garble(line);
    return text;
  }

  #scalar(node: Scalar): Json {
    const { value } = node;
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    if (typeof value !== 'number') return node.source ?? null;
    if (Number.isFinite(value)) {
      if (String(value) !== node.source) this.hasOddNumbers = true;
      return value;
    }
    this.#tell('YAML014', node, `${node.source ?? value} is not a number that JSON can hold`, {
      hint: 'Quote a text.',
    });
    return 0;
  }

  #list(node: Node): Json {
    return isSeq(node) ? node.items.map((item) => this.value(item as Node | null)) : null;
  }

  #map(node: YAMLMap): Json {
    const data: { [key: string]: Json } = Object.create(null);
    const merges: Json[] = [];
    for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
      // Told by the guard.
      if (!isScalar(key)) continue;
      if (isMergeKey(key)) {
        merges.push(this.#merged(value));
        continue;
      }
      const name = String(key.value);
      if (RESERVED.has(name)) {
        this.#tell('YAML009', key, `reserved key "${name}"`, { hint: 'Choose another name.' });
        continue;
      }
      if (name in data) this.#duplicate(node, key, name);
      data[name] = this.value(value);
    }
    for (const maps of merges) merge(data, maps);
    return data;
  }

  #merged(node: Node | null): Json {
    const source = this.value(node);
    if (mergedMaps(node, this.targets) !== undefined) return source;
    this.#tell('YAML013', node, '"<<" merges a map, or a list of maps');
    return [];
  }

  #duplicate(map: YAMLMap, key: Scalar, name: string): void {
    if (this.#problems.isFull('error')) return;
    const first = (map.items as Pair<Node>[]).find((pair) => isScalar(pair.key) && pair.key.value === name)?.key;
    const related = first?.range && {
      message: 'first set here',
      range: this.#lines.range(first.range[0], first.range[1]),
    };
    this.#tell('YAML003', key, `"${name}" is already set at ${this.#place(first)}`, related ? { related } : {});
  }

  #place(node: Node | undefined): string {
    const { line, column } = this.#lines.position(node?.range?.[0] ?? 0);
    return `${line}:${column}`;
  }

  #tell(code: Code, node: Node | null, message: string, more: Pick<Problem, 'hint' | 'related'> & Fix = {}): void {
    const range = this.#lines.range(node?.range?.[0] ?? 0, node?.range?.[1] ?? 0);
    const { fix, ...rest } = more;
    this.#problems.add({ code, severity: 'error', message, range, ...rest, ...(fix && { fix: { ...fix, range } }) });
  }
}

interface Fix {
  fix?: { title: string; text: string };
}

/** Keys of its own are stronger than merged ones, and those of earlier maps than those of later ones. */
function merge(data: { [key: string]: Json }, source: Json): void {
  for (const map of Array.isArray(source) ? source : [source]) {
    for (const [key, value] of Object.entries(map as { [key: string]: Json })) {
      if (!(key in data)) data[key] = value;
    }
  }
}
