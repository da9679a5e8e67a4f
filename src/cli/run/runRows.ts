/** A line for each of many runs: when, what came of it, of which suite, and the beginning of its id. */
import { type RunSummary, visibleLine } from '../../engine/index.ts';
import type { Page } from '../text/page.ts';
import { padEnd, truncate, width } from '../text/width.ts';
import { shortId, trialTotals } from './summary.ts';

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
  const column = (of: (row: (typeof rows)[number]) => string): number => Math.max(...rows.map((row) => width(of(row))));
  const decisions = column(({ decision }) => decision);
  const paths = Math.min(
    column(({ path }) => path),
    Math.max(16, Math.floor(columns * 0.35)),
  );
  return rows.map(({ id, when, decision, path, about }) => {
    const style = decision === 'interrupted' ? ink.yellow : styles[decision];
    const head = `${id}  ${when}  `;
    const place = padEnd(truncate(path, paths), paths);
    const left = columns - width(head) - decisions - paths - 4;
    return `${head}${style(padEnd(decision, decisions))}  ${place}  ${ink.dim(truncate(about, Math.max(0, left)))}`.trimEnd();
  });
}
