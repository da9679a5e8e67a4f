/** What is worth a line though nothing failed of it: warnings of models, and tools that models made up. */
import { nearest, type Trial, visibleLine } from '../../engine/index.ts';
import { counted } from '../text/figures.ts';
import { hanging, type Page } from '../text/page.ts';
import { truncate } from '../text/width.ts';

/** Different ones that are kept; of more only the number is told. */
const KEPT = 100;
const SHOWN = 5;
const LONGEST = 300;

export class Remarks {
  /** How many trials gave cause for each. */
  readonly #trials = new Map<string, number>();
  #more = 0;

  add(trial: Trial): void {
    for (const remark of new Set([...warningsOf(trial), ...inventedTools(trial)])) {
      const before = this.#trials.get(remark);
      if (before !== undefined || this.#trials.size < KEPT) this.#trials.set(remark, (before ?? 0) + 1);
      else this.#more += 1;
    }
  }

  lines(page: Page): string[] {
    const all = [...this.#trials];
    const lines = all.slice(0, SHOWN).flatMap(([text, trials]) => {
      const times = trials > 1 ? ` (${counted(trials, 'trial')})` : '';
      return hanging('! ', truncate(text, LONGEST) + times, page, page.ink.yellow);
    });
    const left = all.length - SHOWN + this.#more;
    return left > 0 ? [...lines, page.ink.dim(`  … and ${counted(left, 'remark')} more`)] : lines;
  }
}

function warningsOf({ transcript }: Trial): string[] {
  const replies = transcript.steps.flatMap((step) => step.replies);
  return replies.flatMap(({ warnings }) => warnings.map((warning) => `warning: ${visibleLine(warning)}`));
}

/** Those that no failed check tells of. */
function inventedTools({ transcript, checks, verdict }: Trial): string[] {
  const extras = checks.flatMap(({ diff = [] }) => diff).filter((found) => found.kind === 'extra' && found.counts);
  const told = new Set(extras.map(({ tool }) => tool));
  const names = transcript.offered.map(({ tool }) => tool);
  const invented = transcript.steps
    .flatMap(({ calls }) => calls)
    .filter(({ error, tool }) => error?.kind === 'unknownTool' && !(verdict === 'failed' && told.has(tool)));
  return invented.map(({ tool }) => {
    const near = nearest(tool, names);
    const hint = near === undefined ? '' : `; the nearest is "${visibleLine(near)}"`;
    return `the model called "${visibleLine(tool)}", which no server offers${hint}`;
  });
}
