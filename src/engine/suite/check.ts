/**
 * Checks data against a schema and tells each mistake in a sentence. The walk over maps, lists and unions is ours: Zod
 * tries every branch of a union and reports them all, while a person wants to hear about the one they meant. Scalars
 * are left to Zod.
 */
import { z } from 'zod';
import { refuse, unknownKey } from './explain.ts';
import { child, lastName } from './pointer.ts';
import { type Check, readingOf } from './readings.ts';
import type { Report } from './report.ts';

/** True when the value fits; else every mistake in it has been reported. */
export function check(schema: z.ZodType, value: unknown, pointer: string, report: Report): boolean {
  if (report.isFull) return false;
  const reading = readingOf(schema);
  if (reading.walk !== undefined) return reading.walk(value, pointer, report);
  if (schema instanceof z.ZodOptional) return check(schema.unwrap() as z.ZodType, value, pointer, report);
  return checkShape(schema, value, pointer, report) && (reading.check?.(value, pointer, report) ?? true);
}

function checkShape(schema: z.ZodType, value: unknown, pointer: string, report: Report): boolean {
  const { choose } = readingOf(schema);
  if (choose !== undefined) {
    const branch = choose(value, pointer, report);
    return branch !== false && check(branch, value, pointer, report);
  }
  if (schema instanceof z.ZodObject) return soundMembers(schema, value, pointer, report).isSound;
  if (schema instanceof z.ZodArray) return checkList(schema, value, pointer, report);
  if (schema instanceof z.ZodRecord) return checkRecord(schema, value, pointer, report);
  return schema.safeParse(value).success || refuse(schema, value, pointer, report);
}

/**
 * The members of a map that fit, so that one misspelt key does not keep the others from being read; what is wrong with
 * the rest has been reported.
 *
 * @param own checks of single members, instead of their schema's
 */
export function soundMembers<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  pointer: string,
  report: Report,
  own: { readonly [key: string]: Check } = {},
): { members: Partial<z.infer<Schema>>; isSound: boolean } {
  if (!isMap(value)) return { members: {}, isSound: refuse(schema, value, pointer, report) };
  const members: Record<string, unknown> = {};
  let isSound = requireKeys(schema, value, pointer, report);
  for (const [key, member] of Object.entries(value)) {
    const instead = Object.hasOwn(own, key) ? own[key] : undefined;
    const fits = instead?.(member, child(pointer, key), report) ?? checkMember(schema, key, value, pointer, report);
    if (fits) members[key] = member;
    else isSound = false;
  }
  return { members: members as Partial<z.infer<Schema>>, isSound };
}

function checkMember(schema: z.ZodObject, key: string, map: YamlMap, pointer: string, report: Report): boolean {
  const member = Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : undefined;
  if (member !== undefined) return check(member, map[key], child(pointer, key), report);
  if (report.isFull) return false;
  const { ignores, title } = readingOf(schema);
  if (ignores?.test(key)) return true;
  const inside = title?.(map) ?? (pointer === '' ? 'the suite' : JSON.stringify(lastName(pointer)));
  return unknownKey(key, child(pointer, key), Object.keys(schema.shape), inside, report);
}

function requireKeys(schema: z.ZodObject, map: YamlMap, pointer: string, report: Report): boolean {
  const missing = requiredKeys(schema).filter((key) => !Object.hasOwn(map, key));
  for (const key of missing) {
    if (pointer === '') report.add('SUITE001', pointer, `the suite has no ${JSON.stringify(key)}`);
    else report.add('SUITE003', pointer, `${JSON.stringify(key)} is missing in ${JSON.stringify(lastName(pointer))}`);
  }
  return missing.length === 0;
}

function requiredKeys(schema: z.ZodObject): readonly string[] {
  let keys = required.get(schema);
  if (keys === undefined) {
    keys = Object.keys(schema.shape).filter((key) => !(schema.shape[key] instanceof z.ZodOptional));
    required.set(schema, keys);
  }
  return keys;
}

const required = new WeakMap<z.ZodObject, readonly string[]>();

function checkList(schema: z.ZodArray, value: unknown, pointer: string, report: Report): boolean {
  const element = schema.element as z.ZodType;
  // Zod's own check of a list would walk the elements too; an empty one has none.
  if (!Array.isArray(value) || (value.length === 0 && !schema.safeParse(value).success)) {
    return refuse(schema, value, pointer, report);
  }
  let isSound = true;
  for (const [index, each] of value.entries()) {
    if (!check(element, each, child(pointer, index), report)) isSound = false;
  }
  return isSound;
}

function checkRecord(schema: z.ZodRecord, value: unknown, pointer: string, report: Report): boolean {
  if (!isMap(value)) return refuse(schema, value, pointer, report);
  const keySchema = schema.keyType as z.ZodType;
  const memberSchema = schema.valueType as z.ZodType;
  let isSound = true;
  for (const [key, member] of Object.entries(value)) {
    const at = child(pointer, key);
    if (!keySchema.safeParse(key).success) {
      const { expects = 'another text' } = readingOf(keySchema);
      isSound = report.add('SUITE003', at, `the key ${JSON.stringify(key)} must be ${expects}`, { key: true });
    }
    if (!check(memberSchema, member, at, report)) isSound = false;
  }
  return isSound;
}

type YamlMap = { readonly [key: string]: unknown };

export function isMap(value: unknown): value is YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
