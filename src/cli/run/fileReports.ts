/** Reports that are written when all runs have ended: to files, or to stdout for a machine. */
import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import {
  jsonReport,
  junitReport,
  McproveError,
  type OpenRun,
  openRun,
  type RunEnd,
  type UnrunSuite,
} from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import type { ReporterName, ReporterSpec } from '../options.ts';
import type { Places } from '../text/places.ts';
import { printError } from '../text/problems.ts';
import { placesOfRun } from './placesOfRun.ts';

/** A run of this command. */
export interface EndedRun {
  /** Absolute path of the run file. */
  file: string;
  /** Known here even where the disk was too full to take it. */
  end: RunEnd;
}

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
 * Makes the folders of the files, so that a mistake in a path is known before anything is run. What lies there already is
 * overwritten only where it is a report: anything else was not meant, such as the suite itself.
 *
 * @throws McproveError REPORT001
 */
export async function prepareReports(specs: readonly ReporterSpec[], cwd: string): Promise<void> {
  const taken = new Set<string>();
  for (const { name, file } of specs) {
    if (file === null) continue;
    const path = resolve(cwd, file);
    if (taken.has(path)) throw unwritable(file, 'two reporters are to write it');
    taken.add(path);
    const what = OURS.find(({ names }) => names.test(basename(path)))?.what;
    if (what !== undefined) throw unwritable(file, `it has the name of ${what}`);
    try {
      await mkdir(dirname(path), { recursive: true });
    } catch (error) {
      throw unwritable(file, error);
    }
    const start = await startOf(path, file);
    if (start !== '' && !LOOKS[name].test(start))
      throw unwritable(file, `it is there already, and is no ${name} report`);
  }
}

/**
 * @param ended the runs, in the order in which they ran
 * @param unrun what was asked for and has no run
 * @returns what went wrong; told on stderr
 */
export async function writeReports(
  specs: readonly ReporterSpec[],
  ended: readonly EndedRun[],
  unrun: readonly UnrunSuite[],
  { out, err, cwd }: Context,
): Promise<ExitCode[]> {
  const wanted = specs.filter(({ name }) => FORMATS[name] !== undefined);
  if (wanted.length === 0) return [];
  const codes: ExitCode[] = [];
  try {
    const runs = await Promise.all(ended.map(({ file, end }) => openRun(file, { end })));
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

/** Files that are read and never written by reports, whether they are there or not. */
const OURS = [
  { names: /\.eval\.ya?ml$/i, what: 'a suite' },
  { names: /\.run\.jsonl$/i, what: 'a run file' },
  { names: /^\.?mcp\.json$/i, what: 'a configuration of servers' },
] as const;

/** How a report of each kind begins. JUnit files of other tools may be overwritten too: CI jobs have one place for them. */
const LOOKS: Record<ReporterName, RegExp> = {
  json: /^\s*\{\s*"format"\s*:\s*\d+\s*,\s*"runs"/,
  junit: /^\s*(?:<\?xml[^>]*>\s*)?<testsuites?\b/,
  list: /^/,
};
const START_BYTES = 1024;

/** '' for a file that is not there, is empty, or is none that could lose anything: a pipe, a device. */
async function startOf(path: string, file: string): Promise<string> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw unwritable(file, 'it is a folder');
    if (!stats.isFile()) return '';
    const handle = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error instanceof McproveError ? error : unwritable(file, error);
  }
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
