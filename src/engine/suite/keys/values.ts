/** Values to compare with, and values as they are. */
import { z } from 'zod';
import type { Json } from '../../record.ts';
import { isMap } from '../check.ts';
import { checkMatchers } from '../checkMatchers.ts';
import { refuse } from '../explain.ts';
import { MatcherValue } from '../matchers.ts';
import { checkPlain } from '../oddNumbers.ts';
import { reads } from '../readings.ts';
import { Flag, key } from './scalars.ts';

/** A value with matchers anywhere in it. */
export const Matcher = reads(MatcherValue, { walk: checkMatchers });

/** Expected arguments: a map, with matchers anywhere in it. */
export const ExpectedArguments: z.ZodType<Json> = reads(
  z.record(z.string(), Matcher).meta({ id: 'expectedArguments' }),
  {
    expects: 'a map of arguments',
    walk: (value, pointer, report) =>
      isMap(value) ? checkMatchers(value, pointer, report) : refuse(ExpectedArguments, value, pointer, report),
  },
);

const AnyJson = z.unknown() as z.ZodType<Json>;

/** Arguments that are sent: nothing in them is a matcher. */
export const SentArguments = reads(z.record(z.string(), AnyJson), {
  expects: 'a map of arguments',
  check: checkPlain,
});

/** A map of anything. */
export const FreeMap = reads(z.record(z.string(), AnyJson), { expects: 'a map', check: checkPlain });

/** What a result must be. */
export const Expectation = reads(
  z
    .strictObject({
      text: key(Matcher, "The result's text blocks, one per line.", { $contains: '°C' }),
      json: key(Matcher, 'The structured content, else the first text block read as JSON.', { status: 'pending' }),
      isError: key(Flag, 'Whether the call must end in an error. Without it, it must not.', true),
    })
    .meta({ id: 'expectation' }),
  {
    check: (value, pointer, report) =>
      Object.keys(value as object).length > 0 ||
      report.add('SUITE003', pointer, 'expected text, json or isError; found an empty map'),
  },
);

export type ExpectationInput = z.infer<typeof Expectation>;
