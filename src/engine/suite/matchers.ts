/**
 * Matchers: what may stand where a value is compared. A map all of whose keys begin with `$` is a matcher, and all its
 * operators must hold; a text such as `$string` asks for a type. This table says what can be written; grading/ says
 * what it means.
 */
import { z } from 'zod';
import type { Json } from '../record.ts';
import { reads } from './readings.ts';

export interface MatcherRow {
  operand: z.ZodType;
  /** Whether the operand is compared as it stands, or is itself a value with matchers, or a list of such values. */
  holds: 'literal' | 'matcher' | 'matchers';
  description: string;
  example: Json;
}

const literal = z.unknown();
const number = reads(z.number(), { expects: 'a number' });
const text = reads(z.string(), { expects: 'text' });
const matcher = z.lazy((): z.ZodType => MatcherValue);
const list = reads(z.array(matcher), { expects: 'a list' });
const choices = reads(z.array(matcher).min(1), { expects: 'a list with at least one value' });
const yes = reads(z.literal(true), { expects: 'true', remedy: () => ({ hint: 'For the contrary use $not.' }) });
const length = reads(z.int().min(0), { expects: 'a whole number from 0' });
const lengths = z.strictObject({ min: length.optional(), max: length.optional() });
const size = reads(z.union([length, lengths]), {
  expects: 'a whole number from 0, or { min, max }',
  choose: (value) => (typeof value === 'object' && value !== null ? lengths : length),
});
const approximation = z.strictObject({
  value: number,
  tolerance: reads(z.number().min(0), { expects: 'a number from 0' }),
});

function row(operand: z.ZodType, holds: MatcherRow['holds'], description: string, example: Json): MatcherRow {
  return { operand, holds, description, example };
}

export const MATCHERS = {
  $eq: row(literal, 'literal', 'Equals this value. Nothing inside it is a matcher.', 'Berlin'),
  $ne: row(literal, 'literal', 'Is there, and differs from this value. Nothing inside it is a matcher.', 'Berlin'),
  $gt: row(number, 'literal', 'A number greater than this one.', 0),
  $gte: row(number, 'literal', 'A number greater than or equal to this one.', 1),
  $lt: row(number, 'literal', 'A number less than this one.', 10),
  $lte: row(number, 'literal', 'A number less than or equal to this one.', 10),
  $approx: row(approximation, 'literal', 'A number at most `tolerance` away from `value`.', {
    value: 0.3,
    tolerance: 1e-9,
  }),
  $matches: row(text, 'literal', 'A text in which this regular expression (RE2, unanchored) finds something.', '^Ber'),
  $contains: row(matcher, 'matcher', 'A text that holds this text, or a list with an element that matches.', 'Berlin'),
  $startsWith: row(text, 'literal', 'A text that begins so.', 'Ber'),
  $endsWith: row(text, 'literal', 'A text that ends so.', 'lin'),
  $equalsIgnoreCase: row(text, 'literal', 'This text, whatever the case of its letters.', 'berlin'),
  $size: row(size, 'literal', 'A text, list or map of exactly this length, or within bounds.', { min: 1, max: 3 }),
  $empty: row(yes, 'literal', 'A text, list or map of length 0.', true),
  $anyOf: row(choices, 'matchers', 'Matches at least one of these.', ['c', 'celsius']),
  $allOf: row(choices, 'matchers', 'Matches all of these.', [{ $gte: 1 }, { $not: { $eq: 7 } }]),
  $not: row(matcher, 'matcher', 'Is there, and does not match this.', { $matches: '^test' }),
  $unordered: row(list, 'matchers', 'A list whose elements match these one to one, in any order.', ['c', 'a', 'b']),
  $exact: row(matcher, 'matcher', 'Matches, with no keys beyond those named, at every depth.', { city: 'Berlin' }),
  $partial: row(matcher, 'matcher', 'Matches; maps may hold more keys, at every depth.', { city: 'Berlin' }),
  $absent: row(yes, 'literal', 'Is not there.', true),
} as const satisfies Record<string, MatcherRow>;

export type MatcherName = keyof typeof MATCHERS;

/** Texts that stand for any value of a type. */
export const TYPE_WORDS = {
  $any: 'any value, also null',
  $string: 'any text',
  $number: 'any number',
  $integer: 'any whole number',
  $boolean: 'true or false',
  $object: 'any map',
  $array: 'any list',
  $null: 'null',
} as const;

export type TypeWord = keyof typeof TYPE_WORDS;

/** A map of operators, as grading meets it: the reader has let only known names with fitting operands through. */
export type MatcherMap = { [Name in MatcherName]?: Json };

/** Is it a matcher, and not a plain map: at least one key, and each begins with `$`? */
export function isMatcherMap(value: unknown): value is MatcherMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => key.startsWith('$'));
}

export function isMatcherName(name: string): name is MatcherName {
  return Object.hasOwn(MATCHERS, name);
}

/** Is nothing in the operand of this operator a matcher? */
export function holdsLiteral(operator: string): boolean {
  return isMatcherName(operator) && MATCHERS[operator].holds === 'literal';
}

export function isTypeWord(value: unknown): value is TypeWord {
  return typeof value === 'string' && Object.hasOwn(TYPE_WORDS, value);
}

const operators = Object.entries<MatcherRow>(MATCHERS).map(([name, { operand, description, example }]) => [
  name,
  operand.optional().meta({ description, examples: [example] }),
]);

/** Any JSON, with matchers anywhere in it. */
export const MatcherValue: z.ZodType<Json> = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(matcher),
    z.looseObject(Object.fromEntries(operators) as Record<MatcherName, z.ZodOptional>),
  ])
  .meta({
    id: 'matcher',
    description: `A value to compare with: plain, a matcher such as { $gte: 1 }, or one of ${Object.keys(TYPE_WORDS).join(', ')}.`,
  }) as z.ZodType<Json>;
