/** A stream that remembers what was written. */
import { Output, type Stream } from '../../../src/cli/terminal.ts';
import { Screen } from './screen.ts';

type ErrorListener = (error: NodeJS.ErrnoException) => void;

export class FakeStream implements Stream {
  written = '';
  isTTY: boolean;
  columns: number;
  rows = 24;
  readonly #resize = new Set<() => void>();
  readonly #error = new Set<ErrorListener>();

  /** @param columns of a terminal; 0 for a pipe */
  constructor(columns = 0) {
    this.isTTY = columns > 0;
    this.columns = columns;
  }

  write(text: string, done?: () => void): boolean {
    this.written += text;
    done?.();
    return true;
  }

  on(event: 'error', listener: ErrorListener): void;
  on(event: 'resize', listener: () => void): void;
  on(event: 'error' | 'resize', listener: ErrorListener & (() => void)): void {
    (event === 'error' ? this.#error : this.#resize).add(listener);
  }

  off(_event: 'resize', listener: () => void): void {
    this.#resize.delete(listener);
  }

  get resizeListeners(): number {
    return this.#resize.size;
  }

  resizeTo(columns: number): void {
    this.columns = columns;
    for (const listener of this.#resize) listener();
  }

  break(code: string): void {
    for (const listener of this.#error) listener(Object.assign(new Error(`write ${code}`), { code }));
  }

  /** What a person sees, scrolled back to the beginning. */
  shown(): string {
    const screen = new Screen(this.isTTY ? this.columns : 10_000);
    screen.write(this.written);
    return screen.text();
  }
}

/** An output on a fake stream; with colours only where `env` demands them, so that texts are easy to compare. */
export function fakeOutput(
  columns = 0,
  env: Record<string, string> = { NO_COLOR: '1' },
): { stream: FakeStream; output: Output } {
  const stream = new FakeStream(columns);
  return { stream, output: new Output(stream, env) };
}
