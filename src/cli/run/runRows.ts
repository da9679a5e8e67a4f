/** A line for each of many runs: when, what came of it, of which suite, and the beginning of its id. */
import { type RunSummary, visibleLine } from '../../engine/index.ts';
import type { Page } from '../text/page.ts';
import { padEnd, truncate, width } from '../text/width.ts';
import { shortId, trialTotals } from './summary.ts';

/** `2026-03-01 10:00` */
const WHEN = 16;
const NARROWEST = 10;
/** Columns from which a long path leaves room for what stands behind it. */
const WIDE = 100;

export function runRows(runs: readonly RunSummary[], { columns, ink }: Page): string[] {
  const rows = runs.map(({ head, end }) => ({
    id: shortId(head.id),
    when: visibleLine(head.startedAt.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')),
    decision: end?.decision ?? ('interrupted' as const),
    path: visibleLine(head.suite.path),
    // The rest is cut where the screen ends.
    about: [end === null ? '' : trialTotals(end.totals), head.note === null ? '' : visibleLine(head.note)]
      .filter((part) => part !== '')
      .join(' · '),
  }));
  const styles = { passed: ink.green, failed: ink.red, inconclusive: ink.yellow, cancelled: ink.yellow };
  const column = (of: (row: (typeof rows)[number]) => string): number =>
    rows.reduce((widest, row) => Math.max(widest, width(of(row))), 0);
  const ids = column(({ id }) => id);
  const decisions = column(({ decision }) => decision);
  const left = columns - ids - WHEN - decisions - 3 * 2;
  const paths = Math.min(
    column(({ path }) => path),
    Math.max(NARROWEST, columns < WIDE ? left : Math.floor(left * 0.6)),
  );
  const about = left - paths - 2;
  return rows.map((row) => {
    const style = row.decision === 'interrupted' ? ink.yellow : styles[row.decision];
    const place = padEnd(truncate(row.path, paths), paths);
    const rest = about < NARROWEST ? '' : ink.dim(truncate(row.about, about));
    return `${padEnd(row.id, ids)}  ${row.when}  ${style(padEnd(row.decision, decisions))}  ${place}  ${rest}`.trimEnd();
  });
}
