/** One finished cell. */
import { visibleLine } from '../../engine/index.ts';
import { duration } from '../text/duration.ts';
import { indent, type Page } from '../text/page.ts';
import { truncate, width } from '../text/width.ts';
import type { FinishedCell } from './progress.ts';

/** @returns true where every trial passed */
export function isClean(cell: FinishedCell): boolean {
  return cell.trials.every((trial) => trial.verdict === 'passed');
}

/**
 * On a terminal a line and, where something is wrong, a second one that says what, cut to the screen; in a log one line
 * that names the suite and is never cut.
 *
 * @param path the suite's, in a log; null on a terminal
 */
export function cellLine(cell: FinishedCell, { page, path }: { page: Page; path: string | null }): string[] {
  const { ink } = page;
  const state = stateOf(cell);
  const { mark, style } = {
    passed: { mark: '✓', style: ink.green },
    failed: { mark: '✗', style: ink.red },
    flaky: { mark: '±', style: ink.yellow },
    errored: { mark: '!', style: ink.yellow },
    cancelled: { mark: '–', style: ink.yellow },
  }[state];
  const name = visibleLine(cell.name);
  const figures = figuresOf(cell);
  if (path !== null) {
    const why = cell.why === null ? '' : `: ${cell.why}`;
    return [`${mark} ${state} ${path} › ${name} (${figures})${why}`];
  }
  const head = `  ${style(mark)} ${truncate(name, page.columns - width(figures) - 7)}  ${ink.dim(figures)}`;
  return cell.why === null ? [head] : [head, ...indent([ink.dim(truncate(cell.why, page.columns - 5))], 4)];
}

/** Whether the cell clears its bar is decided over the whole run; this is only what can be seen already. */
function stateOf({ trials }: FinishedCell): 'passed' | 'failed' | 'flaky' | 'errored' | 'cancelled' {
  const seen = new Set(trials.map((trial) => trial.verdict));
  if (seen.has('failed')) return seen.has('passed') ? 'flaky' : 'failed';
  if (seen.has('errored')) return 'errored';
  return seen.has('cancelled') ? 'cancelled' : 'passed';
}

/** `12 ms`, or `2/3, 12 ms – 1.2 s`. */
function figuresOf({ trials }: FinishedCell): string {
  const durations = trials.map((trial) => trial.durationMs);
  const shortest = duration(Math.min(...durations));
  const longest = duration(Math.max(...durations));
  const took = shortest === longest ? longest : `${shortest} – ${longest}`;
  // Of a cell that was cancelled as a whole there is nothing to count.
  if (trials.length === 1 || trials.every(({ verdict }) => verdict === 'cancelled')) return took;
  return `${trials.filter((trial) => trial.verdict === 'passed').length}/${trials.length}, ${took}`;
}
