import type { Json } from '../record.ts';
import type { CallOutcome, Tool } from '../servers/index.ts';
import { isMap, type JsonMap, Schemas } from './schemas.ts';

/** Fields of an answer that are asked for. */
const MOST_FIELDS = 5;

/**
 * What can be asked of every good answer of a tool, from one that came: the fields it declares, with their types; that it
 * speaks of what it was asked for; or that it says anything at all. Not the answer itself, which may be another tomorrow.
 *
 * @param outcome null where the tool was not called
 */
export function expectationFrom(outcome: CallOutcome | null, tool: Pick<Tool, 'outputSchema'>, args: JsonMap): JsonMap {
  const { structured } = outcome?.result ?? {};
  if (isMap(structured)) return { json: fieldsOf(structured, tool.outputSchema ?? null) ?? '$object' };
  const text = textOf(outcome);
  if (text === '') return { isError: false };
  const echoed = Object.values(args).find(
    (value) => typeof value === 'string' && isTelling(value) && text.includes(value),
  );
  if (typeof echoed === 'string') return { text: { $contains: echoed.replaceAll('{{', '{{{{') } };
  return isObjectText(text) ? { json: '$object' } : { text: { $size: { min: 1 } } };
}

/** The text blocks of a result, one under the other. */
export function textOf(outcome: CallOutcome | null): string {
  return (outcome?.result?.content ?? [])
    .flatMap((block) => (isMap(block) && block.type === 'text' && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

function isTelling(text: string): boolean {
  return text.length >= 3 && text.length <= 60;
}

/** Of what is declared as required, whatever came; null where that is nothing. */
function fieldsOf(answer: JsonMap, outputSchema: Json): JsonMap | null {
  const schemas = new Schemas(outputSchema);
  const names = schemas.required(schemas.resolve(outputSchema)).map(([name]) => name);
  const types = names.flatMap((name) => {
    const word = Object.hasOwn(answer, name) && !/^\$|\{\{/.test(name) ? typeWord(answer[name]) : null;
    return word === null ? [] : [[name, word] as const];
  });
  return types.length === 0 ? null : Object.fromEntries(types.slice(0, MOST_FIELDS));
}

/** Null where the next answer may well be of another type. */
function typeWord(value: Json | undefined): string | null {
  if (Array.isArray(value)) return '$array';
  if (isMap(value)) return '$object';
  if (typeof value === 'string') return '$string';
  if (typeof value === 'number') return '$number';
  return typeof value === 'boolean' ? '$boolean' : null;
}

function isObjectText(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    return isMap(JSON.parse(text) as Json);
  } catch {
    return false;
  }
}
