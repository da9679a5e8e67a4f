/** `mcprove doctor`: whether everything is there that a run needs, and what to do where it is not. */
import { type Examination, examine } from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { doctorJson } from '../doctor/doctorJson.ts';
import { examinationLines, verdictLine } from '../doctor/examinationText.ts';
import { EXIT, type ExitCode, worst } from '../exitCodes.ts';
import { watchSignals } from '../interrupt.ts';
import type { InputValues } from '../options.ts';
import { counted } from '../text/figures.ts';
import type { Page } from '../text/page.ts';

export interface DoctorOptions {
  json?: boolean;
  input?: InputValues;
}

export async function doctorCommand(options: DoctorOptions, context: Context): Promise<ExitCode> {
  const { out, err, cwd, env, version } = context;
  const page: Page = { columns: out.columns, ink: out.ink };
  const interruption = watchSignals(context.signals, {
    first: () => err.line('Cancelling: servers are being ended. Ctrl-C again leaves at once.'),
    again: (code) => context.leave(code),
  });
  const { signal } = interruption;
  const inputs = options.input ?? new Map();
  const all: Examination[] = [];
  const onServers = (names: readonly string[]): void => {
    if (err.live) err.line(err.ink.dim(`Starting ${counted(names.length, 'server')} …`));
  };
  try {
    for await (const examination of examine({ cwd, env: { ...env }, inputs, signal, onServers })) {
      all.push(examination);
      if (options.json !== true) out.lines([...examinationLines(examination, cwd, page), '']);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return interruption.exitCode ?? EXIT.interrupted;
  } finally {
    interruption.dispose();
  }
  if (options.json === true) out.line(JSON.stringify(doctorJson(all, version), null, 2));
  else out.line(verdictLine(all, page));
  return worst(all.map(codeOf));
}

/** What stands wrong in a file is a mistake of usage, as for `validate`; what does not start has failed. */
function codeOf({ kind, findings }: Examination): ExitCode {
  if (findings.every(({ level }) => level !== 'error')) return EXIT.passed;
  return kind === 'servers' || kind === 'suites' ? EXIT.usage : EXIT.failed;
}
