/** Problems and errors in the one form that every face shows. */
import { readFileSync } from 'node:fs';
import {
  advised,
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
import { width, wrap } from './width.ts';

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
  const text = visible(advised(error.message, error.hint));
  const head = `error ${error.code} `;
  const lines = out.isTerminal ? wrap(head + text, out.columns) : [head + text];
  const coloured = `${out.ink.red('error')} ${out.ink.dim(error.code)} `;
  out.lines(lines.map((line, index) => (index === 0 ? coloured + line.slice(head.length) : line)));
}

/** The same as problems; one that names no place is about the file as a whole. */
export function problemsOf({ code, message, hint, range, problems }: McproveError, file: string): Problem[] {
  if (problems.length > 0) return [...problems];
  const start = { line: 1, column: 1, offset: 0 };
  const place = range ?? { file, start, end: start };
  return [{ code, severity: 'error', message, range: place, ...(hint === undefined ? {} : { hint }) }];
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
  const style: Record<Severity, (text: string) => string> = { error: ink.red, warning: ink.yellow, hint: ink.cyan };
  const head = place + problem.severity;
  const whole = visibleLine(formatProblem(problem, file));
  const [first = '', ...more] = out.isTerminal ? wrapHanging(whole, head, out.columns) : [whole];
  const lines = [`${ink.bold(place)}${style[problem.severity](problem.severity)}${first.slice(head.length)}`, ...more];
  if (out.isTerminal) {
    const text = textOf(problem.range.file, texts);
    const page = inset({ columns: out.columns, ink }, 2);
    if (text !== null) lines.push(...indent(excerpt(text, problem.range, page), 2));
  }
  const { related } = problem;
  if (related !== undefined) lines.push(`  ${placeName(related.range, cwd)} ${visibleLine(related.message)}`);
  return lines;
}

/** The first words in one piece, since they are a place to be clicked on; what does not fit beside them, below. */
function wrapHanging(text: string, head: string, columns: number): string[] {
  const room = Math.max(16, columns - 2);
  if (width(head) + 16 > columns) return [head, ...indent(wrap(text.slice(head.length + 1), room), 2)];
  const [first = '', ...rest] = wrap(text, columns);
  return [first, ...indent(wrap(rest.join(' '), room), 2)].filter((line) => line !== '');
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
