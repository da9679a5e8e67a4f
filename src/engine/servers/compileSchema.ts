import { createContext, Script } from 'node:vm';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { RE2JS } from 're2js';
import type { Json } from '../record.ts';
import { addEqualityKeywords } from './equalityKeywords.ts';
import { isObject } from './isObject.ts';
import { complaints } from './schemaComplaints.ts';

export interface CompiledSchema {
  validate(value: Json): Validity;
}

/** Whether a value satisfies a schema. */
export type Validity =
  | { valid: true }
  /** What the schema asks for and the value is not, the first few: `/due must match format "date"`. */
  | { valid: false; problems: string[] }
  /** The schema cannot be used, or checking took too long. */
  | { valid: null; why: string };

const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
const COMPILE_MS = 1000;
const VALIDATE_MS = 250;
/** For what is only told of a value that has been refused already. */
const EXPLAIN_MS = 100;

/**
 * Compiles a JSON Schema of a stranger: 2020-12 (also where `$schema` is missing) and draft-07. Nothing in it can hang or
 * end the run: size and depth are capped, patterns run in linear time, and both compiling and validating are stopped when
 * they take too long. Compiled when first used. Never throws.
 */
export function compileSchema(schema: Json): CompiledSchema {
  let compiled: Compiled | Unusable | undefined;
  return {
    validate(value) {
      compiled ??= compile(schema);
      if ('why' in compiled) return { valid: null, why: compiled.why };
      const { check, cheap } = compiled;
      try {
        const valid = cheap && isSmall(value) ? check(value) : within(VALIDATE_MS, () => check(value));
        return valid
          ? { valid }
          : { valid: false, problems: complaints(compiled.explain(value) ?? check.errors ?? []) };
      } catch {
        // Out of time, or out of stack.
        return { valid: null, why: 'checking took too long' };
      }
    },
  };
}

interface Compiled {
  /** Ends at the first error. */
  check: ValidateFunction;
  /** Checking a small value cannot take long. */
  cheap: boolean;
  /** All errors of a value that was refused; null where they cannot be had in time. */
  explain(value: Json): readonly ErrorObject[] | null;
}

interface Unusable {
  why: string;
}

function compile(schema: Json): Compiled | Unusable {
  try {
    if (nestsDeeper(schema, MAX_DEPTH)) return { why: `the schema nests deeper than ${MAX_DEPTH} levels` };
    const text = JSON.stringify(schema);
    if (text.length > MAX_BYTES) return { why: 'the schema is larger than 1 MiB' };
    // Ajv passes over a property of that name.
    if (text.includes('"__proto__":')) return { why: 'the schema has a key "__proto__"' };
    if (typeof schema !== 'boolean' && !isObject(schema))
      return { why: 'the schema is neither an object nor a boolean' };
    const ajv = ajvFor(schema, {});
    if (ajv === null) return { why: 'the schema is neither JSON Schema 2020-12 nor draft-07' };
    const check = within(COMPILE_MS, () => ajv.compile(schema));
    // An asynchronous schema answers with a promise, which is never false.
    if ('$async' in check) return { why: 'the schema is asynchronous' };
    // References can double the work at every step; the others cost more than their size tells.
    const costly = /"(?:\$(?:dynamicR|recursiveR|r)ef|uniqueItems|pattern|patternProperties|format)"/;
    return { check, cheap: text.length <= 16 * 1024 && !costly.test(text), explain: explainer(schema) };
  } catch (error) {
    return { why: whyUnusable(error) };
  }
}

/** Most values satisfy their schema: the slower check that goes on after an error is compiled for the first that does not. */
function explainer(schema: { [key: string]: Json } | boolean): Compiled['explain'] {
  let check: ValidateFunction | null | undefined;
  return (value) => {
    try {
      check ??= within(COMPILE_MS, () => ajvFor(schema, { allErrors: true })?.compile(schema) ?? null);
      const found = check;
      if (found === null) return null;
      within(EXPLAIN_MS, () => found(value));
      return found.errors ?? null;
    } catch {
      // Out of time, or out of stack; the first error is known all the same.
      check ??= null;
      return null;
    }
  };
}

/** The words of the compiler where they are short; they quote the schema. */
function whyUnusable(error: unknown): string {
  if (!(error instanceof Error) || error.message === '' || error.message.length > 200)
    return 'the schema cannot be compiled';
  const isLate = 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
  if (isLate || error instanceof RangeError) return 'compiling the schema took too long';
  return `the schema cannot be compiled: ${error.message.replace(/\.$/, '')}`;
}

const OPTIONS: Options = {
  strict: false,
  // Compiling refuses what it cannot use; the meta-schemas would only take time.
  meta: false,
  validateSchema: false,
  logger: false,
  // A property that is not there must not be found in Object.prototype.
  ownProperties: true,
  code: { regExp: linearRegExp() },
};

/** A new instance each time, for an `$id` of one schema must not be seen by another. Null for other dialects. */
function ajvFor(schema: Json, more: Options): Ajv | null {
  const dialect = isObject(schema) ? schema.$schema : undefined;
  const is2020 = dialect === undefined || dialect === 'https://json-schema.org/draft/2020-12/schema';
  if (!is2020 && !/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/.test(String(dialect))) return null;
  const options = { ...OPTIONS, ...more };
  const ajv = is2020 ? new Ajv2020(options) : new Ajv(options);
  formats.default(ajv);
  addEqualityKeywords(ajv);
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
