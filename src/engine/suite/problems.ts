import type { Problem, Severity } from '../errors.ts';

/** More than these nobody reads; what is left out appears when the first ones are mended. */
const MOST_SHOWN = 50;

/** A file that is all mistakes need not be understood to its end. */
const MOST_KEPT = 1000;

const WEIGHT: Readonly<Record<Severity, number>> = { error: 0, warning: 1, hint: 2 };

/** Everything found wrong in one file. */
export class Problems {
  readonly #found = new Map<string, Problem>();
  readonly #garbled = new Set<number>();
  #errors = 0;

  /** Two problems with the same code, place and text are one. */
  add(problem: Problem): void {
    if (problem.severity === 'error') this.#errors += 1;
    if (this.#found.size >= MOST_KEPT) return;
    const key = `${problem.code} ${problem.range.start.offset} ${problem.message}`;
    if (!this.#found.has(key)) this.#found.set(key, problem);
  }

  has(code: string): boolean {
    return [...this.#found.values()].some((problem) => problem.code === code);
  }

  /** Nobody can say what else is wrong with a line that is not YAML. */
  garble(line: number): void {
    this.#garbled.add(line);
  }

  isGarbled(line: number): boolean {
    return this.#garbled.has(line);
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** Nothing that is added from now on would be shown. */
  get isFull(): boolean {
    return this.#errors >= MOST_KEPT;
  }

  /** Sorted by place, at most 50; where there are more, errors stay before warnings and hints. */
  list(): Problem[] {
    const byPlace = (a: Problem, b: Problem) => a.range.start.offset - b.range.start.offset;
    return [...this.#found.values()]
      .sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity] || byPlace(a, b))
      .slice(0, MOST_SHOWN)
      .sort((a, b) => byPlace(a, b) || WEIGHT[a.severity] - WEIGHT[b.severity]);
  }
}
