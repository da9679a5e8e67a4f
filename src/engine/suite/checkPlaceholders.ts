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
  env: readonly string[];
  /** Characters that the case's placeholders expand to, so far. */
  expanded: number;
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
  if (typeof value === 'string') {
    if (!hasPlaceholder(value)) return;
    for (const part of parseTemplate(value)) {
      if (part.kind !== 'text') checkPart(part, pointer, scope, report, inScript);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value))
      checkPlaceholders(member, child(pointer, key), scope, report, inScript);
  }
}

type Placeholder = Exclude<Part, { kind: 'text' }>;

function checkPart(part: Placeholder, pointer: string, scope: Scope, report: Report, inScript: boolean): void {
  const place = placeOf(part, pointer, report);
  if (part.kind === 'open') {
    report.add('SUITE015', pointer, '"{{" is never closed', { ...place, hint: 'For a literal "{{" write "{{{{".' });
    return;
  }
  const { name } = part;
  const size = scope.vars.get(name);
  if (size !== undefined) {
    countExpanded(size, pointer, scope, report);
    return;
  }
  if (name === 'trial.id' || (inScript && isCallName(name))) return;
  if (name.startsWith('env.')) {
    const variable = name.slice('env.'.length);
    if (scope.env.includes(variable)) return;
    const hint = `Add ${variable} to requires.env, so that the case is skipped where it is not set.`;
    report.add('SUITE015', pointer, `{{${name}}} needs "${variable}" in requires.env`, { ...place, hint });
    return;
  }
  report.add('SUITE015', pointer, `variable {{${name}}} is not defined in ${scope.title}`, {
    ...place,
    hint: hintFor(name, scope),
  });
}

function countExpanded(size: number, pointer: string, scope: Scope, report: Report): void {
  const before = scope.expanded;
  scope.expanded += size;
  if (before > MOST_EXPANDED || scope.expanded <= MOST_EXPANDED) return;
  const figure = MOST_EXPANDED.toLocaleString('en');
  report.add('SUITE015', pointer, `the placeholders of ${scope.title} expand to more than ${figure} characters`);
}

function hintFor(name: string, scope: Scope): string {
  if (name.startsWith('calls')) return 'Only scripts know {{calls[0].text}} and {{calls[0].json.key}}.';
  const known = [...scope.vars.keys(), ...scope.env.map((variable) => `env.${variable}`), 'trial.id'];
  const { hint } = didYouMean(name, known);
  return hint?.startsWith('Did') ? hint : 'Define it under vars; for a literal "{{" write "{{{{".';
}

/** The placeholder itself, where the text stands in the file as it reads. */
function placeOf({ raw }: Placeholder, pointer: string, report: Report): { part?: [number, number] } {
  const [start, end] = report.nodes.scalar(pointer)?.range ?? [0, 0];
  const at = report.nodes.source(start, end).indexOf(raw.trimEnd());
  return at < 0 ? {} : { part: [start + at, start + at + raw.trimEnd().length] };
}
