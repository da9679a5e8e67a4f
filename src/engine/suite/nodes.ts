import { type Alias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { SourceRange } from '../errors.ts';
import type { Lines } from './lines.ts';
import { segments } from './pointer.ts';

type Targets = ReadonlyMap<Alias, Node>;

/** Where a value stands, and its key if it is the member of a map. */
interface Place {
  key: Node | undefined;
  value: Node | null;
}

/**
 * Where each value of a file stands. Nothing is worked out before it is asked for: a pointer is followed through the
 * YAML nodes, through aliases and merge keys to the place where the text really is.
 */
export class Nodes {
  readonly #lines: Lines;
  readonly #root: Node | null;
  readonly #targets: Targets;
  readonly #hasOddNumbers: boolean;
  /** Somewhere a `#` stands behind a space and before a character; most files have none. */
  readonly hasTightComments: boolean;

  /**
   * @param targets       what each alias stands for
   * @param hasOddNumbers false where every number is written as JSON would write it; then none is looked up
   */
  constructor(lines: Lines, root: Node | null, targets: Targets, hasOddNumbers: boolean) {
    this.#lines = lines;
    this.#root = root;
    this.#targets = targets;
    this.#hasOddNumbers = hasOddNumbers;
    this.hasTightComments = /[ \t]#\S/.test(lines.text);
  }

  /** The place of a value, or of its key; the nearest parent's where the pointer leads nowhere. */
  range(pointer: string, options: { key?: boolean } = {}): SourceRange {
    const { key, value } = this.#find(pointer);
    const node = options.key === true && key !== undefined ? key : value;
    const [start, end] = (node ?? key)?.range ?? [0, 0];
    return this.#lines.range(start, end);
  }

  /** The scalar at a pointer; undefined where something else is. */
  scalar(pointer: string): Scalar | undefined {
    const { value, isExact } = this.#find(pointer);
    const node = resolveAlias(value, this.#targets);
    return isExact && isScalar(node) ? node : undefined;
  }

  /** A number as it stands in the file: `1.10` for 1.1. */
  written(pointer: string, value: number): string {
    return (this.#hasOddNumbers ? this.scalar(pointer)?.source : undefined) ?? String(value);
  }

  /** The text between two offsets. */
  source(start: number, end: number): string {
    return this.#lines.text.slice(start, end);
  }

  /** A place inside a value. */
  within(start: number, end: number): SourceRange {
    return this.#lines.range(start, end);
  }

  #find(pointer: string): Place & { isExact: boolean } {
    let place: Place = { key: undefined, value: this.#root };
    for (const segment of segments(pointer)) {
      const next = this.#step(resolveAlias(place.value, this.#targets), segment);
      if (next === undefined) return { ...place, isExact: false };
      place = next;
    }
    return { ...place, isExact: true };
  }

  #step(node: Node | null, segment: string): Place | undefined {
    if (isSeq(node)) {
      const item = node.items[Number(segment)];
      return item === undefined ? undefined : { key: undefined, value: item as Node | null };
    }
    return isMap(node) ? findMember(node, segment, this.#targets) : undefined;
  }
}

type MapPair = Pair<Node, Node | null>;

/** A plain `<<` is a merge key; a quoted one is a key like any other. */
export function isMergeKey(key: Node): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** The maps merged into one by its `<<`, the first being the strongest. Undefined where something else stands there. */
export function mergedMaps(value: Node | null, targets: Targets): YAMLMap[] | undefined {
  const source = resolveAlias(value, targets);
  const maps = isSeq(source) ? source.items.map((item) => resolveAlias(item as Node | null, targets)) : [source];
  return maps.every((map) => isMap(map)) ? (maps as YAMLMap[]) : undefined;
}

function resolveAlias(node: Node | null, targets: Targets): Node | null {
  return node !== null && targets.has(node as Alias) ? (targets.get(node as Alias) ?? null) : node;
}

function findMember(map: YAMLMap, name: string, targets: Targets): Place | undefined {
  const own = membersOf(map).get(name);
  if (own !== undefined) return { key: own.key, value: own.value };
  for (const { key, value } of map.items as MapPair[]) {
    if (!isMergeKey(key)) continue;
    for (const merged of mergedMaps(value, targets) ?? []) {
      const found = findMember(merged, name, targets);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The pairs of each map that was asked for a key. */
const members = new WeakMap<YAMLMap, ReadonlyMap<string, MapPair>>();

function membersOf(map: YAMLMap): ReadonlyMap<string, MapPair> {
  const known = members.get(map);
  if (known !== undefined) return known;
  const byName = new Map<string, MapPair>();
  for (const pair of map.items as MapPair[]) {
    if (isScalar(pair.key) && !isMergeKey(pair.key)) byName.set(String(pair.key.value), pair);
  }
  members.set(map, byName);
  return byName;
}
