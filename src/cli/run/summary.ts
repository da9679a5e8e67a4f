/** How a run ended: its decision in words, the figures, and where it can be looked at. */
import { type CellFigures, type RunEnd, type RunHead, type Totals, visibleLine } from '../../engine/index.ts';
import type { Ink } from '../terminal.ts';
import { duration } from '../text/duration.ts';
import { counted, dollars, interval, percent } from '../text/figures.ts';
import { hanging, type Page } from '../text/page.ts';
import { padEnd, truncate, width, wrap } from '../text/width.ts';

/** Cells with several trials that are listed with their figures. */
const CELLS_SHOWN = 12;
const REASONS_SHOWN = 12;

export interface SummaryFacts {
  head: RunHead;
  end: RunEnd;
  /** As it shall be shown. */
  file: string;
  /** Failed advisory checks, where they were counted. */
  advisories?: number;
  /** A trial worth a look, as `show` takes it; null when all passed. */
  lookAt: string | null;
  /** How mcprove was started. */
  command: string;
}

export function summaryLines({ head, end, file, advisories = 0, lookAt, command }: SummaryFacts, page: Page): string[] {
  const { dim } = page.ink;
  const lines = decisionLines(end, page);
  const several = end.cells.filter(({ totals }) => totals.planned > 1 && totals.passed + totals.failed > 0);
  const table = severalTrials(several, page);
  if (table.length > 0) lines.push('', ...table);

  const row = (name: string, text: string): void => {
    lines.push(...hanging(padEnd(name, 9), text, page));
  };
  // A run that passed says so in a line; the figures of any other are worth a look each.
  const passed = end.decision === 'passed';
  if (!passed || table.length > 0) lines.push('');
  if (!passed) {
    row('cells', cellTotals(end.cells));
    row('trials', trialTotals(end.totals));
  }
  if (head.skipped.length > 0) row('skipped', skippedText(head.skipped));
  if (several.length > 0 && end.cells.length > 1 && end.passRate !== null)
    row('rate', rateText(end.passRate, end.interval));
  if (advisories > 0) row('advisory', advisoryText(advisories));
  if (!passed) row('time', duration(end.durationMs));
  const cost = costText(end);
  if (cost !== null) row('cost', cost);
  if (head.note !== null) row('note', visibleLine(head.note));
  // Paths and commands are never broken, so that they can be copied.
  lines.push(`${dim(padEnd('run', 9))}${file}`);
  if (!passed) lines.push(`${dim(padEnd('look', 9))}${showCommandFor(head, lookAt, command)}`);
  return lines;
}

/** What to type for more. @param trial null for the whole run */
export function showCommandFor(head: Pick<RunHead, 'id'>, trial: string | null, command: string): string {
  const canBeTyped = trial !== null && visibleLine(trial) === trial;
  return `${command} show ${shortId(head.id)}${canBeTyped ? ` ${quoted(trial)}` : ''}`;
}

/** Ids begin with the time in ten digits; two more tell runs of one millisecond apart. */
export function shortId(id: string): string {
  return visibleLine(id.slice(0, 12));
}

function advisoryText(failed: number): string {
  return failed === 1
    ? '1 check failed; it decides nothing'
    : `${counted(failed, 'check')} failed; they decide nothing`;
}

function skippedText(skipped: RunHead['skipped']): string {
  const reasons = [...new Set(skipped.map(({ reason }) => visibleLine(reason)))];
  const more = reasons.length > 3 ? '; …' : '';
  return `${counted(skipped.length, 'cell')}: ${reasons.slice(0, 3).join('; ')}${more}`;
}

/** `1 passed, 2 failed`; what is zero is left out. */
export function trialTotals(totals: Totals): string {
  const parts = (['passed', 'failed', 'errored', 'cancelled'] as const).flatMap((key) =>
    totals[key] > 0 ? [`${totals[key].toLocaleString('en-US')} ${key}`] : [],
  );
  if (totals.pending > 0) parts.push(`${totals.pending.toLocaleString('en-US')} never begun`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function decisionLines(end: RunEnd, page: Page): string[] {
  const badge = decisionBadge(end.decision, page.ink);
  if (end.decision === 'passed') {
    const { passed, planned } = end.totals;
    const flaky = end.cells.filter((cell) => cell.flaky).length;
    const figures = [
      counted(end.cells.length, 'cell') + (flaky > 0 ? ` (${flaky} flaky)` : ''),
      passed === planned ? counted(planned, 'trial') : `trials: ${trialTotals(end.totals)}`,
      duration(end.durationMs),
    ];
    return [`${badge}  ${figures.join(' · ')}`, ...warningLines(end, page)];
  }
  const shown = end.reasons.slice(0, REASONS_SHOWN).map(visibleLine);
  const lines = [badge, ...shown.flatMap((reason) => listed('·', reason, page))];
  if (end.reasons.length > shown.length)
    lines.push(`  … and ${counted(end.reasons.length - shown.length, 'reason')} more`);
  return [...lines, ...warningLines(end, page)];
}

function warningLines(end: RunEnd, page: Page): string[] {
  return end.warnings.flatMap((warning) => listed('!', visibleLine(warning), page, page.ink.yellow));
}

/** The decision, to be seen from across the room. */
function decisionBadge(decision: RunEnd['decision'], ink: Ink): string {
  const style = { passed: ink.green, failed: ink.red, inconclusive: ink.yellow, cancelled: ink.yellow }[decision];
  return style(ink.bold(decision.toUpperCase()));
}

function listed(mark: string, text: string, page: Page, style: (line: string) => string = String): string[] {
  return wrap(text, page.columns - 4).map((line, index) => style(`${index === 0 ? `  ${mark} ` : '    '}${line}`));
}

function cellTotals(cells: readonly CellFigures[]): string {
  const count = (state: CellFigures['state']): number => cells.filter((cell) => cell.state === state).length;
  const flaky = cells.filter((cell) => cell.flaky).length;
  const parts = (['passed', 'failed', 'undecided'] as const).flatMap((state) =>
    count(state) > 0 ? [`${count(state).toLocaleString('en-US')} ${state}`] : [],
  );
  return `${parts.join(', ')}${flaky > 0 ? ` (${flaky} flaky)` : ''}`;
}

/** Null where nothing was paid: nobody asks what a script costs. */
function costText({ costUsd, unpricedTrials }: RunEnd): string | null {
  const known = costUsd === null || costUsd === 0 ? null : dollars(costUsd);
  if (unpricedTrials === 0) return known;
  const rest = `${counted(unpricedTrials, 'trial')} of unknown cost`;
  return known === null ? `— (${rest})` : `${known}, and ${rest}`;
}

function rateText(rate: number, bounds: readonly [number, number] | null): string {
  return bounds === null ? percent(rate) : `${percent(rate)} of trials passed, 95% interval ${interval(bounds)}`;
}

/** Those that did not pass, and the flaky ones, come first; of many cells only the flaky ones: the reasons name the rest. */
function severalTrials(cells: readonly CellFigures[], page: Page): string[] {
  const rank = (cell: CellFigures): number => (cell.state !== 'passed' ? 0 : cell.flaky ? 1 : 2);
  const told =
    cells.length > CELLS_SHOWN ? cells.filter(({ flaky }) => flaky) : [...cells].sort((a, b) => rank(a) - rank(b));
  const shown = told.slice(0, CELLS_SHOWN);
  const column = Math.max(0, ...shown.map(({ name }) => width(visibleLine(name))));
  const lines = shown.flatMap((cell) => cellLines(cell, column, page));
  const left = told.length - CELLS_SHOWN;
  if (left > 0) lines.push(page.ink.dim(`… and ${counted(left, 'flaky cell')} more`));
  return lines;
}

/** @param column cells for the names, so that figures stand below each other */
function cellLines(cell: CellFigures, column: number, page: Page): string[] {
  const { ink } = page;
  const mark = { passed: ink.green('✓'), failed: ink.red('✗'), undecided: ink.yellow('?') }[cell.state];
  const { passed, failed } = cell.totals;
  const figures = [`${passed}/${passed + failed}`];
  if (cell.passRate !== null) figures.push(percent(cell.passRate));
  if (cell.interval !== null) figures.push(`(${interval(cell.interval)})`);
  if (cell.bar < 1) figures.push(`bar ${percent(cell.bar)}`);
  if (cell.flaky) figures.push('flaky');
  const text = figures.join('  ');
  const room = Math.max(16, page.columns - text.length - 4);
  const name = padEnd(truncate(visibleLine(cell.name), room), Math.min(room, column));
  const lines = [`${mark} ${name}  ${cell.flaky ? ink.yellow(text) : text}`];
  if (cell.flaky) lines.push(...wrap(estimates(cell), page.columns - 4).map((line) => ink.dim(`    ${line}`)));
  return lines;
}

/** At the first few k: 1 … 4 and the last. */
function estimates({ passAtK, passHatK }: CellFigures): string {
  const ks = passAtK.map((_, index) => index + 1).filter((k) => k <= 4 || k === passAtK.length);
  const series = (name: string, values: readonly number[]): string =>
    ks.map((k) => `${name}${k} ${percent(values[k - 1] ?? 0)}`).join('  ');
  return `${series('pass@', passAtK)}\n${series('pass^', passHatK)}`;
}

/** Ready to be pasted into a shell. */
function quoted(word: string): string {
  return /^[\p{L}\p{N}_./:-][\p{L}\p{N}_./:#-]*$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
