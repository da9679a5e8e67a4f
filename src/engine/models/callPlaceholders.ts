import { McproveError } from '../errors.ts';
import type { Call, Json } from '../record.ts';
import { isObject } from '../servers/isObject.ts';
import type { ModelCode } from './codes.ts';

/**
 * Fills `{{calls[n].text}}` and `{{calls[n].json.path[0].to}}` in every text of a value, at any depth, from the calls made
 * so far. `n` counts from 0; a negative one from the end, so that `calls[-1]` is the latest.
 *
 * - `text`: the text blocks of the call's result, one per line; the error's text where there is no result.
 * - `json`: the structured content, else the first text block read as JSON; then keys with dots and positions with `[n]`.
 *
 * A text that is one placeholder and nothing else takes the value with its type. What a result does not hold becomes null
 * there, and nothing inside a longer text: a server's answer is evidence to be graded, so the script goes on.
 *
 * @param onMissing is told each placeholder that found nothing
 * @throws McproveError MODEL002 for a placeholder of another form, and for a call that was never made: mistakes of the script
 */
export function fillFromCalls(value: Json, calls: readonly Call[], onMissing: OnMissing): Json {
  if (typeof value === 'string') {
    const [first] = value.matchAll(PLACEHOLDER);
    if (first?.[1] === undefined || first[0].length !== value.length) return fillText(value, calls, onMissing);
    return lookUp(first[1], calls, onMissing) ?? null;
  }
  if (Array.isArray(value)) return value.map((item) => fillFromCalls(item, calls, onMissing));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillFromCalls(item, calls, onMissing)]));
}

/** The same for what is a text and stays one: a value that is no text stands there as JSON. */
export function fillText(text: string, calls: readonly Call[], onMissing: OnMissing): string {
  return text.replaceAll(PLACEHOLDER, (_, path: string) => {
    const found = lookUp(path, calls, onMissing) ?? '';
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

type OnMissing = (placeholder: string) => void;

const PLACEHOLDER = /\{\{\s*(calls\b[^{}]*?)\s*\}\}/g;
const FORM = /^calls\[(-?\d+)\]\.(?:(text)|json((?:\.[^.[\]\s]+|\[\d+\])*))$/;

function lookUp(path: string, calls: readonly Call[], onMissing: OnMissing): Json | undefined {
  const form = FORM.exec(path);
  if (form === null) {
    throw new McproveError('MODEL002' satisfies ModelCode, `cannot read the placeholder {{${path}}}`, {
      hint: 'Write {{calls[0].text}} or {{calls[0].json.key}}.',
    });
  }
  const call = calls.at(Number(form[1]));
  if (call === undefined) {
    const made = calls.length === 1 ? '1 call was' : `${calls.length} calls were`;
    throw new McproveError(
      'MODEL002' satisfies ModelCode,
      `the script asks for {{${path}}}, but only ${made} made so far`,
      {
        hint: 'Calls are counted from 0, over all replies.',
      },
    );
  }
  const found = form[2] === 'text' ? textOf(call) : walk(jsonOf(call), form[3] ?? '');
  if (found === undefined) onMissing(`{{${path}}}`);
  return found;
}

function textOf(call: Call): string {
  return call.result === undefined ? (call.error?.text ?? '') : textBlocks(call).join('\n');
}

function jsonOf(call: Call): Json | undefined {
  if (call.result?.structured !== undefined) return call.result.structured;
  const [first] = textBlocks(call);
  if (first === undefined) return undefined;
  try {
    return JSON.parse(first) as Json;
  } catch {
    return undefined; // a text that is no JSON holds nothing to walk into
  }
}

function textBlocks(call: Call): string[] {
  return (call.result?.content ?? []).flatMap((block) => {
    return isObject(block) && block.type === 'text' && typeof block.text === 'string' ? [block.text] : [];
  });
}

function walk(root: Json | undefined, path: string): Json | undefined {
  let value = root;
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    if (value === undefined || value === null || typeof value !== 'object') return undefined;
    if (Array.isArray(value)) value = value[Number(step)];
    else value = Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
