/** The suites that a command is about: found, read, and everything wrong with them told. */
import {
  findSuites,
  McproveError,
  type Problem,
  type ReadResult,
  readSuiteFile,
  type Suite,
  visibleLine,
} from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import type { Output } from '../terminal.ts';
import { counted } from '../text/figures.ts';
import { displayPath } from '../text/places.ts';
import { countProblems, type ProblemCounts, printError, printProblems, problemsOf } from '../text/problems.ts';

export interface LoadedSuite {
  suite: Suite;
  /** It was asked for by its own name. */
  named: boolean;
  /** The file, as it shall be shown. */
  path: string;
}

/** A file of ours that cannot be run as it is; what is wrong has been told. */
export interface BrokenSuite {
  /** Absolute path. */
  file: string;
  /** The file, as it shall be shown. */
  path: string;
  /** At least one. */
  problems: readonly Problem[];
}

export interface LoadedSuites {
  suites: LoadedSuite[];
  /** Those that could not be read. */
  broken: BrokenSuite[];
  problems: ProblemCounts;
  /** What was wrong so far; empty when nothing was. */
  codes: ExitCode[];
}

/**
 * @param words files, folders and globs
 * @param to    where problems of suites are told
 * @throws McproveError FIND001, FIND002
 */
export async function loadSuites(words: readonly string[], context: Context, to: Output): Promise<LoadedSuites> {
  const { cwd, err } = context;
  const loaded: LoadedSuites = { suites: [], broken: [], problems: { error: 0, warning: 0, hint: 0 }, codes: [] };
  let foreign = 0;
  for (const found of await findSuites(words, cwd)) {
    const path = displayPath(found.file, cwd);
    const read = await readOrTell(found.file, context);
    if (read.kind === 'foreign') {
      foreign += 1;
      if (found.named) loaded.codes.push(EXIT.usage);
      tellForeign(path, visibleLine(read.hint), found.named, err);
      continue;
    }
    if (read.kind !== 'unreadable') printProblems(read.problems, to, cwd);
    countProblems(loaded.problems, read.problems);
    if (read.kind === 'suite') {
      loaded.suites.push({ suite: read.suite, named: found.named, path });
    } else {
      loaded.broken.push({ file: found.file, path, problems: read.problems });
      loaded.codes.push(EXIT.usage);
    }
  }
  if (loaded.suites.length + loaded.broken.length === 0 && loaded.codes.length === 0) {
    const message = `no suite found; ${counted(foreign, 'file')} of other tools passed over`;
    printError(new McproveError('FIND002', message, { hint: 'A suite begins with "mcprove: 1".' }), err, cwd);
    loaded.codes.push(EXIT.usage);
  }
  return loaded;
}

/** Where the file cannot be read at all, that has been told. */
async function readOrTell(
  file: string,
  { cwd, err }: Context,
): Promise<ReadResult | { kind: 'unreadable'; problems: Problem[] }> {
  try {
    return await readSuiteFile(file, cwd);
  } catch (error) {
    if (!(error instanceof McproveError)) throw error;
    printError(error, err, cwd);
    return { kind: 'unreadable', problems: problemsOf(error, file) };
  }
}

function tellForeign(path: string, hint: string, named: boolean, err: Output): void {
  const { dim, red } = err.ink;
  if (named) err.line(`${red('error')} ${dim('FIND003')} ${path} is not a suite of MCProve: it ${hint}.`);
  else err.line(dim(`${path} is passed over: it ${hint}.`));
}
