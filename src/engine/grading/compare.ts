import { McproveError } from '../errors.ts';
import type { Difference, Json } from '../record.ts';
import { isMatcherMap, isMatcherName, isTypeWord } from '../suite/matchers.ts';
import { child } from '../suite/pointer.ts';
import { matchesType, OPERATORS } from './operators.ts';
import { createPatterns, type Patterns } from './patterns.ts';
import { type Comparison, type Mode, newBudget, quietSearch, refuse, type Search, spend } from './search.ts';

/**
 * Where an actual value differs from an expected one that may hold matchers, leaf by leaf.
 *
 * Numbers are compared by value, objects by their own keys, arrays by position and length, texts by code units.
 * The order of keys changes nothing, not even the order of the differences.
 *
 * @param actual undefined where there is no value; then everything but `$absent` refuses it
 * @param patterns keeps compiled patterns between calls; without it they live for this call
 * @returns [] when it matches; at most the first 100 differences
 * @throws McproveError GRADE001 for a pattern that is none, GRADE002 for a matcher that is none, GRADE004 for too much work
 */
export function compareValue(
  expected: Json,
  actual: Json | undefined,
  mode: Mode,
  patterns: Patterns = createPatterns(),
): Difference[] {
  const found: Difference[] = [];
  agrees(expected, actual, mode, '', { patterns, exhaustive: true, budget: newBudget(), count: 0, found });
  return found;
}

/** The same question answered with yes or no, at the first difference. */
export function matchesValue(expected: Json, actual: Json | undefined, mode: Mode, patterns: Patterns): boolean {
  return agrees(expected, actual, mode, '', quietSearch(patterns, newBudget()));
}

/** How many leaves differ. */
export function countDifferences(expected: Json, actual: Json | undefined, mode: Mode, patterns: Patterns): number {
  const search: Search = { patterns, exhaustive: true, budget: newBudget(), count: 0, found: null };
  agrees(expected, actual, mode, '', search);
  return search.count;
}

const agrees: Comparison = (expected, actual, mode, path, search) => {
  spend(search.budget);
  if (typeof expected === 'string') {
    if (expected.startsWith('$') && isTypeWord(expected)) {
      return matchesType(expected, actual) || refuse(search, path, expected, expected, actual);
    }
    return actual === expected || refuse(search, path, 'equals', expected, actual);
  }
  if (expected === null || typeof expected !== 'object') {
    return actual === expected || refuse(search, path, 'equals', expected, actual);
  }
  if (Array.isArray(expected)) return elementsAgree(expected, actual, mode, path, search, agrees);
  if (isMatcherMap(expected)) return mapAgrees(expected, actual, mode, path, search);
  return objectAgrees(expected, actual, mode, path, search, agrees);
};

/** Full equality: nothing in it is a matcher, and objects hold no other keys. */
const equals: Comparison = (expected, actual, mode, path, search) => {
  spend(search.budget);
  if (expected === null || typeof expected !== 'object') {
    return actual === expected || refuse(search, path, '$eq', expected, actual);
  }
  if (Array.isArray(expected)) return elementsAgree(expected, actual, mode, path, search, equals);
  return objectAgrees(expected, actual, 'exact', path, search, equals);
};

function elementsAgree(
  expected: readonly Json[],
  actual: Json | undefined,
  mode: Mode,
  path: string,
  search: Search,
  part: Comparison,
): boolean {
  if (!Array.isArray(actual)) return refuse(search, path, 'equals', expected as Json[], actual);
  if (!search.exhaustive && actual.length > expected.length) return false;
  let same = true;
  for (const [index, wanted] of expected.entries()) {
    const at = search.found === null ? '' : child(path, index);
    if (part(wanted, actual[index], mode, at, search)) continue;
    if (!search.exhaustive) return false;
    same = false;
  }
  for (let index = expected.length; index < actual.length; index += 1) {
    same = refuse(search, search.found === null ? '' : child(path, index), 'equals', undefined, actual[index]);
  }
  return same;
}

function objectAgrees(
  expected: { [key: string]: Json },
  actual: Json | undefined,
  mode: Mode,
  path: string,
  search: Search,
  part: Comparison,
): boolean {
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) {
    return refuse(search, path, 'equals', expected, actual);
  }
  let same = true;
  for (const key of keysOf(expected, search)) {
    const at = search.found === null ? '' : child(path, key);
    if (part(expected[key] ?? null, ownValue(actual, key), mode, at, search)) continue;
    if (!search.exhaustive) return false;
    same = false;
  }
  if (mode === 'partial') return same;
  for (const key of keysOf(actual, search)) {
    if (Object.hasOwn(expected, key)) continue;
    if (!search.exhaustive) return false;
    same = refuse(search, search.found === null ? '' : child(path, key), 'exact', undefined, actual[key]);
  }
  return same;
}

function mapAgrees(
  expected: { [key: string]: Json },
  actual: Json | undefined,
  mode: Mode,
  path: string,
  search: Search,
): boolean {
  let same = true;
  for (const operator of keysOf(expected, search)) {
    if (!isMatcherName(operator)) throw new McproveError('GRADE002', `there is no matcher ${operator}`);
    const operand = expected[operator] ?? null;
    if (OPERATORS[operator]({ operator, operand, actual, mode, path, search, agrees, equals })) continue;
    if (!search.exhaustive) return false;
    same = false;
  }
  return same;
}

/** Sorted where the differences are shown, so that they come in one order whatever the order of keys. */
function keysOf(value: { [key: string]: Json }, search: Search): string[] {
  const keys = Object.keys(value);
  return search.found === null ? keys : keys.sort();
}

/** Own keys alone: `__proto__` and `toString` are plain data, there or not. */
function ownValue(value: { [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
