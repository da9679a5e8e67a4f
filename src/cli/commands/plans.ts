/** What of each suite is to run: planned before anything starts, so that a mistake in the command line stops everything. */
import {
  lastVerdictsOf,
  McproveError,
  nearest,
  type Overrides,
  type Plan,
  planRun,
  type Selection,
} from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { printError, problemsOf } from '../text/problems.ts';
import type { BrokenSuite, LoadedSuite } from './loadSuites.ts';

/** These say that a suite has nothing to run as asked: no mistake while another suite has. */
const EMPTY = new Set(['PLAN001', 'PLAN002', 'PLAN003', 'PLAN007']);

export interface SelectionOptions {
  cell?: readonly string[];
  tag?: readonly string[];
  model?: readonly string[];
  failed?: boolean;
}

export interface PlannedSuite {
  loaded: LoadedSuite;
  plan: Plan;
}

export interface PlannedSuites {
  planned: PlannedSuite[];
  /** Those that cannot be run as they are, or as they were asked for; told. They hold up no other. */
  broken: BrokenSuite[];
  /** Mistakes in the command line, told: then nothing is to be run. */
  codes: ExitCode[];
}

/** What cannot be planned is told on stderr. */
export async function planSuites(
  suites: readonly LoadedSuite[],
  options: SelectionOptions,
  overrides: Overrides,
  context: Context,
): Promise<PlannedSuites> {
  const { err, cwd, env } = context;
  const planned: PlannedSuite[] = [];
  const empty: { loaded: LoadedSuite; error: McproveError }[] = [];
  const broken: BrokenSuite[] = [];
  for (const loaded of suites) {
    try {
      const selection = await selectionFor(loaded, options, overrides, context);
      const plan = await planRun(loaded.suite, selection, overrides, { env, platform: process.platform });
      planned.push({ loaded, plan });
    } catch (error) {
      if (!(error instanceof McproveError)) throw error;
      if (EMPTY.has(error.code)) {
        empty.push({ loaded, error });
      } else {
        printError(error, err, cwd);
        broken.push(brokenSuite(loaded, error));
      }
    }
  }
  broken.push(...tellEmpty(empty, planned, options, context));
  return { planned, broken, codes: tellUnmatched(planned, options, context) };
}

async function selectionFor(
  { suite, path }: LoadedSuite,
  options: SelectionOptions,
  overrides: Overrides,
  { err }: Context,
): Promise<Selection> {
  const { cell = [], tag = [], failed = false } = options;
  const selection: Selection = {
    ...(cell.length > 0 ? { cells: cell } : {}),
    ...(tag.length > 0 ? { tags: tag } : {}),
  };
  if (!failed) return selection;
  const failedOf = await lastVerdictsOf(suite, overrides);
  if (failedOf !== null) return { ...selection, failedOf };
  err.line(err.ink.dim(`${path} has no run yet, so all of it is run.`));
  return selection;
}

function brokenSuite({ suite: { file }, path }: LoadedSuite, error: McproveError): BrokenSuite {
  return { file, path, problems: problemsOf(error, file) };
}

/** A suite that was named and has nothing to run is a mistake; one that was found is, when no other has anything either. */
function tellEmpty(
  empty: readonly { loaded: LoadedSuite; error: McproveError }[],
  planned: readonly PlannedSuite[],
  options: SelectionOptions,
  { err, cwd }: Context,
): BrokenSuite[] {
  const filtered = (options.cell ?? []).length > 0 || (options.tag ?? []).length > 0 || options.failed === true;
  const broken: BrokenSuite[] = [];
  for (const { loaded, error } of empty) {
    if (planned.length > 0 && (filtered || !loaded.named)) {
      err.line(err.ink.dim(`${loaded.path} has nothing to run: ${error.message}.`));
    } else {
      printError(error, err, cwd);
      broken.push(brokenSuite(loaded, error));
    }
  }
  return broken;
}

/** A pattern that fits nothing anywhere is most likely misspelt; what else was asked for does not make up for it. */
function tellUnmatched(
  planned: readonly PlannedSuite[],
  { cell = [] }: SelectionOptions,
  { err, cwd }: Context,
): ExitCode[] {
  const lost =
    planned.length === 0 ? [] : cell.filter((pattern) => planned.every(({ plan }) => plan.unmatched.includes(pattern)));
  const names = planned.flatMap(({ loaded }) => loaded.suite.cases.flatMap(({ id, name }) => [id, name]));
  return lost.map((pattern) => {
    const near = nearest(pattern, names);
    const hint = near === undefined ? 'See `mcprove list`.' : `Did you mean "${near}"?`;
    printError(new McproveError('PLAN001', `no cell of any suite fits "${pattern}"`, { hint }), err, cwd);
    return EXIT.usage;
  });
}
