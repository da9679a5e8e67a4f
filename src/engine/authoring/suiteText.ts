import { stringify } from 'yaml';
import type { Json } from '../record.ts';
import { isMap, type JsonMap } from './schemas.ts';

export interface SuiteParts {
  server: string;
  /** How the file will be called, for the line that says how to run it. */
  fileName: string;
  tool: string;
  arguments: JsonMap;
  /** Arguments to fill in, since the call failed with these values. */
  fillIn: readonly string[];
  /** What the tool's answer has to be. */
  expect: JsonMap;
  /** The answer has a text that the scripted model can repeat. */
  hasText: boolean;
}

/** The text of a first suite: one case made by the runner, and one for a model that a script stands in for. */
export function suiteText(parts: SuiteParts): string {
  const { server, fileName, tool, arguments: args, fillIn, expect, hasText } = parts;
  const sent = placeholderSafe(args);
  const names = Object.keys(args);
  return [
    `# A first suite for the server ${quoted(server)}. Run it with: mcprove run ${fileName}`,
    'mcprove: 1',
    'servers:',
    `  - ${quoted(server)}`,
    '',
    '# The script below stands in for a model, so that nothing here needs a key. For a real model, take away the "#":',
    '# models: [openai/gpt-5.4-mini]',
    '',
    'cases:',
    '  # The runner makes the call itself: does the server do its part?',
    `  - name: ${quoted(`${tool} answers`)}`,
    `    tool: ${quoted(tool)}`,
    ...(names.length === 0 ? [] : ['    arguments:', ...argumentLines(sent, fillIn, 6)]),
    '    expect:',
    ...block(expect, 6),
    '',
    '  # A model is asked: does it choose this tool, with these arguments? Write it as your users would.',
    `  - name: ${quoted(`A model uses ${tool}`)}`,
    `    prompt: ${quoted(promptFor(tool, args))}`,
    '    calls:',
    ...callLines(tool, expectable(sent) ? sent : {}, [], 6),
    '    script: # what the scripted model replies; real models pass over it',
    '      - calls:',
    ...callLines(tool, sent, fillIn, 10),
    `      - say: ${hasText ? `'{{calls[0].text}}'` : `'Done.'`}`,
    '',
  ].join('\n');
}

/** One line of text in single quotes; what that form cannot hold stands in double quotes. */
function quoted(text: string): string {
  return stringify(text, { defaultStringType: 'QUOTE_SINGLE', lineWidth: 0 }).trimEnd();
}

function block(map: JsonMap, indent: number): string[] {
  const text = stringify(map, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN', lineWidth: 0 });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => ' '.repeat(indent) + line);
}

function argumentLines(args: JsonMap, fillIn: readonly string[], indent: number): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const lines = block({ [name]: value }, indent);
    return fillIn.includes(name) ? [`${' '.repeat(indent)}# Fill in a value that your server knows.`, ...lines] : lines;
  });
}

function callLines(tool: string, args: JsonMap, fillIn: readonly string[], indent: number): string[] {
  const space = ' '.repeat(indent);
  const isEmpty = Object.keys(args).length === 0;
  // These names begin the long form of a call.
  if (tool === 'tool' || tool === 'anyOf') {
    const rest = isEmpty ? [] : [`${space}  arguments:`, ...argumentLines(args, fillIn, indent + 4)];
    return [`${space}- tool: ${quoted(tool)}`, ...rest];
  }
  const name = block({ [tool]: null }, 0)[0]?.replace(/: null$/, '') ?? quoted(tool);
  if (isEmpty) return [`${space}- ${name}: {}`];
  return [`${space}- ${name}:`, ...argumentLines(args, fillIn, indent + 4)];
}

/** `Use get_weather with city "Berlin" and days 3.` */
function promptFor(tool: string, args: JsonMap): string {
  const named = Object.entries(args).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const last = named.pop();
  if (last === undefined) return `Use ${tool}.`.replaceAll('{{', '{{{{');
  const all = named.length === 0 ? last : `${named.join(', ')} and ${last}`;
  return `Use ${tool} with ${all}.`.replaceAll('{{', '{{{{');
}

/** With every `{{` of its texts written so that it is none; in keys none is looked for. */
function placeholderSafe(map: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([key, entry]) => [key, safe(entry)]));
}

function safe(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('{{', '{{{{');
  if (Array.isArray(value)) return value.map(safe);
  return isMap(value) ? placeholderSafe(value) : value;
}

/** Whether nothing in it would be read as a matcher. */
function expectable(value: Json): boolean {
  if (Array.isArray(value)) return value.every(expectable);
  if (typeof value === 'string') return !value.startsWith('$');
  return !isMap(value) || Object.entries(value).every(([key, entry]) => !key.startsWith('$') && expectable(entry));
}
