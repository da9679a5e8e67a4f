import type { Json } from '../record.ts';
import type { MatcherName, TypeWord } from '../suite/matchers.ts';
import { child } from '../suite/pointer.ts';
import { matchEarliest } from './bipartite.ts';
import { addBit, emptyBits } from './bits.ts';
import { foldCase } from './foldCase.ts';
import { type Comparison, type Mode, quietSearch, refuse, type Search } from './search.ts';

/** One operator applied to one value. */
interface Application {
  operator: string;
  operand: Json;
  /** Undefined where there is no value. */
  actual: Json | undefined;
  mode: Mode;
  path: string;
  search: Search;
  /** How parts are compared: with matchers, and without. */
  agrees: Comparison;
  equals: Comparison;
}

/** Whether the operator holds; where it does not, that has been noted in the search. */
export type Operator = (application: Application) => boolean;

const TYPES: Readonly<Record<TypeWord, (value: Json) => boolean>> = {
  $any: () => true,
  $string: (value) => typeof value === 'string',
  $number: (value) => typeof value === 'number',
  $integer: (value) => Number.isInteger(value),
  $boolean: (value) => typeof value === 'boolean',
  $object: (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  $array: (value) => Array.isArray(value),
  $null: (value) => value === null,
};

export function matchesType(word: TypeWord, actual: Json | undefined): boolean {
  return actual !== undefined && TYPES[word](actual);
}

export const OPERATORS: Readonly<Record<MatcherName, Operator>> = {
  $eq: ({ operand, actual, path, search, equals }) => equals(operand, actual, 'exact', path, search),
  $ne: plain(({ operand, value, silent, equals }) => !equals(operand, value, 'exact', '', silent)),
  $gt: plain(({ operand, value }) => ordered(value, operand, (a, b) => a > b)),
  $gte: plain(({ operand, value }) => ordered(value, operand, (a, b) => a >= b)),
  $lt: plain(({ operand, value }) => ordered(value, operand, (a, b) => a < b)),
  $lte: plain(({ operand, value }) => ordered(value, operand, (a, b) => a <= b)),
  $approx: plain(({ operand, value }) => isNear(value, field(operand, 'value'), field(operand, 'tolerance'))),
  $matches: texts((value, operand, search) => search.patterns.test(operand, value)),
  $startsWith: texts((value, operand) => value.startsWith(operand)),
  $endsWith: texts((value, operand) => value.endsWith(operand)),
  $equalsIgnoreCase: texts((value, operand) => foldCase(value) === foldCase(operand)),
  $contains: plain(contains),
  $size: plain(({ operand, value }) => isWithin(sizeOf(value), operand)),
  $empty: plain(({ value }) => sizeOf(value) === 0),
  $anyOf: anyOf,
  $allOf: allOf,
  $not: plain(({ operand, value, mode, silent, agrees }) => !agrees(operand, value, mode, '', silent)),
  $unordered: unordered,
  $exact: ({ operand, actual, path, search, agrees }) => agrees(operand, actual, 'exact', path, search),
  $partial: ({ operand, actual, path, search, agrees }) => agrees(operand, actual, 'partial', path, search),
  $absent: (application) => application.actual === undefined || refused(application),
};

function refused({ search, path, operator, operand, actual }: Application): false {
  return refuse(search, path, operator, operand, actual);
}

/** An operator that answers for the value as a whole and wants one to be there. */
function plain(holds: (application: Application & { value: Json; silent: Search }) => boolean): Operator {
  return (application) => {
    const { actual, search } = application;
    const silent = search.exhaustive ? quietSearch(search.patterns, search.budget) : search;
    return (actual !== undefined && holds({ ...application, value: actual, silent })) || refused(application);
  };
}

function texts(holds: (value: string, operand: string, search: Search) => boolean): Operator {
  return (application) => {
    const { actual, operand, search } = application;
    const apply = typeof actual === 'string' && typeof operand === 'string';
    return (apply && holds(actual, operand, search)) || refused(application);
  };
}

function ordered(value: Json, operand: Json, holds: (a: number, b: number) => boolean): boolean {
  return typeof value === 'number' && typeof operand === 'number' && holds(value, operand);
}

/** Inclusive: the last digit that binary fractions cannot hold is forgiven, so that 0.8 lies within 0.7 ± 0.1. */
function isNear(value: Json, target: Json | undefined, tolerance: Json | undefined): boolean {
  if (typeof value !== 'number' || typeof target !== 'number' || typeof tolerance !== 'number') return false;
  const slack = Number.EPSILON * Math.max(Math.abs(value), Math.abs(target));
  return Math.abs(value - target) <= tolerance + slack;
}

/** A text in a text; in an array an element that matches. */
function contains({ operand, value, mode, silent, agrees }: Application & { value: Json; silent: Search }): boolean {
  if (typeof value === 'string') return typeof operand === 'string' && value.includes(operand);
  return Array.isArray(value) && value.some((element) => agrees(operand, element, mode, '', silent));
}

/** Characters (code points) of a text, elements of an array, keys of an object. */
function sizeOf(value: Json): number | undefined {
  if (typeof value === 'string') {
    let count = 0;
    for (const _ of value) count += 1;
    return count;
  }
  if (Array.isArray(value)) return value.length;
  return value !== null && typeof value === 'object' ? Object.keys(value).length : undefined;
}

function isWithin(size: number | undefined, operand: Json): boolean {
  if (size === undefined) return false;
  if (typeof operand === 'number') return size === operand;
  const min = field(operand, 'min');
  const max = field(operand, 'max');
  return (typeof min !== 'number' || size >= min) && (typeof max !== 'number' || size <= max);
}

/** A missing value is handed on: `$absent` may be one of the alternatives, nothing else takes it. */
function anyOf(application: Application): boolean {
  const { operand, actual, mode, search, agrees } = application;
  const silent = search.exhaustive ? quietSearch(search.patterns, search.budget) : search;
  return listOf(operand).some((each) => agrees(each, actual, mode, '', silent)) || refused(application);
}

function allOf({ operand, actual, mode, path, search, agrees }: Application): boolean {
  let all = true;
  for (const each of listOf(operand)) {
    if (agrees(each, actual, mode, path, search)) continue;
    if (!search.exhaustive) return false;
    all = false;
  }
  return all;
}

/** Element by element in whatever order serves all of them best. What finds no partner is shown against what is left. */
function unordered(application: Application): boolean {
  const { operand, actual, mode, path, search, agrees } = application;
  const expected = listOf(operand);
  if (!Array.isArray(actual) || actual.length !== expected.length) return refused(application);
  const silent = search.exhaustive ? quietSearch(search.patterns, search.budget) : search;
  const rows = expected.map((each) => {
    const row = emptyBits(actual.length);
    actual.forEach((element, index) => {
      if (agrees(each, element, mode, '', silent)) addBit(row, index);
    });
    return row;
  });
  const partners = matchEarliest(rows, rows.length, actual.length);
  const taken = new Set(partners);
  const left = [...actual.keys()].filter((index) => !taken.has(index));
  let all = true;
  for (const [position, each] of expected.entries()) {
    if (partners[position] !== -1) continue;
    if (!search.exhaustive) return false;
    all = false;
    const index = left.shift() ?? position;
    agrees(each, actual[index], mode, search.found === null ? '' : child(path, index), search);
  }
  return all;
}

function listOf(operand: Json): Json[] {
  return Array.isArray(operand) ? operand : [];
}

function field(operand: Json, key: string): Json | undefined {
  if (operand === null || typeof operand !== 'object' || Array.isArray(operand)) return undefined;
  return Object.hasOwn(operand, key) ? operand[key] : undefined;
}
