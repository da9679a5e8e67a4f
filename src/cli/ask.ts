/** Questions to the person at the terminal. */
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { isCi } from '../engine/index.ts';

/** @returns the answer without white space around it; null for one who does not want to answer (Ctrl-C, Ctrl-D) */
export type Ask = (question: string) => Promise<string | null>;

/** Null where there is nobody to ask: input or output is no terminal, or `CI` is set. */
export function asker(
  input: Readable & { isTTY?: boolean },
  output: Writable & { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Ask | null {
  if (input.isTTY !== true || output.isTTY !== true || isCi(env)) return null;
  return async (question) => {
    const terminal = createInterface({ input, output });
    try {
      return await new Promise<string | null>((resolve) => {
        terminal.once('close', () => resolve(null));
        terminal.question(question).then(
          (answer) => resolve(answer.trim()),
          () => resolve(null),
        );
      });
    } finally {
      terminal.close();
    }
  };
}
