/** One trial as a text: how it ended, what happened, every check, the value chain. */
import { type Check, describeCheck, type Stage, type Trial, visibleLine } from '../../engine/index.ts';
import type { Ink } from '../terminal.ts';
import { duration } from '../text/duration.ts';
import { counted } from '../text/figures.ts';
import { hanging, indent, inset, type Page } from '../text/page.ts';
import type { Places } from '../text/places.ts';
import { padEnd } from '../text/width.ts';
import { causeOf, firstLine, stageWords } from './chain.ts';
import { causeLines, checkLines, isBroken } from './failure.ts';
import { transcriptLines } from './transcript.ts';

export function trialLines(trial: Trial, places: Places, page: Page): string[] {
  const { ink } = page;
  return [
    ...headLines(trial, page),
    ...transcriptLines(trial, page),
    '',
    ink.bold('checks'),
    ...indent(allChecks(trial, places, inset(page, 2)), 2),
    '',
    ink.bold('value chain'),
    ...indent(
      trial.chain.flatMap((stage) => stageLines(stage, inset(page, 2))),
      2,
    ),
  ];
}

function headLines(trial: Trial, page: Page): string[] {
  const { ink } = page;
  const { mark, style } = verdictStyle(trial.verdict, ink);
  const replies = trial.transcript.steps.flatMap((step) => step.replies).length;
  const calls = trial.transcript.steps.flatMap((step) => step.calls).length;
  const facts = [trial.verdict, duration(trial.durationMs)];
  if (trial.cell.model !== null) facts.push(visibleLine(trial.cell.model), counted(replies, 'turn'));
  facts.push(counted(calls, 'call'));
  if (trial.attempts > 1) facts.push(counted(trial.attempts, 'attempt'));
  const lines = [style(`${mark} ${ink.bold(visibleLine(trial.id))}`)];
  lines.push(...indent(hanging('', facts.join(' · '), inset(page, 2), ink.dim), 2));
  const cause = causeOf(trial);
  if (cause !== null) lines.push(...indent(causeLines(cause, inset(page, 2), style), 2));
  return lines;
}

function allChecks(trial: Trial, places: Places, page: Page): string[] {
  if (trial.checks.length === 0) return [page.ink.dim('none')];
  return trial.checks.flatMap((check, index) => {
    if (isBroken(check)) {
      const last = index === trial.checks.length - 1;
      return [...checkLines(check, trial, places, page), ...(last ? [] : [''])];
    }
    return hanging(
      '',
      `${outcomeMark(check)} ${roleWord(check)}${describeCheck(check)}`,
      page,
      outcomeStyle(check, page.ink),
    );
  });
}

function roleWord(check: Check): string {
  return check.role === 'advisory' ? 'advisory: ' : '';
}

function outcomeMark(check: Check): string {
  return { passed: '✓', failed: '✗', notMeasured: '?', notApplicable: '·', notReached: '·' }[check.outcome];
}

function outcomeStyle(check: Check, ink: Ink): (text: string) => string {
  return {
    passed: ink.green,
    failed: ink.yellow,
    notMeasured: ink.yellow,
    notApplicable: ink.dim,
    notReached: ink.dim,
  }[check.outcome];
}

function stageLines(stage: Stage, page: Page): string[] {
  const { ink } = page;
  const { mark, style } = {
    ok: { mark: '✓', style: ink.green },
    broke: { mark: '✗', style: ink.red },
    notReached: { mark: '·', style: ink.dim },
    notMeasured: { mark: '?', style: ink.yellow },
  }[stage.state];
  // Why a stage was not reached stands at the one that broke, or above.
  const evidence = stage.state === 'notReached' ? 'not reached' : firstLine(stage.evidence);
  const told = [stage.state === 'notMeasured' ? 'not measured' : '', evidence].filter((part) => part !== '').join(': ');
  return hanging(`${mark} ${padEnd(stageWords(stage.stage), 19)}`, told, { ...page, ink: { ...ink, dim: style } });
}

export function verdictStyle(verdict: Trial['verdict'], ink: Ink): { mark: string; style: (text: string) => string } {
  return {
    passed: { mark: '✓', style: ink.green },
    failed: { mark: '✗', style: ink.red },
    errored: { mark: '!', style: ink.yellow },
    cancelled: { mark: '–', style: ink.yellow },
    skipped: { mark: '·', style: ink.dim },
  }[verdict];
}
