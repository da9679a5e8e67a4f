/** Small pieces of the file written out: one form for what may be written in several. */
import type { Json } from '../../record.ts';
import { durationMs } from '../duration.ts';
import type { ConditionInput, SeveralInput } from '../keys/conditions.ts';
import type { BoundInput, LimitsInput } from '../keys/limits.ts';
import type { ScriptInput } from '../keys/script.ts';
import type { ExpectationInput } from '../keys/values.ts';
import type { Bound, Expect, Limits, ScriptReply, ToolCondition, Words } from '../model.ts';
import { MONEY, usd } from '../money.ts';
import { child } from '../pointer.ts';

/** A list of things that must all hold, each a list of alternatives. */
export function wordsOf(input: SeveralInput): Words {
  if (typeof input === 'string') return [[input]];
  if (!Array.isArray(input)) return [input.anyOf];
  return input.map((each) => (typeof each === 'string' ? [each] : each.anyOf));
}

export function expectOf(input: ExpectationInput, at: string): Expect {
  const { text, json, isError } = input;
  return {
    at,
    ...(text !== undefined && { text }),
    ...(json !== undefined && { json }),
    ...(isError !== undefined && { isError }),
  };
}

/** `count: 2` means exactly 2. An open end of a range is 0, or a number that no trial reaches. */
export function countOf(input: number | { min?: number | undefined; max?: number | undefined }): Count {
  if (typeof input === 'number') return { min: input, max: input };
  return { min: input.min ?? 0, max: input.max ?? Number.MAX_SAFE_INTEGER };
}

type Count = { min: number; max: number };

export function conditionOf(input: ConditionInput, at: string): ToolCondition {
  if (typeof input === 'string' || Array.isArray(input) || 'anyOf' in input)
    return { tools: wordsOf(input), count: null };
  const { tool, arguments: args, count, result } = input;
  return {
    tools: wordsOf(tool),
    count: count === undefined ? null : countOf(count),
    ...(args !== undefined && { arguments: args as Json }),
    ...(result !== undefined && { result: expectOf(result, child(at, 'result')) }),
  };
}

export function limitsOf(input: LimitsInput): Limits {
  const { toolCalls, turns, tokens, cost, duration, toolDuration } = input;
  return {
    ...(toolCalls !== undefined && { toolCalls: boundOf(toolCalls) }),
    ...(turns !== undefined && { turns: boundOf(turns) }),
    ...(tokens !== undefined && { tokens: boundOf(tokens) }),
    ...(cost !== undefined && { costUsd: boundOf(cost) }),
    ...(duration !== undefined && { durationMs: boundOf(duration) }),
    ...(toolDuration !== undefined && {
      toolDurationMs: Object.fromEntries(Object.entries(toolDuration).map(([tool, bound]) => [tool, boundOf(bound)])),
    }),
  };
}

/** One figure alone is the most there may be. Durations become milliseconds, amounts US dollars. */
function boundOf(input: BoundInput): Bound {
  if (typeof input !== 'object') return { min: null, max: figureOf(input) };
  return { min: figureOf(input.min), max: figureOf(input.max) };
}

function figureOf(figure: number | string | undefined): number | null {
  if (figure === undefined) return null;
  if (typeof figure === 'number') return figure;
  return MONEY.test(figure) ? usd(figure) : durationMs(figure);
}

export function scriptOf(input: ScriptInput, at: string): ScriptReply[] {
  return input.map(({ say, calls, fails }, index) => ({
    at: child(at, index),
    say: say ?? null,
    calls: (calls ?? []).map(scriptCallOf),
    fails: fails ?? null,
  }));
}

function scriptCallOf(input: NonNullable<ScriptInput[number]['calls']>[number]): ScriptReply['calls'][number] {
  if (typeof input === 'string') return { tool: input, arguments: {} };
  if (Object.hasOwn(input, 'tool')) {
    const { tool, arguments: args } = input as { tool: string; arguments?: Arguments };
    return { tool, arguments: args ?? {} };
  }
  const [[tool, args] = ['', null]] = Object.entries(input as Record<string, Arguments | null>);
  return { tool, arguments: args ?? {} };
}

type Arguments = Record<string, Json>;
