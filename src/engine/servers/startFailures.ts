import type { ServerStartError } from './serverError.ts';

/** Starts that fail at once and for ever: no such command or folder, not executable, nobody signed in. */
const HOPELESS = new Set(['SERVER001', 'SERVER002', 'SERVER003', 'SERVER011']);
/** Starts in a row that fail before the server is given up for the run. */
const MAX_FAILURES = 2;

/** Remembers how often one server failed to start, so that a run does not try for ever. */
export class StartFailures {
  #inARow = 0;
  #final: ServerStartError | null = null;

  /** @throws the failure with which the server was given up */
  check(): void {
    if (this.#final !== null) throw this.#final;
  }

  add(error: ServerStartError): void {
    this.#inARow++;
    if (HOPELESS.has(error.code) || this.#inARow >= MAX_FAILURES) this.#final = error;
  }

  clear(): void {
    this.#inARow = 0;
  }
}
