import type { Json } from '../record.ts';
import { compileSchema } from '../servers/index.ts';
import { isMap, type JsonMap, Schemas } from './schemas.ts';

export interface SampleArguments {
  arguments: JsonMap;
  /** Names of the arguments that only their type or name speaks for: the first to look at when a call fails. */
  guessed: readonly string[];
}

/** Texts that many servers can do something with, by what a property is called. */
const BY_NAME: readonly (readonly [name: RegExp, text: string])[] = [
  [/city|location|place|town/i, 'Berlin'],
  [/country/i, 'Germany'],
  [/time_?zone|^tz$/i, 'Europe/Berlin'],
  [/lang|locale/i, 'en'],
  [/currency/i, 'EUR'],
  [/e_?mail/i, 'user@example.com'],
  [/ur[il]$|link|website/i, 'https://example.com'],
  [/date|day$/i, '2025-01-31'],
  [/path|folder|director/i, '.'],
];

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2025-01-31',
  'date-time': '2025-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'user@example.com',
  hostname: 'example.com',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

/**
 * Values for the required arguments of a tool: what its schema gives as `const`, example, default or first of an `enum`,
 * else what type, format, bounds and name suggest. An argument that no valid value was found for is among the guessed.
 */
export function sampleArguments(inputSchema: Json): SampleArguments {
  const schemas = new Schemas(inputSchema);
  const root = schemas.whole(inputSchema);
  const values: JsonMap = {};
  const guessed: string[] = [];
  for (const [name, schema] of schemas.required(root)) {
    const sample = sampleOf(name, schema, schemas, 0);
    values[name] = sample.value;
    if (!sample.given || compileSchema(schemas.standalone(schema)).validate(sample.value).valid === false)
      guessed.push(name);
  }
  return { arguments: values, guessed };
}

interface Sample {
  value: Json;
  /** The schema itself names the value. */
  given: boolean;
}

/** As deep as a schema is followed; recursive ones end in null. */
const DEEPEST = 8;

function sampleOf(name: string, schema: Json, schemas: Schemas, depth: number): Sample {
  const node = schemas.whole(schema);
  if (!isMap(node) || depth > DEEPEST) return { value: null, given: false };
  const named = namedValue(node);
  if (named !== undefined) return { value: named, given: true };
  for (const key of ['anyOf', 'oneOf'] as const) {
    const choices = node[key];
    if (!Array.isArray(choices)) continue;
    const choice = choices.find((entry) => typeOf(schemas.resolve(entry)) !== 'null') ?? choices[0] ?? null;
    return sampleOf(name, choice, schemas, depth + 1);
  }
  switch (typeOf(node)) {
    case 'object': {
      const value: JsonMap = {};
      let given = true;
      for (const [key, inner] of schemas.required(node)) {
        const sample = sampleOf(key, inner, schemas, depth + 1);
        value[key] = sample.value;
        given &&= sample.given;
      }
      return { value, given };
    }
    case 'array': {
      const item = sampleOf(name, node.items ?? {}, schemas, depth + 1);
      return { value: Array(Math.max(1, countOf(node.minItems))).fill(item.value), given: item.given };
    }
    case 'boolean':
      return { value: false, given: false };
    case 'null':
      return { value: null, given: true };
    case 'number':
    case 'integer':
      return { value: numberFor(node), given: false };
    default:
      return { value: textFor(name, node), given: false };
  }
}

function namedValue(node: JsonMap): Json | undefined {
  if (node.const !== undefined) return node.const;
  if (Array.isArray(node.examples) && node.examples[0] !== undefined) return node.examples[0];
  if (node.example !== undefined) return node.example;
  if (node.default !== undefined && node.default !== null && node.default !== '') return node.default;
  return Array.isArray(node.enum) ? node.enum[0] : undefined;
}

function typeOf(node: Json): string {
  if (!isMap(node)) return '';
  const { type } = node;
  if (Array.isArray(type)) return String(type.find((entry) => entry !== 'null') ?? 'null');
  if (typeof type === 'string') return type;
  if (isMap(node.properties)) return 'object';
  return node.items === undefined ? '' : 'array';
}

function numberFor(node: JsonMap): number {
  const step = typeof node.multipleOf === 'number' && node.multipleOf > 0 ? node.multipleOf : 1;
  const least = bound(node.minimum, 0) ?? bound(node.exclusiveMinimum, step);
  const most = bound(node.maximum, 0) ?? bound(node.exclusiveMaximum, -step);
  let value = Math.ceil(1 / step) * step;
  if (least !== undefined && value < least) value = Math.ceil(least / step) * step;
  if (most !== undefined && value > most) value = Math.floor(most / step) * step;
  return value;
}

function bound(limit: Json | undefined, shift: number): number | undefined {
  return typeof limit === 'number' ? limit + shift : undefined;
}

function textFor(name: string, node: JsonMap): string {
  const { format } = node;
  const byFormat = typeof format === 'string' && Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : undefined;
  const text = byFormat ?? BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? 'hello';
  const longer = text.padEnd(Math.min(countOf(node.minLength), 1000), text);
  return typeof node.maxLength === 'number' ? longer.slice(0, node.maxLength) : longer;
}

function countOf(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(Math.max(0, value), 1000) : 0;
}
