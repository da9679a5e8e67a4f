/** What every command is given of the world around it. */
import type { Ask } from './ask.ts';
import type { ExitCode } from './exitCodes.ts';
import type { SignalSource } from './interrupt.ts';
import type { Output } from './terminal.ts';

export interface Context {
  /** Results. */
  out: Output;
  /** Everything that is no result. */
  err: Output;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  signals: SignalSource;
  /** Puts a question to a person; null where none sits here. */
  ask: Ask | null;
  /** Leaves at once, for one who asked twice. */
  leave(code: ExitCode): void;
}
