/** What is going on right now. */
import type { Verdict } from '../../engine/index.ts';
import { visibleLine } from '../../engine/index.ts';
import { duration } from '../text/duration.ts';
import { counted } from '../text/figures.ts';
import type { Page } from '../text/page.ts';
import { padEnd, padStart, truncate, width } from '../text/width.ts';
import type { Progress, RunningTrial } from './progress.ts';

export interface RunState {
  progress: Progress;
  /** Milliseconds, on the clock of `progress`. */
  now: number;
  startedAt: number;
  cancelling: boolean;
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPIN_MS = 100;
const BAR_CELLS = 20;
const MOST_RUNNING = 8;

/** One line for each running trial and one for the whole, each shorter than a row. */
export function statusLines(state: RunState, page: Page, rows: number): string[] {
  const running = [...state.progress.running.values()];
  const shown = running.slice(0, Math.max(1, Math.min(MOST_RUNNING, rows - 4)));
  const lines = shown.map((trial) => runningLine(trial, state, page));
  if (running.length > shown.length) lines.push(page.ink.dim(`    and ${running.length - shown.length} more`));
  return ['', ...lines, progressLine(state, page)];
}

/** The same for a log, on one line that can be understood on its own. */
export function logLine(path: string, { progress, now, startedAt }: RunState): string {
  const longest = [...progress.running.values()].sort((a, b) => a.startedAt - b.startedAt)[0];
  const doing =
    longest === undefined ? '' : `; ${trialName(longest)} for ${duration(now - longest.startedAt)}: ${longest.doing}`;
  const done = `${progress.finished} of ${counted(progress.planned, 'trial')} done`;
  return `… ${path}: ${[done, ...verdicts(progress)].join(', ')} after ${duration(now - startedAt)}${doing}`;
}

function runningLine(trial: RunningTrial, { now }: RunState, page: Page): string {
  const { cyan, dim } = page.ink;
  const spinner = SPINNER[Math.floor(now / SPIN_MS) % SPINNER.length] ?? '';
  const elapsed = padStart(stopwatch(now - trial.startedAt), 6);
  const room = page.columns - 1 - width('  ⠋ ') - width(elapsed) - 2;
  // The name gets what the other leaves, and nearly half in any case.
  const name = trialName(trial, Math.max(Math.floor(room * 0.45), room - width(trial.doing) - 2));
  const left = room - width(name) - 2;
  return `  ${cyan(spinner)} ${name}  ${dim(padEnd(truncate(trial.doing, left), left))}  ${dim(elapsed)}`;
}

/** Like `duration`, but of one unit while it counts, so that the figures stand still. */
function stopwatch(ms: number): string {
  return ms < 9_950 ? `${(ms / 1000).toFixed(1)} s` : duration(ms);
}

/** The number stays, however long the name is: it tells the trials of a cell apart. */
function trialName({ cellName, number }: RunningTrial, cells = Number.POSITIVE_INFINITY): string {
  const tail = number === null ? '' : ` #${number}`;
  return truncate(visibleLine(cellName), cells - tail.length) + tail;
}

function progressLine(state: RunState, page: Page): string {
  const { progress, now, startedAt, cancelling } = state;
  const { ink } = page;
  const figures = `${progress.finished}/${progress.planned}`;
  const parts = cancelling ? ['cancelling'] : verdicts(progress);
  const elapsed = stopwatch(now - startedAt);
  const plain = [figures, ...parts, elapsed].join('  ');
  const bar = page.columns - 1 - width(plain) - 4 >= BAR_CELLS ? `${barOf(progress, page)}  ` : '';
  const coloured = parts.map((part) => colourOf(part, page)(part));
  return `  ${bar}${[ink.bold(figures), ...coloured, ink.dim(elapsed)].join('  ')}`;
}

function barOf(progress: Progress, page: Page): string {
  const { green, red, yellow, dim } = page.ink;
  const { passed, failed } = progress.counts;
  const cells = (count: number): number =>
    progress.planned === 0 ? 0 : Math.floor((count / progress.planned) * BAR_CELLS);
  const good = cells(passed);
  const bad = cells(passed + failed) - good;
  const other = cells(progress.finished) - good - bad;
  return (
    green('━'.repeat(good)) +
    red('━'.repeat(bad)) +
    yellow('━'.repeat(other)) +
    dim('─'.repeat(BAR_CELLS - good - bad - other))
  );
}

function verdicts({ counts }: Progress): string[] {
  const told: Verdict[] = ['passed', 'failed', 'errored', 'cancelled'];
  return told.filter((verdict) => counts[verdict] > 0).map((verdict) => `${counts[verdict]} ${verdict}`);
}

function colourOf(part: string, { ink }: Page): (text: string) => string {
  if (part.endsWith('passed')) return ink.green;
  return part.endsWith('failed') ? ink.red : ink.yellow;
}
