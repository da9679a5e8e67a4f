/** The expected route written out, and what can be wrong with it as a whole. */
import type { Json } from '../../record.ts';
import type { CallsInput, EntryInput, LongCallInput, OneCallInput } from '../keys/calls.ts';
import type { ExpectedCall, MatchOptions, Route, RouteEntry } from '../model.ts';
import { child } from '../pointer.ts';
import type { Report } from '../report.ts';
import { countOf, expectOf } from './parts.ts';

/** Each combination of alternatives is a route that grading tries. */
const MOST_COMBINATIONS = 64;

export function routeOf(input: CallsInput, at: string): Route {
  if (typeof input === 'string') return { at, expected: [] };
  return { at, expected: input.map((entry, index) => entryOf(entry, child(at, index))) };
}

function entryOf(entry: EntryInput, at: string): RouteEntry {
  if (!isAlternatives(entry)) return callOf(entry, at);
  const anyOf = entry.anyOf.map((alternative, index) => {
    const place = child(child(at, 'anyOf'), index);
    if (!Array.isArray(alternative)) return [callOf(alternative, place)];
    return alternative.map((call, position) => callOf(call, child(place, position)));
  });
  return { at, anyOf };
}

function callOf(input: OneCallInput, at: string): ExpectedCall {
  if (typeof input === 'string') return { at, tool: input, count: null };
  if (!isLong(input)) {
    const [[tool, args] = ['', null]] = Object.entries(input);
    return { at, tool, count: null, ...(args !== null && { arguments: args as Json }) };
  }
  const { tool, arguments: args, count, result } = input;
  return {
    at,
    tool,
    count: count === undefined ? null : countOf(count),
    ...(args !== undefined && { arguments: args }),
    ...(result !== undefined && { result: expectOf(result, child(at, 'result')) }),
  };
}

type Alternatives = { anyOf: (OneCallInput | OneCallInput[])[] };

function isAlternatives(entry: EntryInput): entry is Alternatives {
  return typeof entry === 'object' && Object.hasOwn(entry, 'anyOf');
}

function isLong(call: Exclude<OneCallInput, string>): call is LongCallInput {
  return Object.hasOwn(call, 'tool');
}

/** Reports what of a route does not go together. */
export function checkRoute(route: Route, match: MatchOptions, report: Report): void {
  let combinations = 1;
  for (const entry of route.expected) {
    if ('anyOf' in entry) combinations *= entry.anyOf.length;
    const calls = 'anyOf' in entry ? entry.anyOf.flat() : [entry];
    if (match.order !== 'any') for (const call of calls) checkCount(call, match, report);
  }
  if (combinations <= MOST_COMBINATIONS) return;
  const figure = combinations.toLocaleString('en');
  report.add('SUITE024', route.at, `the alternatives make ${figure} routes; the limit is ${MOST_COMBINATIONS}`, {
    key: true,
    hint: 'Make several cases of it.',
  });
}

/** Which of several calls a range takes is only settled where order does not matter. */
function checkCount({ count, at }: ExpectedCall, match: MatchOptions, report: Report): void {
  if (count === null || count.min === count.max) return;
  const message = `a range of calls needs the order any; here it is ${match.order}`;
  report.add('SUITE023', child(at, 'count'), message, {
    key: true,
    hint: 'Give an exact number, or leave out match.order.',
  });
}
