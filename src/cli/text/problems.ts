/** Problems and errors in the one form that every face shows. */
import { readFileSync } from 'node:fs';
import {
  formatProblem,
  type McproveError,
  type Problem,
  type Severity,
  visible,
  visibleLine,
} from '../../engine/index.ts';
import type { Output } from '../terminal.ts';
import { excerpt } from './excerpt.ts';
import { counted } from './figures.ts';
import { indent, inset } from './page.ts';
import { displayPath, placeName } from './places.ts';

/** On a terminal with the line it is about and a mark under the place. */
export function printProblems(problems: readonly Problem[], out: Output, cwd: string): void {
  const texts = new Map<string, string | null>();
  for (const problem of problems) out.lines(problemLines(problem, out, cwd, texts));
}

/** What was wrong, where, and what to do: of an error that we know. Anything else is a bug, told by `printBug`. */
export function printError(error: McproveError, out: Output, cwd: string): void {
  if (error.problems.length > 0) {
    printProblems(error.problems, out, cwd);
    return;
  }
  if (error.range !== undefined) {
    const { code, message, range, hint } = error;
    printProblems([{ code, severity: 'error', message, range, ...(hint === undefined ? {} : { hint }) }], out, cwd);
    return;
  }
  const message = /[.?!]$/.test(error.message) ? error.message : `${error.message}.`;
  const hint = error.hint === undefined ? '' : ` ${error.hint}`;
  out.line(`${out.ink.red('error')} ${out.ink.dim(error.code)} ${visible(message + hint)}`);
}

/** @param verbose with the stack trace */
export function printBug(error: unknown, out: Output, verbose: boolean): void {
  const message = error instanceof Error ? error.message : String(error);
  out.line(
    `${out.ink.red('error')} mcprove itself failed: ${visibleLine(message)}. This is a bug in mcprove, not in the suite.`,
  );
  if (verbose && error instanceof Error) out.line(visible(error.stack ?? ''));
  else out.line('Run it again with --verbose for the place in the code, and please report it.');
}

function problemLines(problem: Problem, out: Output, cwd: string, texts: Map<string, string | null>): string[] {
  const { ink } = out;
  const file = displayPath(problem.range.file, cwd);
  const place = `${placeName(problem.range, cwd)} `;
  const rest = visibleLine(formatProblem(problem, file).slice(place.length + problem.severity.length));
  const style: Record<Severity, (text: string) => string> = { error: ink.red, warning: ink.yellow, hint: ink.cyan };
  const lines = [`${ink.bold(place)}${style[problem.severity](problem.severity)}${rest}`];
  if (out.isTerminal) {
    const text = textOf(problem.range.file, texts);
    const page = inset({ columns: out.columns, ink }, 2);
    if (text !== null) lines.push(...indent(excerpt(text, problem.range, page), 2));
  }
  const { related } = problem;
  if (related !== undefined) lines.push(`  ${placeName(related.range, cwd)} ${visibleLine(related.message)}`);
  return lines;
}

/** Null where it cannot be read (any more): then the problem is told without its line. */
function textOf(file: string, texts: Map<string, string | null>): string | null {
  let text = texts.get(file);
  if (text === undefined) {
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      text = null;
    }
    texts.set(file, text);
  }
  return text;
}

export type ProblemCounts = Record<Severity, number>;

export function countProblems(counts: ProblemCounts, problems: readonly Problem[]): void {
  for (const { severity } of problems) counts[severity] += 1;
}

/** `2 errors, 1 warning`, or '' where there is none. */
export function problemTotals(counts: ProblemCounts): string {
  const severities: Severity[] = ['error', 'warning', 'hint'];
  return severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => counted(counts[severity], severity))
    .join(', ');
}
