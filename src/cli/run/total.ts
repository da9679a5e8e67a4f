/** The last words of a command: what came of each suite where there were several, and what its exit code says. */
import { type RunEnd, type RunHead, visibleLine } from '../../engine/index.ts';
import { type ExitCode, meaningOf } from '../exitCodes.ts';
import type { Ink } from '../terminal.ts';
import { hanging, indent, type Page } from '../text/page.ts';
import { padEnd, truncate, width, wrap } from '../text/width.ts';
import { showCommandFor, trialTotals } from './summary.ts';

export type SuiteOutcome = {
  /** As it shall be shown. */
  path: string;
} & ({ run: { head: RunHead; end: RunEnd } } | { run: null; word: 'not begun' | 'broken'; why: string });

export function totalLines(outcomes: readonly SuiteOutcome[], code: ExitCode, command: string, page: Page): string[] {
  const lines = outcomes.length > 1 ? ['', ...suiteRows(outcomes, command, page), ''] : [];
  return [...lines, ...hanging(padEnd('exit', 9), `${code}: ${meaningOf(code)}`, page)];
}

/** The command that shows more stands below what did not pass. */
function suiteRows(outcomes: readonly SuiteOutcome[], command: string, page: Page): string[] {
  const words = outcomes.map((outcome) => (outcome.run === null ? outcome.word : outcome.run.end.decision));
  const totals = outcomes.map(({ run }) => (run === null ? '' : trialTotals(run.end.totals)));
  const first = Math.max(...words.map(width));
  const last = Math.max(...totals.map(width));
  const room = Math.max(20, page.columns - first - last - 4);
  const middle = Math.min(room, Math.max(...outcomes.map(({ path }) => width(path))));
  return outcomes.flatMap((outcome, index) => {
    const { path, run } = outcome;
    const word = styleOf(outcome, page.ink)(padEnd(words[index] ?? '', first));
    const figures = page.ink.dim(totals[index] ?? '');
    const row = `${word}  ${padEnd(truncate(path, middle), middle)}  ${figures}`.trimEnd();
    if (run === null)
      return [row, ...indent(wrap(visibleLine(outcome.why), page.columns - first - 2).map(page.ink.dim), first + 2)];
    if (run.end.decision === 'passed') return [row];
    return [row, page.ink.dim(`${' '.repeat(first + 2)}${showCommandFor(run.head, null, command)}`)];
  });
}

function styleOf(outcome: SuiteOutcome, ink: Ink): (text: string) => string {
  if (outcome.run === null) return outcome.word === 'broken' ? ink.red : ink.dim;
  const { decision } = outcome.run.end;
  return { passed: ink.green, failed: ink.red, inconclusive: ink.yellow, cancelled: ink.yellow }[decision];
}
