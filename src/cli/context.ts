/** What every command is given of the world around it. */
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
  /** Leaves at once, for one who asked twice. */
  leave(code: ExitCode): void;
}
