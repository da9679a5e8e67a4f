/** A finished run on one page: what ran, how every cell came out and why, and the summary. */
import { type OpenRun, type RunHead, type Verdict, visibleLine } from '../../engine/index.ts';
import { counted } from '../text/figures.ts';
import { hanging, indent, type Page } from '../text/page.ts';
import { padEnd, truncate, width } from '../text/width.ts';
import { whyNot } from '../trial/chain.ts';
import { verdictStyle } from '../trial/trialText.ts';
import { summaryLines } from './summary.ts';

/** Cells with a line of their own; the best ones are left out first. */
const CELLS_SHOWN = 200;
/** Trials that are read to say why they did not pass. */
const EXPLAINED = 50;

interface CellTrials {
  name: string;
  verdicts: Verdict[];
  /** The first trial that did not pass. */
  look: string | null;
}

/** @param file as it shall be shown */
export async function overviewLines(run: OpenRun, file: string, command: string, page: Page): Promise<string[]> {
  const lines = headLines(run.head, page);
  const cells = cellsOf(run);
  const reading = cells.filter(({ look }) => look !== null).slice(0, EXPLAINED);
  const why = new Map<string, string>();
  for (const { look } of reading) {
    const trial = look === null ? null : await run.trial(look);
    if (trial !== null) why.set(trial.id, whyNot(trial));
  }
  // A stable sort: cells stay in the order of the run, those that passed behind the others where not all fit.
  const order = cells.length > CELLS_SHOWN ? [...cells].sort((a, b) => rank(a) - rank(b)).slice(0, CELLS_SHOWN) : cells;
  lines.push('', ...order.flatMap((cell) => cellLines(cell, why, page)));
  if (cells.length > CELLS_SHOWN)
    lines.push(page.ink.dim(`  … and ${counted(cells.length - CELLS_SHOWN, 'cell')} more`));
  const lookAt = cells.find(({ look }) => look !== null)?.look ?? null;
  if (run.end === null) return [...lines, '', ...interrupted(run, cells, page)];
  return [...lines, '', ...summaryLines({ head: run.head, end: run.end, file, lookAt, command }, page)];
}

function headLines(head: RunHead, page: Page): string[] {
  const git =
    head.git === null
      ? []
      : [`git ${visibleLine(head.git.commit.slice(0, 8))}${head.git.dirty ? ', changed since' : ''}`];
  const facts = [
    visibleLine(head.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')),
    head.ci === null ? `from the ${head.origin}` : `on ${visibleLine(head.ci)}`,
    `mcprove ${visibleLine(head.toolVersion)}`,
    ...git,
  ];
  const row = (name: string, text: string): string[] => hanging(padEnd(name, 9), text, page);
  const lines = [
    page.ink.bold(visibleLine(head.suite.path)),
    ...row('id', visibleLine(head.id)),
    ...row('when', facts.join(' · ')),
  ];
  if (head.models.length > 0) lines.push(...row('models', head.models.map(visibleLine).join(', ')));
  if (head.servers.length > 0)
    lines.push(...row('servers', head.servers.map(({ name }) => visibleLine(name)).join(', ')));
  return lines;
}

function cellsOf(run: OpenRun): CellTrials[] {
  const cells = new Map<string, CellTrials>();
  for (const { id, verdict } of run.entries) {
    const name = id.replace(/#\d+$/, '');
    const cell = cells.get(name) ?? { name, verdicts: [], look: null };
    cells.set(name, cell);
    cell.verdicts.push(verdict);
    if (verdict !== 'passed') cell.look ??= id;
  }
  return [...cells.values()];
}

function rank({ look }: CellTrials): number {
  return look === null ? 1 : 0;
}

function cellLines({ name, verdicts, look }: CellTrials, why: ReadonlyMap<string, string>, page: Page): string[] {
  const { ink } = page;
  const worst = (['failed', 'errored', 'cancelled', 'passed'] as const).find((verdict) => verdicts.includes(verdict));
  const { mark, style } = verdictStyle(worst ?? 'skipped', ink);
  const passed = verdicts.filter((verdict) => verdict === 'passed').length;
  const figures = verdicts.length > 1 ? `${passed}/${verdicts.length}` : '';
  const head =
    `  ${style(mark)} ${truncate(visibleLine(name), page.columns - width(figures) - 7)}  ${ink.dim(figures)}`.trimEnd();
  const reason = look === null ? undefined : why.get(look);
  return reason === undefined ? [head] : [head, ...indent([ink.dim(truncate(reason, page.columns - 5))], 4)];
}

function interrupted(run: OpenRun, cells: readonly CellTrials[], page: Page): string[] {
  const { planned } = run.head;
  return [
    page.ink.yellow(page.ink.bold('INTERRUPTED')),
    ...hanging(
      '  · ',
      `the run file has no end: the run was cut off, or still goes on; ${run.entries.length} of ${counted(planned.trials, 'trial')} ` +
        `in ${cells.length} of ${counted(planned.cells, 'cell')} are in it`,
      page,
    ),
  ];
}
