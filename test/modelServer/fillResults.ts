import type { Json } from '../../src/engine/record.ts';
import { isObject, textOf } from './conversation.ts';
import { PlanError } from './planText.ts';

const PLACEHOLDER = /<<\s*([^<>]*?)\s*>>/g;
const FORM = /^calls\[(-?\d+)\]\.(?:(text)|json((?:\.[^.[\]\s]+|\[\d+\])*))$/;

/**
 * Fills `<<calls[n].text>>` and `<<calls[n].json.path[0].to>>` in every text of a value. `n` counts the calls since the plan
 * began from 0, a negative one from the end. A text that is one placeholder and nothing else takes the value with its type;
 * a path that leads nowhere gives null, and nothing inside a longer text.
 *
 * @throws PlanError for a placeholder of another form and for a call that was never made
 */
export function fillResults(value: Json, results: readonly Json[]): Json {
  if (typeof value === 'string') {
    const [first] = value.matchAll(PLACEHOLDER);
    if (first?.[1] === undefined || first[0].length !== value.length) return fillResultsInText(value, results);
    return lookUp(first[1], results) ?? null;
  }
  if (Array.isArray(value)) return value.map((item) => fillResults(item, results));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillResults(item, results)]));
}

/** The same for what stays a text: a value that is no text stands there as JSON. */
export function fillResultsInText(text: string, results: readonly Json[]): string {
  return text.replaceAll(PLACEHOLDER, (_, path: string) => {
    const found = lookUp(path, results) ?? '';
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

function lookUp(path: string, results: readonly Json[]): Json | undefined {
  const form = FORM.exec(path);
  if (form === null) throw new PlanError(`cannot read <<${path}>>: write <<calls[0].text>> or <<calls[0].json.key>>`);
  const result = results.at(Number(form[1]));
  if (result === undefined) throw new PlanError(`<<${path}>>: only ${results.length} calls were made so far`);
  const opened = openResult(result);
  return form[2] === 'text' ? opened.text : walk(opened.json, form[3] ?? '');
}

/**
 * What a tool said, out of the wrappings that clients put around it: JSON text, the whole MCP result, or an object whose
 * `error` is the text.
 */
function openResult(result: Json): { text: string; json: Json | undefined } {
  const json = typeof result === 'string' ? parse(result) : result;
  const whole = typeof result === 'string' ? result : JSON.stringify(result);
  if (Array.isArray(json) && json.length > 0 && json.every((part) => isObject(part) && typeof part.type === 'string')) {
    const text = textOf(json);
    return { text, json: parse(text) };
  }
  if (!isObject(json)) return { text: whole, json };
  if (Array.isArray(json.content)) {
    const text = textOf(json.content);
    return { text, json: json.structuredContent ?? parse(text) };
  }
  if (typeof json.error === 'string' && Object.keys(json).length === 1) return { text: json.error, json };
  return { text: whole, json };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // a plain text
  }
}

function walk(root: Json | undefined, path: string): Json | undefined {
  let value = root;
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isObject(value)) value = Object.hasOwn(value, step) ? value[step] : undefined;
    else return undefined;
  }
  return value;
}
