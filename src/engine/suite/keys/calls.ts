/** The expected route of a case: each form in which an expected call can be written. */
import { z } from 'zod';
import { check, isMap } from '../check.ts';
import { refuse, unknownKey } from '../explain.ts';
import { nearest } from '../nearest.ts';
import { child } from '../pointer.ts';
import { reads } from '../readings.ts';
import type { Report } from '../report.ts';
import { key, ToolPattern, whole } from './scalars.ts';
import { Expectation, ExpectedArguments } from './values.ts';

const Times = reads(z.int().min(1).max(1000), {
  expects: 'a whole number from 1 to 1000',
  isBounded: true,
  remedy: (value) => (value === 0 ? { hint: 'For "never called" use toolNotCalled.' } : undefined),
});

const CountRange = reads(
  z.strictObject({
    min: whole(0, 1000).meta({ description: 'At least so many such calls.', examples: [1] }),
    max: whole(1, 1000).meta({
      description: 'At most so many; one more is an extra that always counts.',
      examples: [3],
    }),
  }),
  {
    check: (value, pointer, report) => {
      const { min, max } = value as { min: number; max: number };
      return min <= max || report.add('SUITE016', pointer, `min ${min} is greater than max ${max}`);
    },
  },
);

const CallCount = reads(z.union([Times, CountRange]), {
  choose: (value) => (isMap(value) ? CountRange : Times),
});

const LongCall = reads(
  z.strictObject({
    tool: ToolPattern.meta({ description: 'Name or glob of the tool, perhaps with its server.', examples: ['get_*'] }),
    arguments: key(ExpectedArguments, 'What the arguments must match.', { city: 'Berlin' }),
    count: key(CallCount, 'How many such calls: exactly so many, or { min, max }.', 2, { min: 1, max: 3 }),
    result: key(Expectation, 'What the result must match. Without it the call must not end in an error.', {
      isError: true,
    }),
  }),
  { title: () => 'an expected call' },
);

const ShortCall = reads(z.record(ToolPattern, z.union([ExpectedArguments, z.null()])), {
  walk: (value, pointer, report) => {
    const [[tool, args] = ['', null]] = Object.entries(value as Record<string, unknown>);
    const at = child(pointer, tool);
    if (!isPlainKey(tool, at, report)) return false;
    return check(ToolPattern, tool, at, report) && (args === null || check(ExpectedArguments, args, at, report));
  },
});

/** A tool's name in a key is taken as it stands. */
export function isPlainKey(tool: string, pointer: string, report: Report): boolean {
  if (!tool.includes('{{')) return true;
  const hint = `Write { tool: '${tool}' }.`;
  return report.add('SUITE015', pointer, 'a placeholder in a key is not filled', { key: true, hint });
}

/** One call: its name, its name and arguments, or the long form. */
const OneCall = reads(z.union([ToolPattern, ShortCall, LongCall]).meta({ id: 'call' }), {
  choose: (value, pointer, report) => chooseCall(value, pointer, report, ['tool']),
});

const Several = reads(z.array(OneCall).min(1), { expects: 'a list of calls' });

const Alternative = reads(z.union([OneCall, Several]), {
  choose: (value, pointer, report) => {
    if (!Array.isArray(value)) return OneCall;
    return isWhole(value, pointer, report) && Several;
  },
});

const Alternatives = z.strictObject({
  anyOf: reads(z.array(Alternative).min(1), { expects: 'a list of calls, or of lists of calls' }).meta({
    description: 'One of these: each a call, or a list of calls that is a whole route.',
    examples: [['search_docs', 'lookup_docs']],
  }),
});

const Entry = reads(z.union([ToolPattern, ShortCall, LongCall, Alternatives]), {
  choose: (value, pointer, report) =>
    isMap(value) && Object.hasOwn(value, 'anyOf')
      ? Alternatives
      : chooseCall(value, pointer, report, ['tool', 'anyOf']),
});

const Entries = reads(z.array(Entry).min(1), {
  expects: 'a list of expected calls, or none',
  remedy: (value) => {
    if (Array.isArray(value)) return { hint: 'For "no tool may be called" write none.' };
    const [tool] = isMap(value) ? Object.keys(value) : [];
    if (tool !== undefined) return { hint: `Write a list: "- ${tool === 'tool' ? 'tool: …' : `${tool}: {…}`}".` };
    return typeof value === 'string' ? { hint: `Write a list: [${value}].` } : undefined;
  },
});

const None = z.literal('none');

export const Calls = reads(z.union([None, Entries]), {
  choose: (value, pointer, report) => {
    if (value === 'none') return None;
    return (!Array.isArray(value) || isWhole(value, pointer, report)) && Entries;
  },
});

export type CallsInput = z.infer<typeof Calls>;
export type EntryInput = z.infer<typeof Entry>;
export type OneCallInput = z.infer<typeof OneCall>;
export type LongCallInput = z.infer<typeof LongCall>;

const LONG_KEYS = Object.keys(LongCall.shape);

/**
 * False, and told, where a call in its long form lacks its braces: `[tool: a, result: b]` is a list of two maps.
 */
export function isWhole(calls: readonly unknown[], pointer: string, report: Report): boolean {
  const loose = calls.findIndex((call, index) => {
    const key = onlyKey(call);
    return key !== 'tool' && key !== undefined && LONG_KEYS.includes(key) && onlyKey(calls[index - 1]) === 'tool';
  });
  const key = onlyKey(calls[loose]);
  if (key === undefined) return true;
  const { tool } = calls[loose - 1] as { tool: unknown };
  const message = `"${key}" stands beside the call that it belongs to, as a call of its own`;
  const hint = `Write { tool: ${String(tool)}, ${key}: … }, or a block with each key on a line of its own.`;
  return report.add('SUITE003', child(child(pointer, loose), key), message, { key: true, hint });
}

function onlyKey(call: unknown): string | undefined {
  const [key, ...rest] = isMap(call) ? Object.keys(call) : [];
  return rest.length > 0 ? undefined : key;
}

/** @param markers keys that, misspelt, would be taken for a tool's name */
function chooseCall(value: unknown, pointer: string, report: Report, markers: string[]): z.ZodType | false {
  if (typeof value === 'string') return ToolPattern;
  if (!isMap(value)) return refuse(ExpectedCall, value, pointer, report);
  if (Object.hasOwn(value, 'tool')) return LongCall;
  if (Array.isArray(value.anyOf)) {
    const more = { key: true, hint: 'List them side by side.' };
    return report.add('SUITE003', child(pointer, 'anyOf'), 'alternatives cannot hold alternatives', more);
  }
  const keys = Object.keys(value);
  const misspelt = keys.find((name) => !LONG_KEYS.includes(name) && isMisspelt(name, value[name], markers));
  if (misspelt !== undefined) {
    return unknownKey(misspelt, child(pointer, misspelt), markers, 'an expected call', report);
  }
  const [first] = keys;
  if (first === undefined) return refuse(ExpectedCall, value, pointer, report);
  if (keys.length === 1) return ShortCall;
  const tool = keys.find((name) => !LONG_KEYS.includes(name)) ?? first;
  const found = keys.slice(0, MOST_NAMED).join(', ') + (keys.length > MOST_NAMED ? ', …' : '');
  return report.add('SUITE003', pointer, `an expected call has one key, its tool; found ${found}`, {
    hint: `With more write { tool: ${tool}, arguments: …, count: … }.`,
  });
}

const MOST_NAMED = 5;

/** A tool may well be named almost like one of our keys; then its value is a map of arguments, or nothing. */
function isMisspelt(name: string, value: unknown, markers: readonly string[]): boolean {
  return !isMap(value) && value !== null && nearest(name, markers) !== undefined;
}

/** Asks for a call where something else stands. */
const ExpectedCall = reads(z.unknown(), {
  expects: 'the name of a tool, { name: arguments }, or { tool, arguments, … }',
});
