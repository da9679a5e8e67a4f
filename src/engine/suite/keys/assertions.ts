/** Every kind of assertion, one row each: how it is written, and what it becomes. */
import { z } from 'zod';
import { conditionOf, expectOf, limitsOf, wordsOf } from '../build/parts.ts';
import { isMap } from '../check.ts';
import { didYouMean } from '../explain.ts';
import type { AssertionBody, AssertionKind } from '../model.ts';
import { reads } from '../readings.ts';
import { Condition, Patterns, Words } from './conditions.ts';
import { Limits } from './limits.ts';
import { key, Text, ToolPattern } from './scalars.ts';
import { Expectation, Matcher } from './values.ts';

/** What the assertion of a kind holds. */
type ValueOf<Kind extends AssertionKind, Body = AssertionBody> = Body extends { kind: infer Kinds; value: infer Value }
  ? Kind extends Kinds
    ? Value
    : never
  : never;

interface Row<Value> {
  schema: z.ZodType;
  description: string;
  example: unknown;
  /** True where the name alone is an assertion. */
  isBare: boolean;
  /** @param value has passed the schema */
  read(value: unknown, pointer: string): Value;
}

function row<Schema extends z.ZodType, Value>(
  schema: Schema,
  description: string,
  example: unknown,
  read: (value: z.infer<Schema>, pointer: string) => Value,
): Row<Value> {
  return {
    schema,
    description,
    example,
    isBare: false,
    read: (value, pointer) => read(value as z.infer<Schema>, pointer),
  };
}

const Yes = reads(z.union([z.literal(true), z.null()]), {
  expects: 'true',
  remedy: (value) => (value === false ? { hint: 'Leave the assertion out.' } : undefined),
});

function bare<Value>(schema: z.ZodType, description: string, read: (value: unknown) => Value): Row<Value> {
  return { ...row(schema, description, true, read), isBare: true };
}

const LastOnly = z.strictObject({
  last: z.literal(true).meta({ description: 'Only the last call of each tool.', examples: [true] }),
});
const YesOrLast = reads(z.union([Yes, LastOnly]), { choose: (value) => (isMap(value) ? LastOnly : Yes) });

const Tools = reads(z.array(ToolPattern).min(1), { expects: 'a list of tools' });
const Order = reads(z.array(ToolPattern).min(2), {
  expects: 'a list of at least two tools',
  check: (value, pointer, report) =>
    (value as string[]).length > 1 ||
    report.add('SUITE003', pointer, '"toolOrder" must be a list of at least two tools; found one'),
});

const Result = reads(
  z.strictObject({
    tool: key(ToolPattern, 'Only results of this tool.', 'get_weather'),
    ...Expectation.shape,
  }),
  {
    check: (value, pointer, report) =>
      Object.keys(value as object).some((name) => name !== 'tool') ||
      report.add('SUITE003', pointer, 'expected text, json or isError'),
  },
);

export const ASSERTIONS: { [Kind in AssertionKind]: Row<ValueOf<Kind>> } = {
  toolCalled: row(Condition, 'Such a call was made.', 'get_weather', conditionOf),
  toolNotCalled: row(Condition, 'No such call was made.', 'delete_*', conditionOf),
  onlyTools: row(Tools, 'No other tool was called.', ['get_*', 'list_*'], (value) => value),
  firstTool: row(ToolPattern, 'The first call was of this tool.', 'search_city', (value) => value),
  lastTool: row(ToolPattern, 'The last call was of this tool.', 'send_mail', (value) => value),
  toolOrder: row(Order, 'Every call of a tool has one of the tool before it earlier.', ['a', 'b'], (value) => value),
  noToolErrors: bare(Yes, 'No call ended in isError or a protocol failure.', () => null),
  argumentsValid: bare(Yes, "Every call's arguments satisfy the tool's input schema.", () => null),
  resultsValid: bare(YesOrLast, "Every result satisfies the tool's output schema.", (value) => ({
    last: isMap(value),
  })),
  result: row(Result, 'Some result matches.', { tool: 'get_weather', text: { $contains: '°C' } }, (value, pointer) => ({
    tool: value.tool ?? null,
    expect: expectOf(value, pointer),
  })),
  resultContains: row(Words, 'Some result holds this text, whatever its case.', 'sunny', wordsOf),
  response: row(Matcher, 'The final answer matches.', { $startsWith: 'Yes' }, (value) => value),
  responseJson: row(Matcher, 'The final answer, read as JSON, matches.', { status: 'ok' }, (value) => value),
  responseContains: row(Words, 'The final answer holds this text, whatever its case.', ['Berlin', '°C'], wordsOf),
  responseMatches: row(
    Patterns,
    'In the final answer this regular expression (RE2) finds something.',
    '\\d+ °C',
    wordsOf,
  ),
  responseNotEmpty: bare(Yes, 'There is a final answer.', () => null),
  limits: row(Limits, 'Each figure lies within its bound, inclusive.', { toolCalls: 3, duration: '30s' }, limitsOf),
};

const KINDS = Object.keys(ASSERTIONS) as AssertionKind[];
const BARE_KINDS = KINDS.filter((kind) => ASSERTIONS[kind].isBare);

export function isAssertionKind(name: string): name is AssertionKind {
  return Object.hasOwn(ASSERTIONS, name);
}

const AssertionMap = reads(
  z.strictObject({
    ...Object.fromEntries(
      KINDS.map((kind) => [kind, key(ASSERTIONS[kind].schema, ASSERTIONS[kind].description, ASSERTIONS[kind].example)]),
    ),
    name: key(Text, 'Shown instead of the assertion itself.', 'Answers in degrees'),
    role: key(z.enum(['required', 'advisory']), 'Advisory: shown, never fails. Default: required.', 'advisory'),
  }),
  {
    title: () => 'an assertion',
    check: (value, pointer, report) => {
      const kinds = Object.keys(value as object).filter(isAssertionKind);
      if (kinds.length === 1) return true;
      if (kinds.length === 0)
        return report.add('SUITE003', pointer, 'the entry names no assertion', { hint: listed() });
      const message = `one entry holds several assertions: ${kinds.join(', ')}`;
      return report.add('SUITE003', pointer, message, { hint: 'Begin each with "- ".' });
    },
  },
);

function listed(): string {
  return `Known: ${KINDS.join(', ')}.`;
}

const BareAssertion = reads(z.enum(BARE_KINDS), {
  expects: 'the name of an assertion, or a map { assertion: value }',
  remedy: (value) => {
    if (typeof value !== 'string') return undefined;
    if (isAssertionKind(value)) return { hint: `It needs a value: ${value}: …` };
    const { hint = listed(), ...fix } = didYouMean(value, KINDS);
    return { hint, ...fix };
  },
});

/** A bare name, or a map with the assertion and perhaps `name` and `role`. */
const Assertion = reads(z.union([BareAssertion, AssertionMap]).meta({ id: 'assertion' }), {
  choose: (value) => (isMap(value) ? AssertionMap : BareAssertion),
});

export const AssertionList = reads(z.array(Assertion), { expects: 'a list of assertions' });

export type AssertionInput =
  | AssertionKind
  | ({ [Kind in AssertionKind]?: unknown } & { name?: string; role?: 'required' | 'advisory' });
