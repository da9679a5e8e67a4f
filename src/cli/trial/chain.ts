/** The user-value chain on one line, up to where it broke. */
import type { Stage, Trial } from '../../engine/index.ts';
import { quotation, visibleLine } from '../../engine/index.ts';
import type { Page } from '../text/page.ts';
import { width } from '../text/width.ts';

const WORDS: Record<Stage['stage'], string> = {
  sessionConnected: 'connected',
  toolsDiscovered: 'tools discovered',
  toolSelected: 'tool selected',
  toolCalled: 'tool called',
  responseReturned: 'response returned',
  requestSatisfied: 'request satisfied',
};

const SHORT: Record<Stage['stage'], string> = {
  sessionConnected: 'connected',
  toolsDiscovered: 'discovered',
  toolSelected: 'selected',
  toolCalled: 'called',
  responseReturned: 'returned',
  requestSatisfied: 'satisfied',
};

/** What was being done, in words: a stage of the chain, `limit: timeout`, or a plain word such as `connect`. */
export function stageWords(stage: string): string {
  const words: Partial<Record<string, string>> = WORDS;
  return (Object.hasOwn(words, stage) ? words[stage] : undefined) ?? stage.replace(/^limit:(?! )/, 'limit: ');
}

/** `connected ✓  discovered ✓  selected ✗`, on as few lines as the page allows; ends with the last stage that was reached. */
export function chainLines(chain: readonly Stage[], { columns, ink }: Page): string[] {
  const marks: Record<Stage['state'], string> = {
    ok: ink.green('✓'),
    broke: ink.red('✗'),
    notReached: ink.dim('·'),
    notMeasured: ink.yellow('?'),
  };
  const lines: string[] = [];
  for (const { stage, state } of chain.slice(0, lastTold(chain) + 1)) {
    const part = `${ink.dim(SHORT[stage])} ${marks[state]}`;
    const line = lines.at(-1);
    if (line === undefined || width(line) + 2 + width(part) > columns) lines.push(part);
    else lines[lines.length - 1] = `${line}  ${part}`;
  }
  return lines;
}

/** Why a trial did not pass, in one line safe to print. */
export function whyNot(trial: Trial): string {
  const cause = causeOf(trial);
  return cause === null ? trial.verdict : `${firstLine(cause.stage)}: ${firstLine(cause.text)}`;
}

/** The first broken stage of a failed trial, else what it ended of. The text is a stranger's, and may run over lines. */
export function causeOf({ verdict, chain, reason }: Trial): { stage: string; text: string } | null {
  const broke = chain.find(({ state }) => state === 'broke');
  if (verdict === 'failed' && broke !== undefined) return { stage: WORDS[broke.stage], text: broke.evidence };
  return reason === undefined ? null : { stage: stageWords(reason.stage), text: reason.text };
}

/** The rest, such as a server's last words, is for where there is room; and so is the sentence that announces it. */
export function firstLine(text: string): string {
  return visibleLine(quotation(text).sentence.split('\n')[0] ?? '');
}

function lastTold(chain: readonly Stage[]): number {
  const last = chain.findLastIndex((stage) => stage.state !== 'notReached');
  return last === -1 ? chain.length - 1 : last;
}
