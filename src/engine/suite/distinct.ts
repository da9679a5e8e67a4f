import { child } from './pointer.ts';
import type { Report } from './report.ts';

/** Reports every name that a list holds a second time; true when there is none. */
export function checkDistinct(names: readonly string[], pointer: string, what: string, report: Report): boolean {
  const seen = new Map<string, number>();
  let isDistinct = true;
  for (const [index, name] of names.entries()) {
    const first = seen.get(name);
    if (first === undefined) {
      seen.set(name, index);
      continue;
    }
    const related = { message: 'first named here', pointer: child(pointer, first) };
    const message = `${what} "${name}" is already named at ${report.place(related.pointer)}`;
    isDistinct = report.add('SUITE005', child(pointer, index), message, { related });
  }
  return isDistinct;
}
