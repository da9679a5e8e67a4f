import { didYouMean } from './explain.ts';
import { hasPlaceholder, isCallName, type Part, parseTemplate } from './placeholders.ts';
import { child } from './pointer.ts';
import type { Report } from './report.ts';

/** What placeholders may name in one case. */
export interface Scope {
  /** The case as a problem calls it. */
  title: string;
  /** By name, the characters that each expands to. */
  vars: ReadonlyMap<string, number>;
  /** Those listed in `requires.env`. */
  env: ReadonlySet<string>;
  /** Characters that the case's placeholders expand to, so far. */
  expanded: number;
  /** Places told before: a text of the defaults is met in every case. */
  told: Set<string>;
}

/** Variables that hold variables grow fast; no case needs texts of this length in all. */
const MOST_EXPANDED = 5_000_000;

/**
 * Reports every placeholder in a value that names nothing, or is never closed.
 *
 * @param inScript where the scripted model fills in what its calls gave
 */
export function checkPlaceholders(
  value: unknown,
  pointer: string,
  scope: Scope,
  report: Report,
  inScript = false,
): void {
  // Most texts hold none, so no pointer is made before one is wanted.
  const path: string[] = [];
  const walk = (each: unknown) => {
    if (typeof each === 'string') {
      if (hasPlaceholder(each)) checkText(each, () => path.reduce(child, pointer), scope, report, inScript);
    } else if (typeof each === 'object' && each !== null) {
      for (const [key, member] of Object.entries(each)) {
        path.push(key);
        walk(member);
        path.pop();
      }
    }
  };
  walk(value);
}

function checkText(text: string, pointerOf: () => string, scope: Scope, report: Report, inScript: boolean): void {
  for (const part of parseTemplate(text)) {
    if (report.isFull) return;
    const mistake = mistakeIn(part, scope, inScript);
    if (mistake === undefined) continue;
    const pointer = pointerOf();
    const key = `${pointer} ${mistake.raw}`;
    if (scope.told.has(key)) continue;
    scope.told.add(key);
    const { message, hint } = mistake;
    report.add('SUITE015', pointer, message, { hint, ...placeOf(part, mistake.raw, pointer, report) });
  }
}

interface Mistake {
  raw: string;
  message: string;
  hint: string;
}

function mistakeIn(part: Part, scope: Scope, inScript: boolean): Mistake | undefined {
  if (part.kind === 'text') return undefined;
  const { raw } = part;
  if (part.kind === 'open') return { raw, message: '"{{" is never closed', hint: 'For a literal "{{" write "{{{{".' };
  const { name } = part;
  const size = scope.vars.get(name);
  if (size !== undefined) return tooLong(size, raw, scope);
  if (name === 'trial.id' || (inScript && isCallName(name))) return undefined;
  if (!name.startsWith('env.')) {
    const isCall = inScript && name.startsWith('calls');
    const message = isCall
      ? `{{${name}}} names no result of a call`
      : `variable {{${name}}} is not defined in ${scope.title}`;
    return { raw, message, hint: hintFor(name, scope, inScript) };
  }
  const variable = name.slice('env.'.length);
  if (scope.env.has(variable)) return undefined;
  const hint = `Add ${variable} to requires.env, so that the case is skipped where it is not set.`;
  return { raw, message: `{{${name}}} needs "${variable}" in requires.env`, hint };
}

function tooLong(size: number, raw: string, scope: Scope): Mistake | undefined {
  scope.expanded += size;
  if (scope.expanded <= MOST_EXPANDED) return undefined;
  const figure = MOST_EXPANDED.toLocaleString('en');
  const message = `the placeholders of ${scope.title} expand to more than ${figure} characters`;
  return { raw, message, hint: 'Variables that hold variables several times grow fast.' };
}

function hintFor(name: string, scope: Scope, inScript: boolean): string {
  if (inScript && name.startsWith('calls')) {
    const counted = 'Only calls are counted from the end, not the items of a list.';
    const form = 'Write {{calls[0].text}} or {{calls[-1].json.items[0].id}}.';
    return /^calls\[-?\d+\]\.json.*\[-/.test(name) ? `${counted} ${form}` : form;
  }
  if (name.startsWith('calls')) return 'Only scripts know {{calls[0].text}} and {{calls[0].json.key}}.';
  const known = [...scope.vars.keys(), ...[...scope.env].map((variable) => `env.${variable}`), 'trial.id'];
  const { hint } = didYouMean(name, known);
  return hint?.startsWith('Did') ? hint : 'Define it under vars; for a literal "{{" write "{{{{".';
}

/** The placeholder itself, where the text stands in the file as it reads. */
function placeOf({ kind }: Part, raw: string, pointer: string, report: Report): { part?: [number, number] } {
  const [start, end] = report.nodes.scalar(pointer)?.range ?? [0, 0];
  const [line = ''] = raw.split('\n', 1);
  const source = report.nodes.source(start, end);
  const at = kind === 'open' ? source.lastIndexOf(line) : source.indexOf(line);
  return at < 0 ? {} : { part: [start + at, start + at + line.length] };
}
