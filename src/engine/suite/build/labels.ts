/** An assertion in a few words: `toolNotCalled: delete_*`, `limits: toolCalls ≤ 3`. */
import type { Json } from '../../record.ts';
import { formatDuration } from '../duration.ts';
import type { AssertionBody, Bound, Expect, Limits, ToolCondition, Words } from '../model.ts';

const LONGEST = 80;

export function labelOf(body: AssertionBody): string {
  const detail = detailOf(body).replaceAll(/\s+/g, ' ');
  if (detail === '') return body.kind;
  const label = `${body.kind}: ${detail}`;
  return label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
}

function detailOf(body: AssertionBody): string {
  switch (body.kind) {
    case 'toolCalled':
    case 'toolNotCalled':
      return condition(body.value);
    case 'onlyTools':
      return body.value.join(', ');
    case 'toolOrder':
      return body.value.join(' → ');
    case 'firstTool':
    case 'lastTool':
      return body.value;
    case 'resultsValid':
      return body.value.last ? 'the last of each tool' : '';
    case 'result':
      return [body.value.tool, expectation(body.value.expect)].filter((part) => part !== null).join(' ');
    case 'resultContains':
    case 'responseContains':
    case 'responseMatches':
      return words(body.value);
    case 'response':
    case 'responseJson':
      return inline(body.value);
    case 'limits':
      return limits(body.value);
    case 'noToolErrors':
    case 'argumentsValid':
    case 'responseNotEmpty':
      return '';
  }
}

function words(all: Words): string {
  return all.map((alternatives) => alternatives.join(' or ')).join(', ');
}

function condition({ tools, arguments: args, count, result }: ToolCondition): string {
  const parts = [words(tools)];
  if (args !== undefined) parts.push(inline(args));
  if (count !== null) parts.push(times(count));
  if (result !== undefined) parts.push(`with ${expectation(result)}`);
  return parts.join(' ');
}

function times({ min, max }: { min: number; max: number }): string {
  if (min === max) return `${min} times`;
  return max === Number.MAX_SAFE_INTEGER ? `at least ${min} times` : `${min} to ${max} times`;
}

function expectation({ text, json, isError }: Expect): string {
  const parts: string[] = [];
  if (isError !== undefined) parts.push(isError ? 'an error' : 'no error');
  if (text !== undefined) parts.push(`text ${inline(text)}`);
  if (json !== undefined) parts.push(`json ${inline(json)}`);
  return parts.join(', ');
}

function inline(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function limits({ toolCalls, turns, tokens, durationMs, toolDurationMs = {} }: Limits): string {
  const parts = [
    bound('toolCalls', toolCalls, String),
    bound('turns', turns, String),
    bound('tokens', tokens, String),
    bound('duration', durationMs, formatDuration),
    ...Object.entries(toolDurationMs).map(([tool, value]) => bound(tool, value, formatDuration)),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function bound(name: string, value: Bound | undefined, show: (figure: number) => string): string {
  if (value === undefined) return '';
  const least = value.min === null ? '' : `${show(value.min)} ≤ `;
  const most = value.max === null ? '' : ` ≤ ${show(value.max)}`;
  return least !== '' && most === '' ? `${name} ≥ ${show(value.min ?? 0)}` : `${least}${name}${most}`;
}
