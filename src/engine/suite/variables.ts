import { hasPlaceholder, parseTemplate } from './placeholders.ts';
import type { Report } from './report.ts';

/** Variables may hold variables; deeper than this nobody follows. */
const DEEPEST = 100;

/**
 * How many characters each variable of a case expands to, found by counting, not by expanding. Reports those that need
 * themselves, or nest too deep; they count as empty.
 *
 * @param vars    the values, those of the case over the defaults'
 * @param placeOf the pointer of a variable
 */
export function measureVariables(
  vars: Readonly<Record<string, unknown>>,
  placeOf: (name: string) => string,
  report: Report,
): Map<string, number> {
  const sizes = new Map<string, number>();
  const open: string[] = [];

  function sizeOf(name: string): number {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const from = open.indexOf(name);
    if (from >= 0) {
      tellCircle(open.slice(from));
      return 0;
    }
    if (open.length === DEEPEST) {
      report.add(
        'SUITE015',
        placeOf(open[0] ?? name),
        `{{${open[0]}}} needs variables nested deeper than ${DEEPEST} levels`,
      );
      return 0;
    }
    open.push(name);
    const size = textSize(vars[name], (needed) => (Object.hasOwn(vars, needed) ? sizeOf(needed) : 0));
    open.pop();
    sizes.set(name, size);
    return size;
  }

  function tellCircle(circle: readonly string[]): void {
    const [first = '', ...via] = circle;
    const through = via.length === 0 ? '' : ` via ${via.map((name) => `{{${name}}}`).join(', ')}`;
    report.add('SUITE015', placeOf(first), `{{${first}}} refers to itself${through}`);
  }

  for (const name of Object.keys(vars)) sizeOf(name);
  return sizes;
}

function textSize(value: unknown, sizeOf: (name: string) => number): number {
  if (typeof value === 'string') {
    if (!hasPlaceholder(value)) return value.length;
    return parseTemplate(value).reduce((sum, part) => {
      if (part.kind === 'placeholder') return sum + sizeOf(part.name);
      return sum + (part.kind === 'text' ? part.text.length : part.raw.length);
    }, 0);
  }
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + textSize(member, sizeOf), 1);
}
