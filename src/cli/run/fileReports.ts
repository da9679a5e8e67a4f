/** Reports that are written when all runs have ended: to files, or to stdout for a machine. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { jsonReport, junitReport, McproveError, type OpenRun, openRun, type UnrunSuite } from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import type { ReporterName, ReporterSpec } from '../options.ts';
import type { Places } from '../text/places.ts';
import { printError } from '../text/problems.ts';
import { placesOfRun } from './placesOfRun.ts';

interface ReportInput {
  runs: readonly OpenRun[];
  unrun: readonly UnrunSuite[];
  cwd: string;
}

const FORMATS: Partial<Record<ReporterName, (input: ReportInput) => Promise<string>>> = {
  json: async ({ runs, unrun }) => `${JSON.stringify(await jsonReport(runs, unrun), null, 2)}\n`,
  junit: async ({ runs, unrun, cwd }) => {
    const places = new Map<OpenRun, Places>();
    for (const run of runs) places.set(run, (await placesOfRun(run, cwd)).places);
    // A route begins where its key stands: its value would be the place of an expected call, which may be innocent.
    const spot = (pointer: string) => ({ pointer, key: pointer.endsWith('/calls') });
    return junitReport(runs, { unrun, place: (run, pointer) => places.get(run)?.name(spot(pointer)) ?? pointer });
  },
};

/**
 * Makes the folders of the files, so that a mistake in a path is known before anything is run.
 *
 * @throws McproveError REPORT001
 */
export async function prepareReports(specs: readonly ReporterSpec[], cwd: string): Promise<void> {
  for (const { file } of specs) {
    if (file === null) continue;
    const path = resolve(cwd, file);
    try {
      await mkdir(dirname(path), { recursive: true });
    } catch (error) {
      throw unwritable(file, error);
    }
    if ((await stat(path).catch(() => null))?.isDirectory()) throw unwritable(file, new Error('it is a folder'));
  }
}

/**
 * @param files of the runs, in the order in which they ran
 * @param unrun what was asked for and has no run
 * @returns what went wrong; told on stderr
 */
export async function writeReports(
  specs: readonly ReporterSpec[],
  files: readonly string[],
  unrun: readonly UnrunSuite[],
  { out, err, cwd }: Context,
): Promise<ExitCode[]> {
  const wanted = specs.filter(({ name }) => FORMATS[name] !== undefined);
  if (wanted.length === 0) return [];
  const codes: ExitCode[] = [];
  try {
    const runs = await Promise.all(files.map((file) => openRun(file)));
    for (const { name, file } of wanted) {
      const text = (await FORMATS[name]?.({ runs, unrun, cwd })) ?? '';
      if (file === null) out.write(text);
      else await writeTo(file, text, cwd);
    }
  } catch (error) {
    if (!(error instanceof McproveError)) throw error;
    printError(error, err, cwd);
    codes.push(EXIT.usage);
  }
  return codes;
}

async function writeTo(file: string, text: string, cwd: string): Promise<void> {
  try {
    await writeFile(resolve(cwd, file), text);
  } catch (error) {
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): McproveError {
  const why = error instanceof Error ? error.message : String(error);
  return new McproveError('REPORT001', `the report ${file} cannot be written: ${why}`, {
    hint: 'Give --reporter another file.',
  });
}
