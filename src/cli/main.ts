/** The terminal face, around one command: the streams, the status, the end. */
import { asker } from './ask.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode, worst } from './exitCodes.ts';
import { runProgram } from './program.ts';
import { Output } from './terminal.ts';
import { version } from './version.ts';

export async function main(args: readonly string[]): Promise<void> {
  const out = new Output(process.stdout, process.env);
  const err = new Output(process.stderr, process.env);
  const cwd = currentFolder();
  if (cwd === null) {
    err.line('error The current folder does not exist any more. Change to one that does, and start mcprove again.');
    await err.flushed();
    process.exit(EXIT.usage);
  }
  const context: Context = {
    out,
    err,
    cwd,
    env: process.env,
    version,
    signals: process,
    ask: asker(process.stdin, process.stderr, process.env),
    leave: (code) => process.exit(code),
  };
  const code = await runProgram(args, context);
  await Promise.all([out.flushed(), err.flushed()]);
  // Everything has been disposed of; should something hold on all the same, nobody is to wait for it.
  process.exit(await withLostResults(code, out, err));
}

/** Null where it has been removed, perhaps by what also removed the work of a CI job. */
function currentFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** Results that could not be written (a full disk behind `>`) are no success. */
async function withLostResults(code: ExitCode, out: Output, err: Output): Promise<ExitCode> {
  if (out.failure === undefined) return code;
  err.line(`error The results could not be written: ${out.failure.message}.`);
  await err.flushed();
  return worst([code, EXIT.usage]);
}
