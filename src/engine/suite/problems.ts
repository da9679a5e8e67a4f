import type { Problem, Severity } from '../errors.ts';

/** More than these nobody reads; what is left out appears when the first ones are mended. */
const MOST_SHOWN = 50;

/** A file that is all mistakes need not be understood to its end. Of each severity. */
const MOST_KEPT = 1000;

const WEIGHT: Readonly<Record<Severity, number>> = { error: 0, warning: 1, hint: 2 };

/** Everything found wrong in one file. */
export class Problems {
  readonly #kept: Readonly<Record<Severity, Map<string, Problem>>> = {
    error: new Map(),
    warning: new Map(),
    hint: new Map(),
  };
  readonly #garbled = new Set<number>();

  /** Two problems with the same code, place and text are one. */
  add(problem: Problem): void {
    if (this.isFull(problem.severity)) return;
    const key = `${problem.code} ${problem.range.start.offset} ${problem.message}`;
    this.#kept[problem.severity].set(key, problem);
  }

  /** Nothing of this severity that is added from now on would be kept. */
  isFull(severity: Severity): boolean {
    return this.#kept[severity].size >= MOST_KEPT;
  }

  get hasErrors(): boolean {
    return this.#kept.error.size > 0;
  }

  has(code: string): boolean {
    return this.#all().some((problem) => problem.code === code);
  }

  /** Nobody can say what else is wrong with a line that is not YAML. */
  garble(line: number): void {
    this.#garbled.add(line);
  }

  isGarbled(line: number): boolean {
    return this.#garbled.has(line);
  }

  /** Sorted by place, at most 50; where there are more, errors stay before warnings, and warnings before hints. */
  list(): Problem[] {
    const byPlace = (a: Problem, b: Problem) => a.range.start.offset - b.range.start.offset;
    return this.#all()
      .sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity] || byPlace(a, b))
      .slice(0, MOST_SHOWN)
      .sort((a, b) => byPlace(a, b) || WEIGHT[a.severity] - WEIGHT[b.severity]);
  }

  #all(): Problem[] {
    return Object.values(this.#kept).flatMap((kept) => [...kept.values()]);
  }
}
