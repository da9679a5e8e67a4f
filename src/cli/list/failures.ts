/** The trials worth explaining, few enough to keep and to read: one for each cell, one for each shared cause. */
import { type PlannedTrial, type Trial, visibleLine } from '../../engine/index.ts';
import { counted } from '../text/figures.ts';
import { indent, inset, type Page } from '../text/page.ts';
import type { Places } from '../text/places.ts';
import { wrap } from '../text/width.ts';
import { whyNot } from '../trial/chain.ts';
import { failureLines } from '../trial/failure.ts';
import { Remarks } from './remarks.ts';

/** Explained in full; of the rest only the names are told. */
const EXPLAINED = 20;
const NAMED = 5;

interface Group {
  /** The first one; null beyond the limit, where only the name is kept. */
  trial: Trial | null;
  cellName: string;
  /** Of the trials that came out alike. */
  ids: string[];
  cells: Set<string>;
}

export class Failures {
  readonly #groups = new Map<string, Group>();
  readonly #places = new Map<string, number>();
  readonly #names: ReadonlyMap<string, string>;
  readonly #remarks = new Remarks();
  /** Failed advisory checks, of all trials. */
  advisories = 0;

  /** @param names what authors call the cases of cells, where that says more than their ids */
  constructor(names: ReadonlyMap<string, string> = new Map()) {
    this.#names = names;
  }

  /** Trials end in any order; what is told of them stands in the order of the plan. */
  plan(trials: readonly PlannedTrial[]): void {
    for (const { cellName } of trials) if (!this.#places.has(cellName)) this.#places.set(cellName, this.#places.size);
  }

  add(trial: Trial, cellName: string): void {
    this.#remarks.add(trial);
    for (const { role, outcome } of trial.checks) if (role === 'advisory' && outcome === 'failed') this.advisories += 1;
    if (trial.verdict !== 'failed' && trial.verdict !== 'errored') return;
    // A server that does not start errors every cell alike: that is told once. A failure belongs to its cell.
    const key = JSON.stringify([trial.verdict, trial.verdict === 'failed' ? cellName : '', whyNot(trial)]);
    const group = this.#groups.get(key);
    if (group === undefined) {
      const kept = this.#groups.size < EXPLAINED ? trial : null;
      this.#groups.set(key, { trial: kept, cellName, ids: [trial.id], cells: new Set([cellName]) });
    } else {
      group.ids.push(trial.id);
      group.cells.add(cellName);
    }
  }

  /** A trial worth a look: the first failed one, else the first errored one. */
  get first(): string | null {
    const groups = this.#inOrder();
    const best = groups.find(({ trial }) => trial?.verdict === 'failed') ?? groups[0];
    return best?.ids[0] ?? null;
  }

  #inOrder(): Group[] {
    const place = ({ cellName }: Group): number => this.#places.get(cellName) ?? 0;
    return [...this.#groups.values()].sort((a, b) => place(a) - place(b));
  }

  lines(places: Places, page: Page): string[] {
    const groups = this.#inOrder();
    const lines = groups.flatMap(({ trial, ...group }) =>
      trial === null
        ? []
        : [...heading(trial, group, this.#names, page), ...indent(failureLines(trial, places, inset(page, 2)), 2), ''],
    );
    const rest = groups.filter(({ trial }) => trial === null);
    if (rest.length > 0) {
      const names = rest.slice(0, NAMED).map(({ cellName }) => visibleLine(cellName));
      const more = rest.length > NAMED ? `, … and ${rest.length - NAMED} more` : '';
      lines.push(...wrap(`and ${counted(rest.length, 'failure')} more: ${names.join(', ')}${more}`, page.columns), '');
    }
    const remarks = this.#remarks.lines(page);
    return remarks.length === 0 ? lines : [...lines, ...remarks, ''];
  }
}

function heading(
  trial: Trial,
  { cellName, ids, cells }: Omit<Group, 'trial'>,
  own: ReadonlyMap<string, string>,
  page: Page,
): string[] {
  const { ink } = page;
  const style = (text: string): string => ink.bold(trial.verdict === 'failed' ? ink.red(text) : ink.yellow(text));
  const mark = trial.verdict === 'failed' ? '✗' : '!';
  if (cells.size > 1) {
    const names = [...cells].slice(0, NAMED).map(visibleLine);
    const more = cells.size > NAMED ? `, … and ${cells.size - NAMED} more` : '';
    return [
      style(`${mark} ${counted(ids.length, 'trial')} ${trial.verdict}, all for one cause`),
      ...indent(wrap(`${names.join(', ')}${more}`, page.columns - 2), 2),
    ];
  }
  const alike = ids.length > 1 ? ` (${ids.length} trials alike)` : '';
  const name = own.get(cellName);
  const lines = wrap(`${visibleLine(cellName)}${alike}`, page.columns - 2).map((line, index) =>
    style(`${index === 0 ? mark : ' '} ${line}`),
  );
  return name === undefined ? lines : [...lines, ...indent(wrap(name, page.columns - 2), 2)];
}
