/** The two streams a command writes to, and what may be done on them: colour, redrawing, how wide. */
import picocolors from 'picocolors';
import { isCi } from '../engine/index.ts';

export type Ink = ReturnType<typeof picocolors.createColors>;

/** What a stream has to be for us; `process.stdout` is one. */
export interface Stream {
  write(text: string, done?: () => void): boolean;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Columns for text that goes to a file or a log, where there is no screen to measure. */
const LOG_COLUMNS = 100;

export class Output {
  readonly ink: Ink;
  /** Lines may be drawn over: a terminal that a person watches. */
  readonly live: boolean;
  readonly isTerminal: boolean;
  readonly #stream: Stream;
  #closed = false;
  #failure: NodeJS.ErrnoException | undefined;

  constructor(stream: Stream, env: Environment) {
    this.#stream = stream;
    this.isTerminal = stream.isTTY === true;
    const watched = this.isTerminal && env.TERM !== 'dumb' && !isCi(env);
    this.live = watched;
    this.ink = picocolors.createColors(wantsColour(env) ?? watched);
    stream.on('error', (error) => {
      this.#closed = true;
      // A reader that has seen enough (`| head`) is no error; a full disk behind `>` is.
      if (error.code !== 'EPIPE') this.#failure = error;
    });
  }

  get columns(): number {
    return this.isTerminal ? Math.max(20, this.#stream.columns ?? 80) : LOG_COLUMNS;
  }

  get rows(): number {
    return Math.max(3, this.#stream.rows ?? 24);
  }

  /** Why the stream could not be written, when it is not just that nobody reads any more. */
  get failure(): NodeJS.ErrnoException | undefined {
    return this.#failure;
  }

  write(text: string): void {
    if (!this.#closed) this.#stream.write(text);
  }

  line(text = ''): void {
    this.write(`${text}\n`);
  }

  lines(texts: readonly string[]): void {
    if (texts.length > 0) this.write(`${texts.join('\n')}\n`);
  }

  onResize(listener: () => void): () => void {
    this.#stream.on('resize', listener);
    return () => this.#stream.off('resize', listener);
  }

  /** Settles when everything written has been taken, or nobody takes it any more. */
  flushed(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.on('error', () => resolve());
      this.#stream.write('', () => resolve());
    });
  }
}

/** What the environment demands, or undefined where it leaves the choice. `FORCE_COLOR` beats `NO_COLOR`, as in Node. */
function wantsColour(env: Environment): boolean | undefined {
  const { FORCE_COLOR: force, NO_COLOR: no } = env;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (no !== undefined && no !== '') return false;
  return undefined;
}
