import type { Json } from '../record.ts';

export type JsonMap = { [key: string]: Json };

/** References that are followed one after another before they count as a circle. */
const MOST_HOPS = 16;

/** A JSON Schema with references into itself, as a stranger wrote it. */
export class Schemas {
  readonly #root: Json;

  constructor(root: Json) {
    this.#root = root;
  }

  /** What a `$ref` stands for; a reference out of the schema, to nothing or in a circle is null. */
  resolve(schema: Json): Json {
    let node = schema;
    for (let hops = 0; hops < MOST_HOPS; hops++) {
      if (!isMap(node) || typeof node.$ref !== 'string') return node;
      if (!node.$ref.startsWith('#')) return null;
      node = this.#at(node.$ref.slice(1));
    }
    return null;
  }

  /** With the parts of its `allOf` in it; where several say the same key, the last one's, but all `required` and `properties`. */
  whole(schema: Json, depth = 0): Json {
    const node = this.resolve(schema);
    if (!isMap(node) || !Array.isArray(node.allOf) || depth > MOST_HOPS) return node;
    const { allOf, ...rest } = node;
    const all: JsonMap = {};
    const properties: JsonMap = {};
    const required: Json[] = [];
    for (const part of [...allOf, rest]) {
      const next = this.whole(part, depth + 1);
      if (!isMap(next)) continue;
      Object.assign(all, next);
      if (isMap(next.properties)) Object.assign(properties, next.properties);
      if (Array.isArray(next.required)) required.push(...next.required);
    }
    return Object.keys(properties).length === 0 ? all : { ...all, properties, required };
  }

  /** The properties of an object that have to be given, with their schemas, as they are declared. */
  required(schema: Json): [name: string, schema: Json][] {
    if (!isMap(schema) || !Array.isArray(schema.required)) return [];
    const properties = isMap(schema.properties) ? schema.properties : {};
    const names = schema.required.filter((name) => typeof name === 'string' && name !== '__proto__');
    return [...new Set(names.map(String))].map((name) => [name, own(properties, name) ?? {}]);
  }

  /** A part as a schema of its own, in which references still lead somewhere. */
  standalone(part: Json): Json {
    if (!isMap(part) || !isMap(this.#root)) return part;
    const { $schema, $defs, definitions } = this.#root;
    return {
      ...($schema === undefined ? {} : { $schema }),
      ...($defs === undefined ? {} : { $defs }),
      ...(definitions === undefined ? {} : { definitions }),
      ...part,
    };
  }

  #at(pointer: string): Json {
    let node: Json = this.#root;
    for (const raw of pointer.split('/').slice(1)) {
      const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(node)) node = node[Number(key)] ?? null;
      else node = isMap(node) ? (own(node, key) ?? null) : null;
    }
    return node;
  }
}

export function isMap(value: Json | undefined): value is JsonMap {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function own(map: JsonMap, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
