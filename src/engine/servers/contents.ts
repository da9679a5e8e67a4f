/** What a server offers besides tools, read leniently: entries without a name are left out, odd texts are taken as absent. */
import type { CallError, Json } from '../record.ts';
import type { Answer, Prompt, PromptText, Resource } from './connection.ts';
import { isObject } from './isObject.ts';
import { shortJson } from './serverLine.ts';

export function readResources(entries: readonly Json[]): Resource[] {
  return entries.flatMap((entry) => {
    if (!isObject(entry) || typeof entry.uri !== 'string') return [];
    const { uri, name, description, mimeType } = entry;
    return { uri, name: textOf(name) ?? uri, description: textOf(description) ?? '', mimeType: textOf(mimeType) };
  });
}

export function readPrompts(entries: readonly Json[]): Prompt[] {
  return entries.flatMap((entry) => {
    if (!isObject(entry) || typeof entry.name !== 'string') return [];
    const args = Array.isArray(entry.arguments) ? entry.arguments : [];
    return {
      name: entry.name,
      description: textOf(entry.description) ?? '',
      arguments: args.flatMap((argument) =>
        isObject(argument) && typeof argument.name === 'string'
          ? { name: argument.name, required: argument.required === true }
          : [],
      ),
    };
  });
}

/** The answer to `resources/read`. */
export function readContents(answer: Json): Answer<Json[]> {
  if (isObject(answer) && Array.isArray(answer.contents)) return { value: answer.contents };
  return { error: malformed('resources/read', answer) };
}

/** The answer to `prompts/get`. */
export function readPromptText(answer: Json): Answer<PromptText> {
  if (isObject(answer) && Array.isArray(answer.messages)) {
    return { value: { description: textOf(answer.description) ?? '', messages: answer.messages } };
  }
  return { error: malformed('prompts/get', answer) };
}

function malformed(method: string, answer: Json): CallError {
  return { kind: 'protocol', text: `The answer to ${method} is none: ${shortJson(answer)}.` };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
