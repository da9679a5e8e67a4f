import { createContext, Script } from 'node:vm';
import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { RE2JS } from 're2js';
import type { Json } from '../record.ts';
import { isObject } from './isObject.ts';

export interface CompiledSchema {
  /** Null: the schema cannot be used, or checking took too long. */
  validate(value: Json): boolean | null;
}

const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
const COMPILE_MS = 1000;
const VALIDATE_MS = 250;

/**
 * Compiles a JSON Schema of a stranger: 2020-12 (also where `$schema` is missing) and draft-07. Nothing in it can hang or
 * end the run: size and depth are capped, patterns run in linear time, and both compiling and validating are stopped when
 * they take too long. Compiled when first used. Never throws.
 */
export function compileSchema(schema: Json): CompiledSchema {
  let compiled: Compiled | null | undefined;
  return {
    validate(value) {
      if (compiled === undefined) compiled = compile(schema);
      if (compiled === null) return null;
      const { check, cheap } = compiled;
      try {
        return cheap && isSmall(value) ? check(value) : within(VALIDATE_MS, () => check(value));
      } catch {
        // Out of time, or out of stack.
        return null;
      }
    },
  };
}

interface Compiled {
  check: ValidateFunction;
  /** Checking a small value cannot take long. */
  cheap: boolean;
}

function compile(schema: Json): Compiled | null {
  try {
    if (nestsDeeper(schema, MAX_DEPTH)) return null;
    const text = JSON.stringify(schema);
    const ajv = text.length > MAX_BYTES ? null : ajvFor(schema);
    if (ajv === null || (typeof schema !== 'boolean' && !isObject(schema))) return null;
    const check = within(COMPILE_MS, () => ajv.compile(schema));
    // An asynchronous schema answers with a promise, which is never false.
    if ('$async' in check) return null;
    // References can double the work at every step; the others cost more than their size tells.
    const costly = /"(?:\$(?:dynamicR|recursiveR|r)ef|uniqueItems|pattern|patternProperties|format)"/;
    return { check, cheap: text.length <= 16 * 1024 && !costly.test(text) };
  } catch {
    return null;
  }
}

const OPTIONS: Options = {
  strict: false,
  // Compiling refuses what it cannot use; the meta-schemas would only take time.
  meta: false,
  validateSchema: false,
  logger: false,
  code: { regExp: linearRegExp() },
};

/** A new instance each time, for an `$id` of one schema must not be seen by another. Null for other dialects. */
function ajvFor(schema: Json): Ajv | null {
  const dialect = isObject(schema) ? schema.$schema : undefined;
  const is2020 = dialect === undefined || dialect === 'https://json-schema.org/draft/2020-12/schema';
  if (!is2020 && !/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/.test(String(dialect))) return null;
  const ajv = is2020 ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  formats.default(ajv);
  return ajv;
}

/**
 * The regular expression engine for ajv. Ajv tells patterns apart by the text of what this returns, and names the engine
 * by its `code`: without either, every pattern of a schema would be the first one.
 *
 * @throws (when called) for what RE2 does not know: look-around, back-references
 */
function linearRegExp(): NonNullable<NonNullable<Options['code']>['regExp']> {
  const engine = (pattern: string): { test(text: string): boolean; toString(): string } => {
    const compiled = RE2JS.compile(pattern);
    return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
  };
  return Object.assign(engine, { code: 'linearRegExp' });
}

const context = createContext({ run: null }, { codeGeneration: { strings: false, wasm: false } });
const call = new Script('run()');

/** @throws when `work` takes longer; the engine itself stops it, wherever it is */
function within<T>(ms: number, work: () => T): T {
  let done: { value: T } | undefined;
  context.run = () => {
    done = { value: work() };
  };
  try {
    call.runInContext(context, { timeout: ms });
  } finally {
    context.run = null;
  }
  if (done === undefined) throw new Error('The work did not end.');
  return done.value;
}

function nestsDeeper(value: Json, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((entry) => nestsDeeper(entry, levels - 1));
}

/** At most 1,000 values in all. */
function isSmall(value: Json): boolean {
  let count = 0;
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (++count > 1000) return false;
    if (next === null || typeof next !== 'object') continue;
    if (Array.isArray(next) && next.length > 1000) return false;
    const entries = Object.values(next);
    if (entries.length > 1000) return false;
    waiting.push(...entries);
  }
  return true;
}
