/** What the reader knows of a schema beyond its shape: how to ask for a value, and which branch of a union is meant. */
import { z } from 'zod';
import type { Report } from './report.ts';

export interface Reading {
  /** Completes the sentence "must be …". */
  expects?: string;
  /** What to do about a wrong value, where its author's mistake can be guessed. */
  remedy?: (value: unknown) => Remedy | undefined;
  /** Picks the branch of a union by looking, so that a mistake in it gets one message and not one per branch. */
  choose?: (value: unknown) => z.ZodType | Refusal | undefined;
  /** Checks what no shape can say, once the shape fits. */
  check?: Check;
  /** Checks shape and all, instead of the schema. */
  walk?: Check;
}

/** Reports what is wrong with a value; true when all is well. */
export type Check = (value: unknown, pointer: string, report: Report) => boolean;

export interface Remedy {
  hint: string;
  /** A text to put in the value's place. */
  replacement?: string;
}

/** Why no branch of a union is meant. */
export interface Refusal {
  message: string;
  hint?: string;
  /** The key concerned, where it is not the whole value; then the key is an unknown one. */
  key?: string;
  /** A better key. */
  replacement?: string;
}

/** Zod's own kind of registry, so that a copy made by `.meta()` keeps its reading. */
const registry = z.registry<{ reading: unknown }>();

/** The same schema, with its reading noted. */
export function reads<Schema extends z.ZodType>(schema: Schema, reading: Reading): Schema {
  registry.add(schema, { reading });
  return schema;
}

export function readingOf(schema: z.ZodType): Reading {
  return (registry.get(schema)?.reading ?? {}) as Reading;
}
