/** `mcprove list`: the cells that a run would have. */
import type { Json, Plan } from '../../engine/index.ts';
import { visibleLine } from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, worst } from '../exitCodes.ts';
import { counted } from '../text/figures.ts';
import { ownName } from '../text/ownName.ts';
import type { Page } from '../text/page.ts';
import { padEnd, truncate, width } from '../text/width.ts';
import { loadSuites } from './loadSuites.ts';
import { type PlannedSuite, planSuites, type SelectionOptions } from './plans.ts';

interface Row {
  mark: string;
  name: string;
  trials: string;
  about: string;
}

export async function listCommand(
  words: readonly string[],
  options: SelectionOptions,
  context: Context,
): Promise<ExitCode> {
  const { out, err } = context;
  const { suites, codes } = await loadSuites(words, context, err);
  const overrides = options.model !== undefined && options.model.length > 0 ? { models: options.model } : {};
  const { planned, broken, codes: planCodes } = await planSuites(suites, options, overrides, context);
  // What reads a pipe wants all of it; only a screen has an edge.
  const page: Page = { columns: out.isTerminal ? out.columns : Number.POSITIVE_INFINITY, ink: out.ink };
  planned.forEach((suite, index) => {
    out.lines([...(index === 0 ? [] : ['']), ...suiteLines(suite, page)]);
  });
  if (planned.length > 1) {
    const cells = planned.reduce((sum, { plan }) => sum + plan.cells.length, 0);
    const trials = planned.reduce((sum, { plan }) => sum + plan.trials.length, 0);
    out.lines(['', `${counted(planned.length, 'suite')}, ${counted(cells, 'cell')}, ${counted(trials, 'trial')}`]);
  }
  return worst([...codes, ...planCodes, ...broken.map(() => EXIT.usage)]);
}

function suiteLines({ loaded, plan }: PlannedSuite, page: Page): string[] {
  const { bold, dim } = page.ink;
  const facts = [counted(plan.cells.length, 'cell'), counted(plan.trials.length, 'trial')];
  if (plan.models.length > 0) facts.push(plan.models.map(visibleLine).join(', '));
  return [`${bold(loaded.path)}  ${dim(facts.join(' · '))}`, ...rowLines(rowsOf(plan, loaded.suite.snapshot), page)];
}

function rowsOf(plan: Plan, snapshot: Json): Row[] {
  const cells = plan.cells.map(({ name, trials, case: of }) => ({
    mark: ' ',
    name: visibleLine(name),
    trials: trials === 1 ? '' : `×${trials}`,
    about: [ownName(of, snapshot) ?? '', ...of.tags.map((tag) => `#${visibleLine(tag)}`)].join(' ').trim(),
  }));
  const skipped = plan.skipped.map(({ cell, reason }) => ({
    mark: '–',
    name: visibleLine(cell),
    trials: '',
    about: `skipped: ${visibleLine(reason)}`,
  }));
  return [...cells, ...skipped];
}

/** In columns, the last of them cut to the page on a terminal. */
function rowLines(rows: readonly Row[], page: Page): string[] {
  const column = (of: (row: Row) => string): number => Math.max(0, ...rows.map((row) => width(of(row))));
  const names = Math.min(
    column(({ name }) => name),
    Math.floor(page.columns * 0.6),
  );
  const trials = column(({ trials: text }) => text);
  return rows.map((row) => {
    const counts = trials === 0 ? '' : `  ${padEnd(row.trials, trials)}`;
    const head = `${row.mark} ${padEnd(truncate(row.name, names), names)}${counts}`;
    const about = truncate(row.about, Math.max(12, page.columns - width(head) - 3));
    const line = row.mark === ' ' ? `${head}  ${page.ink.dim(about)}` : page.ink.dim(`${head}  ${about}`);
    return line.trimEnd();
  });
}
