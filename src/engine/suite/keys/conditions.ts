/** What assertions ask of tools and words: all of a list, or one of `anyOf`. */
import { z } from 'zod';
import { isMap } from '../check.ts';
import { reads } from '../readings.ts';
import { key, Pattern, Text, ToolPattern, whole } from './scalars.ts';
import { Expectation, ExpectedArguments } from './values.ts';

/** A thing, a list that means all of them, or `{ anyOf }` that means one of them, also within the list. */
function several<Schema extends z.ZodType<string>>(one: Schema, what: string, ...example: string[]) {
  const some = reads(z.array(one).min(1), { expects: `a list of ${what}` });
  const anyOf = z.strictObject({ anyOf: some.meta({ description: 'One of these.', examples: [example] }) });
  const element = reads(z.union([one, anyOf]), { choose: (value) => (isMap(value) ? anyOf : one) });
  const all = reads(z.array(element).min(1), { expects: `a list of ${what}` });
  return {
    all,
    anyOf,
    any: reads(z.union([one, all, anyOf]), {
      choose: (value) => (Array.isArray(value) ? all : isMap(value) ? anyOf : one),
    }),
  };
}

export const Words = several(Text, 'texts', 'sunny', 'clear').any;
export const Patterns = several(Pattern, 'regular expressions', '^Yes', '^Sure').any;

const tools = several(ToolPattern, 'tools', 'search_docs', 'lookup_docs');

const Times = whole(0, 1000);
const TimesRange = reads(
  z.strictObject({ min: key(Times, 'At least so many.', 1), max: key(Times, 'At most so many.', 3) }),
  {
    check: (value, pointer, report) => {
      const { min = 0, max = Number.POSITIVE_INFINITY } = value as { min?: number; max?: number };
      if (Object.keys(value as object).length === 0) return report.add('SUITE003', pointer, 'expected min or max');
      return min <= max || report.add('SUITE016', pointer, `min ${min} is greater than max ${max}`);
    },
  },
);

const LongCondition = z.strictObject({
  tool: tools.any.meta({ description: 'The tool, or several.', examples: ['get_weather'] }),
  arguments: key(ExpectedArguments, 'What the arguments of the call match.', { city: 'Berlin' }),
  count: key(
    reads(z.union([Times, TimesRange]), { choose: (value) => (isMap(value) ? TimesRange : Times) }),
    'How many such calls: exactly so many, or { min, max }.',
    2,
  ),
  result: key(Expectation, 'What the result of the call matches.', { text: { $contains: '°C' } }),
});

/** `toolCalled`, `toolNotCalled`: tools, or the long form. */
export const Condition = reads(
  z.union([ToolPattern, tools.all, tools.anyOf, LongCondition]).meta({ id: 'toolCondition' }),
  {
    choose: (value) => {
      if (Array.isArray(value)) return tools.all;
      if (!isMap(value)) return ToolPattern;
      return Object.hasOwn(value, 'anyOf') ? tools.anyOf : LongCondition;
    },
  },
);

export type SeveralInput = z.infer<typeof Words>;
export type ConditionInput = z.infer<typeof Condition>;
