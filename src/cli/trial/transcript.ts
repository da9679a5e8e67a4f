/** All that happened in a trial, in order, in full. */
import {
  type Call,
  type CallResult,
  inlineJson,
  type Json,
  quotation,
  type Reply,
  type Step,
  type Trial,
  visible,
  visibleLine,
} from '../../engine/index.ts';
import { duration } from '../text/duration.ts';
import { counted } from '../text/figures.ts';
import { indent, inset, type Page } from '../text/page.ts';
import { width, wrap } from '../text/width.ts';
import { CALL_ERROR, callName } from './calls.ts';
import { member } from './subject.ts';

const MOST_INLINE = 300;
/** Replies, and calls, of one step that are told; a trace may hold hundreds of thousands. */
const MOST_TOLD = 1000;

export function transcriptLines(trial: Trial, page: Page): string[] {
  return trial.transcript.steps.flatMap((step) => ['', ...stepLines(step, page)]);
}

function stepLines(step: Step, page: Page): string[] {
  const entries = [...inputEntries(step, page)];
  const position = (index: number): string => (step.calls.length > 1 ? `call ${index + 1} ` : 'call ');
  const numbered = step.calls.slice(0, MOST_TOLD).map((call, index) => ({ call, title: position(index) }));
  const left = Map.groupBy(numbered, ({ call }) => call.id);
  for (const reply of step.replies.slice(0, MOST_TOLD)) {
    const calls = reply.calls.slice(0, MOST_TOLD).flatMap((id) => left.get(id) ?? []);
    for (const { call } of calls) left.delete(call.id);
    entries.push(replyLines(reply, reply.calls.length, page));
    for (const { call, title } of calls) entries.push(callLines(call, title, page));
  }
  for (const { call, title } of [...left.values()].flat()) entries.push(callLines(call, title, page));
  const more = [
    ...(step.replies.length > MOST_TOLD ? [counted(step.replies.length - MOST_TOLD, 'turn')] : []),
    ...(step.calls.length > MOST_TOLD ? [counted(step.calls.length - MOST_TOLD, 'call')] : []),
  ];
  if (more.length > 0) entries.push([page.ink.dim(`… and ${more.join(' and ')} more; the run file has them all`)]);
  return entries.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function inputEntries({ kind, input }: Step, page: Page): string[][] {
  if (kind === 'tool') return [];
  if (kind === 'trace') return [block('trace', [], textLines(String(member(input, 'path') ?? ''), page), page)];
  const system = member(input, 'system');
  const prompt = member(input, 'prompt');
  const entries = typeof system === 'string' ? [block('system', [], textLines(system, page), page)] : [];
  if (typeof prompt === 'string') entries.push(block('prompt', [], textLines(prompt, page), page));
  return entries;
}

function replyLines(reply: Reply, calls: number, page: Page): string[] {
  const facts = [duration(reply.durationMs)];
  const { inputTokens, outputTokens } = reply.usage;
  if (inputTokens !== null && outputTokens !== null) facts.push(`${inputTokens} + ${outputTokens} tokens`);
  if (!['stop', 'tool-calls'].includes(reply.finish)) facts.push(`ended by ${visibleLine(reply.finish)}`);
  const text =
    reply.text === '' ? [page.ink.dim(calls > 0 ? 'asks for calls' : '(no text)')] : textLines(reply.text, page);
  const warnings = reply.warnings.map((warning) => page.ink.yellow(`warning: ${visibleLine(warning)}`));
  return block('model', facts, [...text, ...warnings], page);
}

function callLines(call: Call, title: string, page: Page): string[] {
  const facts = [duration(call.durationMs)];
  if (call.by === 'runner') facts.push('made by the runner');
  if (call.mocked) facts.push('mocked');
  if (call.argumentsValid === false) facts.push("arguments break the tool's schema");
  if (call.resultValid === false) facts.push("result breaks the tool's output schema");
  const { ink } = page;
  // Never as arguments of `push`: of a long result there may be more lines than a call takes.
  const result = call.result === undefined ? [] : resultLines(call.result, page);
  const lines = [...jsonLines(call.arguments, page), ...result];
  if (call.error !== undefined && !(call.error.kind === 'content' && call.result !== undefined)) {
    const { sentence, quoted, after } = quotation(call.error.text);
    const [first = '', ...rest] = textLines(`${CALL_ERROR[call.error.kind]}: ${sentence}`, page);
    lines.push(ink.red(`✗ ${first}`), ...indent(rest, 2).map((line) => ink.red(line)));
    if (quoted.length > 0) {
      const words = textLines(quoted.join('\n'), inset(page, 4));
      lines.push(...indent([ink.dim('last lines on stderr:'), ...indent(words, 2)], 2));
    }
    if (after !== '') lines.push(...indent(textLines(after, inset(page, 2)), 2));
  }
  return block(`${title}${callName(call, true)}`, facts, lines, page);
}

function resultLines(result: CallResult, page: Page): string[] {
  const { ink } = page;
  const inner = inset(page, 2);
  const { content, structured } = result;
  const isTold = structured === undefined || isJsonOf(content, structured);
  const more = isTold ? [] : [ink.dim('structured'), ...jsonLines(structured, inner)];
  const shown = [...content.flatMap((part) => contentLines(part, inner)), ...more];
  if (result.cut) shown.push(ink.yellow(`(cut off here; ${result.bytes.toLocaleString('en-US')} bytes in all)`));
  if (shown.length === 0) shown.push(ink.dim('(empty)'));
  if (result.isError) return [ink.red('✗ answered with an error'), ...indent(shown, 2)];
  return shown.map((line, index) => (index === 0 ? `${ink.dim('→')} ${line}` : `  ${line}`));
}

/** Servers send structured content as JSON text too; once is enough to read. */
function isJsonOf(content: readonly Json[], structured: Json): boolean {
  const text = content.length === 1 ? member(content[0] ?? null, 'text') : undefined;
  if (typeof text !== 'string') return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

function contentLines(part: Json, page: Page): string[] {
  const type = member(part, 'type');
  const text = member(part, 'text');
  if (type === 'text' && typeof text === 'string') return textLines(text, page);
  const data = member(part, 'data');
  if (typeof data === 'string') {
    const bytes = Math.floor((data.length * 3) / 4);
    const format = String(member(part, 'mimeType') ?? 'of no stated type');
    return [page.ink.dim(visibleLine(`(${String(type)}, ${format}, ${bytes.toLocaleString('en-US')} bytes)`))];
  }
  return jsonLines(part, page);
}

function block(title: string, facts: readonly string[], lines: readonly string[], page: Page): string[] {
  const { bold, dim } = page.ink;
  const more = facts.length === 0 ? '' : `  ${dim(facts.join(' · '))}`;
  return [`${bold(visibleLine(title))}${more}`, ...indent(lines, 2)];
}

function textLines(text: string, page: Page): string[] {
  return wrap(visible(text).replaceAll('\t', '    '), inset(page, 2).columns);
}

/** On one line where it fits. */
function jsonLines(value: Json, page: Page): string[] {
  const line = inlineJson(value, MOST_INLINE);
  if (!line.endsWith('…') && width(line) <= page.columns - 2) return [line];
  return textLines(JSON.stringify(value, null, 2), page);
}
