import type { Problem, Severity } from '../errors.ts';
import type { Code } from './codes.ts';
import type { Nodes } from './nodes.ts';
import type { Problems } from './problems.ts';

/** What a problem says beyond its code, place and message. */
export interface More {
  severity?: Severity;
  hint?: string;
  /** The problem is the key and not its value. */
  key?: boolean;
  /** The problem is a part of the value: offsets into the file. */
  part?: readonly [start: number, end: number];
  /** A text that mends it when put in place of the range. */
  fix?: { title: string; text: string };
  /** Another place that belongs to it. */
  related?: { message: string; pointer: string; key?: boolean };
}

/** Tells problems at the places of values. */
export class Report {
  readonly nodes: Nodes;
  readonly #problems: Problems;

  constructor(nodes: Nodes, problems: Problems) {
    this.nodes = nodes;
    this.#problems = problems;
  }

  /** No further error would be shown. */
  get isFull(): boolean {
    return this.#problems.isFull('error');
  }

  /** Always false, so that a check can end with it. */
  add(code: Code, pointer: string, message: string, more: More = {}): false {
    const { severity = 'error', hint, key = false, part, fix, related } = more;
    if (this.#problems.isFull(severity)) return false;
    const range = part === undefined ? this.nodes.range(pointer, { key }) : this.nodes.within(...part);
    if (this.#problems.isGarbled(range.start.line)) return false;
    const problem: Problem = { code, severity, message, range, pointer };
    if (hint !== undefined) problem.hint = hint;
    if (fix !== undefined) problem.fix = { ...fix, range };
    if (related !== undefined) {
      const other = this.nodes.range(related.pointer, { key: related.key ?? false });
      problem.related = { message: related.message, range: other };
    }
    this.#problems.add(problem);
    return false;
  }

  /** `line:column`, for a message that names another place. */
  place(pointer: string, options: { key?: boolean } = {}): string {
    const { line, column } = this.nodes.range(pointer, options).start;
    return `${line}:${column}`;
  }
}
