/** What the reader knows of a schema beyond its shape: how to ask for a value, and which branch of a union is meant. */
import { z } from 'zod';
import type { More, Report } from './report.ts';

export interface Reading {
  /** Completes the sentence "must be …". */
  expects?: string;
  /** A number that does not fit is out of bounds. */
  isBounded?: boolean;
  /** What to do about a wrong value, where its author's mistake can be guessed. */
  remedy?: (value: unknown) => Remedy | undefined;
  /**
   * Picks the branch of a union by looking, so that a mistake in it gets one message and not one per branch. False
   * where it has reported that none is meant.
   */
  choose?: (value: unknown, pointer: string, report: Report) => z.ZodType | false;
  /** Checks what no shape can say, once the shape fits. */
  check?: Check;
  /** Checks shape and all, instead of the schema. */
  walk?: Check;
  /** Keys that are let through unseen. */
  ignores?: RegExp;
  /** What a map is called where one of its keys is unknown. */
  title?: (value: object) => string;
}

/** Reports what is wrong with a value; true when all is well. */
export type Check = (value: unknown, pointer: string, report: Report) => boolean;

/** A hint, and perhaps an edit that follows it. */
export type Remedy = Pick<More, 'hint' | 'fix'>;

/** Zod's own kind of registry, so that a copy made by `.meta()` keeps its reading. */
const registry = z.registry<{ reading: unknown }>();

/** The same schema, with its reading noted. */
export function reads<Schema extends z.ZodType>(schema: Schema, reading: Reading): Schema {
  registry.add(schema, { reading });
  return schema;
}

export function readingOf(schema: z.ZodType): Reading {
  const known = cache.get(schema);
  if (known !== undefined) return known;
  const reading = (registry.get(schema)?.reading ?? {}) as Reading;
  cache.set(schema, reading);
  return reading;
}

/** The registry follows every copy back to its origin, which is too slow for each value of a file. */
const cache = new WeakMap<z.ZodType, Reading>();
