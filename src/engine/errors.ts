/** The one family of errors, and the one form in which a problem is told. */

import { advised } from './sentence.ts';

/** A place in a text; line and column count from 1, offset from 0 (UTF-16 code units). */
export interface Position {
  line: number;
  column: number;
  offset: number;
}

export interface SourceRange {
  /** Absolute path. */
  file: string;
  start: Position;
  end: Position;
}

export type Severity = 'error' | 'warning' | 'hint';

/** Something wrong at a place. `code` is stable and documented; `hint` says what to do. */
export interface Problem {
  code: string;
  severity: Severity;
  message: string;
  hint?: string;
  range: SourceRange;
  /** JSON pointer of the key or value concerned, where there is one. */
  pointer?: string;
  /** Another place that belongs to it, such as the first of two equal keys. */
  related?: { message: string; range: SourceRange };
  /** A text edit that mends it. */
  fix?: { title: string; range: SourceRange; text: string };
}

export class McproveError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly range: SourceRange | undefined;
  /** Set where one failure holds several located problems. */
  readonly problems: readonly Problem[];

  constructor(
    code: string,
    message: string,
    more: { hint?: string; range?: SourceRange; problems?: readonly Problem[]; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'McproveError';
    this.code = code;
    this.hint = more.hint;
    this.range = more.range;
    this.problems = more.problems ?? [];
  }
}

/**
 * `file:line:column severity CODE message. Hint.` on one line.
 *
 * @param file the path as it shall be shown, for example relative to the current folder
 */
export function formatProblem(problem: Problem, file: string = problem.range.file): string {
  const { line, column } = problem.range.start;
  const sentences = advised(problem.message, problem.hint);
  return `${file}:${line}:${column} ${problem.severity} ${problem.code} ${sentences}`;
}
