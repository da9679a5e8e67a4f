/** A wrong value in a sentence: `"timeout" must be a duration with a unit, such as 30s; found number 30.` */
import { z } from 'zod';
import { nearest } from './nearest.ts';
import { lastName } from './pointer.ts';
import { quoted } from './quote.ts';
import { readingOf } from './readings.ts';
import type { More, Report } from './report.ts';

const SHOWN = 40;

/** More names than these are no help in a hint. */
const MOST_LISTED = 12;

/** Tells that a value does not fit a schema. */
export function refuse(schema: z.ZodType, value: unknown, pointer: string, report: Report): false {
  const { expects = defaultExpectation(schema), remedy, isBounded } = readingOf(schema);
  const code = isBounded === true && typeof value === 'number' ? 'SUITE016' : 'SUITE003';
  const name = lastName(pointer);
  const message = `${name === '' ? 'the suite' : JSON.stringify(name)} must be ${expects}; found ${describe(value)}`;
  return report.add(code, pointer, message, remedy?.(value) ?? usualRemedy(schema, value, pointer, report));
}

function defaultExpectation(schema: z.ZodType): string {
  if (schema instanceof z.ZodObject) return `a map with ${Object.keys(schema.shape).join(', ')}`;
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(', ')}`;
  return schema instanceof z.ZodArray ? 'a list' : 'a value of another type';
}

/** A misspelt word of few; a number or a boolean that has only lost its quotes. */
function usualRemedy(schema: z.ZodType, value: unknown, pointer: string, report: Report): More {
  if (schema instanceof z.ZodEnum && typeof value === 'string') return close(value, schema.options.map(String));
  if (!(schema instanceof z.ZodString) || (typeof value !== 'number' && typeof value !== 'boolean')) return {};
  return quoteFix(report.nodes.scalar(pointer)?.source ?? String(value));
}

export function quoteFix(text: string): Required<Pick<More, 'hint' | 'fix'>> {
  const quotedText = quoted(text);
  return { hint: `Quote it: ${quotedText}.`, fix: { title: `Quote it: ${quotedText}`, text: quotedText } };
}

export function unknownKey(
  key: string,
  pointer: string,
  candidates: readonly string[],
  inside: string,
  report: Report,
): false {
  return report.add('SUITE002', pointer, `unknown key ${JSON.stringify(shorten(key))} in ${inside}`, {
    key: true,
    ...didYouMean(key, candidates),
  });
}

/** The nearest name with an edit that puts it there; else all of them, where they are few. */
export function didYouMean(word: string, candidates: readonly string[]): Pick<More, 'hint' | 'fix'> {
  const found = close(word, candidates);
  if (found.hint !== undefined) return found;
  return candidates.length > 0 && candidates.length <= MOST_LISTED ? { hint: `Known: ${candidates.join(', ')}.` } : {};
}

function close(word: string, candidates: readonly string[]): Pick<More, 'hint' | 'fix'> {
  const found = nearest(word, candidates);
  return found === undefined
    ? {}
    : { hint: `Did you mean "${found}"?`, fix: { title: `Change to "${found}"`, text: found } };
}

/** `text "ten"`, `number 30`, `a list`. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (value === '') return 'an empty text';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty map' : 'a map';
  return typeof value === 'string'
    ? `text ${JSON.stringify(shorten(value))}`
    : `${typeof value === 'number' ? 'number ' : ''}${value}`;
}

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
