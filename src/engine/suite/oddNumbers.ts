import { quoteFix } from './explain.ts';
import { child } from './pointer.ts';
import type { Report } from './report.ts';

/**
 * Warns of a number whose text is not what JSON would write: `007`, `1.10` and `+49` most often are meant as texts.
 * Always true, as it is no error.
 */
export function warnOfOddNumber(value: number, pointer: string, report: Report): true {
  const written = report.nodes.written(pointer, value);
  if (written !== String(value)) {
    const { fix } = quoteFix(written);
    const hint = `Quote it if you mean the text: ${fix.text}.`;
    report.add('SUITE004', pointer, `${written} is the number ${value}`, { severity: 'warning', hint, fix });
  }
  return true;
}

/** Looks through plain data, in which nothing is a matcher. Always true. */
export function checkPlain(value: unknown, pointer: string, report: Report): true {
  if (typeof value === 'number') return warnOfOddNumber(value, pointer, report);
  if (typeof value !== 'object' || value === null) return true;
  for (const [key, member] of Object.entries(value)) checkPlain(member, child(pointer, key), report);
  return true;
}
