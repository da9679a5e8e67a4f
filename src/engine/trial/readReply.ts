import type { LanguageModelV4Content, LanguageModelV4GenerateResult, SharedV4Warning } from '@ai-sdk/provider';
import type { Usage } from '../record.ts';
import { readUsage } from './usage.ts';

export type Finish = LanguageModelV4GenerateResult['finishReason']['unified'];
type ToolCallPart = Extract<LanguageModelV4Content, { type: 'tool-call' }>;

/** A model's reply as far as it concerns us. */
export interface ReadReply {
  text: string;
  /** The calls it asks for, in order. They stand in `content` too. */
  asked: ToolCallPart[];
  /** What goes into the conversation. */
  content: LanguageModelV4Content[];
  finish: Finish;
  usage: Usage;
  warnings: string[];
}

/**
 * Reads what a provider made of a reply. Providers leave out what their types promise and send what they do not, so nothing
 * is taken for granted.
 */
export function readReply(result: Partial<LanguageModelV4GenerateResult> | undefined): ReadReply {
  const warnings = listOf(result?.warnings).map(warningText);
  const content: LanguageModelV4Content[] = [];
  for (const part of listOf<LanguageModelV4Content | null | undefined>(result?.content)) {
    if (part === null || part === undefined || !isUsable(part))
      warnings.push(`the reply held something that was left out: ${part?.type}`);
    else content.push(part.type === 'tool-call' ? asWritten(part) : part);
  }
  const { unified, raw } = readFinish(result?.finishReason);
  if ((unified === undefined || unified === 'other') && raw !== undefined) {
    warnings.push(`unknown finish reason "${raw}"`);
  }
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    asked: content.filter((part) => part.type === 'tool-call'),
    content,
    finish: unified ?? 'other',
    usage: readUsage(result?.usage),
    warnings,
  };
}

/** Google ends a reply whose call it cannot read in an error. That is the model's mistake, and not the provider's. */
function readFinish(reason: LanguageModelV4GenerateResult['finishReason'] | undefined): {
  unified: Finish | undefined;
  raw: string | undefined;
} {
  const { unified, raw } = reason ?? {};
  const isOwnMistake = unified === 'error' && raw !== undefined && /^(?:MALFORMED|UNEXPECTED)_/.test(raw);
  return { unified: isOwnMistake ? 'other' : unified, raw };
}

function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? value : [];
}

/** Some compatible endpoints send the arguments as JSON and not as text, or no id. */
function asWritten(call: ToolCallPart): ToolCallPart {
  const { toolCallId, input }: { toolCallId: unknown; input: unknown } = call;
  return {
    ...call,
    toolCallId: typeof toolCallId === 'string' ? toolCallId : '',
    input: typeof input === 'string' ? input : (JSON.stringify(input) ?? ''),
  };
}

/**
 * Left out are the tools that a provider runs by itself (no server of the suite sees them) and files given by URL, which the
 * AI SDK would go and download.
 */
function isUsable(part: LanguageModelV4Content): boolean {
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string';
    case 'reasoning':
    case 'custom':
    case 'source':
      return true;
    case 'file':
    case 'reasoning-file':
      return part.data?.type === 'data';
    case 'tool-call':
      return part.providerExecuted !== true && typeof part.toolName === 'string';
    default:
      return false;
  }
}

function warningText(warning: SharedV4Warning | null): string {
  switch (warning?.type) {
    case 'unsupported':
      return `not supported: ${warning.feature}${details(warning.details)}`;
    case 'compatibility':
      return `in compatibility mode: ${warning.feature}${details(warning.details)}`;
    case 'deprecated':
      return `deprecated: ${warning.setting}${details(warning.message)}`;
    case 'other':
      return warning.message;
    default:
      return String(JSON.stringify(warning));
  }
}

function details(text: string | undefined): string {
  return text === undefined ? '' : `: ${text}`;
}
