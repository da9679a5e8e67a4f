/** `mcprove run`: runs suites one after another, reports, and says with its exit code what came of it. */
import {
  checkSuite,
  findWorkspace,
  type Overrides,
  type Plan,
  type Problem,
  type Suite,
  startRun,
  type UnrunSuite,
  workspacePath,
} from '../../engine/index.ts';
import { commandName } from '../commandName.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOf, worst } from '../exitCodes.ts';
import { type Interruption, watchSignals } from '../interrupt.ts';
import { ListReporter } from '../list/listReporter.ts';
import type { InputValues, MatchOverrides, ReporterSpec } from '../options.ts';
import { type EndedRun, prepareReports, writeReports } from '../run/fileReports.ts';
import { type SuiteOutcome, totalLines } from '../run/total.ts';
import type { Output } from '../terminal.ts';
import { ownName } from '../text/ownName.ts';
import { placesIn, textOf } from '../text/places.ts';
import { printProblems } from '../text/problems.ts';
import { type BrokenSuite, loadSuites } from './loadSuites.ts';
import { type PlannedSuite, planSuites, type SelectionOptions } from './plans.ts';

export interface RunOptions extends SelectionOptions {
  trials?: number;
  manyTrials?: boolean;
  bail?: number;
  /** Of all suites together, in USD. */
  maxCost?: number;
  input?: InputValues;
  concurrency?: number;
  note?: string;
  match?: MatchOverrides;
  reporter?: readonly ReporterSpec[];
  verbose?: boolean;
}

export async function runCommand(words: readonly string[], options: RunOptions, context: Context): Promise<ExitCode> {
  await prepareReports(options.reporter ?? [], context.cwd);
  const loaded = await loadSuites(words, context, context.err);
  const { planned, broken, codes } = await planSuites(loaded.suites, options, overridesOf(options), context);
  // A mistake in the command line is not to cost a run; a broken suite does not hold up the others.
  if (codes.length > 0) return worst(codes);
  const ready: PlannedSuite[] = [];
  const unsound = [...loaded.broken, ...broken];
  for (const suite of planned) {
    const problems = await problemsIn(suite, options.input, context);
    if (problems.length === 0) ready.push(suite);
    else unsound.push({ file: suite.loaded.suite.file, path: suite.loaded.path, problems });
  }
  return new SuiteRuns(ready, unsound, loaded.codes, options, context).run();
}

function overridesOf({ trials, manyTrials, model, match }: RunOptions): Overrides {
  return {
    ...(trials === undefined ? {} : { trials }),
    ...(manyTrials === undefined ? {} : { manyTrials }),
    ...(model === undefined || model.length === 0 ? {} : { models: model }),
    ...(match === undefined ? {} : { match }),
  };
}

/** Tells what is wrong with the servers and models that a suite names. @returns the errors */
async function problemsIn(
  { loaded, plan }: PlannedSuite,
  inputs: InputValues = new Map(),
  { err, cwd, env }: Context,
): Promise<Problem[]> {
  const problems = await checkSuite(loaded.suite, env, { models: plan.models, inputs });
  printProblems(problems, err, cwd);
  return problems.filter(({ severity }) => severity === 'error');
}

/** The runs of one command. */
class SuiteRuns {
  readonly #planned: readonly PlannedSuite[];
  readonly #broken: readonly BrokenSuite[];
  readonly #codes: ExitCode[];
  readonly #options: RunOptions;
  readonly #context: Context;
  /** Where the reporter `list` writes; null where nobody asked for it. */
  readonly #screen: Output | null;
  #reporter: ListReporter | null = null;
  #spentUsd = 0;

  constructor(
    planned: readonly PlannedSuite[],
    broken: readonly BrokenSuite[],
    codes: readonly ExitCode[],
    options: RunOptions,
    context: Context,
  ) {
    this.#planned = planned;
    this.#broken = broken;
    this.#codes = [...codes, ...broken.map(() => EXIT.usage)];
    this.#options = options;
    this.#context = context;
    this.#screen = screenFor(options.reporter ?? [], context);
  }

  async run(): Promise<ExitCode> {
    const interruption = watchSignals(this.#context.signals, {
      first: () => this.#reporter?.cancelling('Cancelling: what runs is being ended. Ctrl-C again leaves at once.'),
      again: (code) => this.#context.leave(code),
    });
    try {
      return await this.#runAll(interruption);
    } finally {
      this.#reporter?.dispose();
      interruption.dispose();
    }
  }

  async #runAll(interruption: Interruption): Promise<ExitCode> {
    const outcomes: SuiteOutcome[] = [];
    const ended: EndedRun[] = [];
    let isCut = false;
    const unrun: UnrunSuite[] = [];
    let bail = this.#options.bail ?? Number.POSITIVE_INFINITY;
    for (const [index, planned] of this.#planned.entries()) {
      const { path, suite } = planned.loaded;
      const why = interruption.signal.aborted ? 'cancelled' : bail <= 0 ? `--bail ${this.#options.bail}` : null;
      if (why !== null) {
        isCut ||= interruption.signal.aborted;
        outcomes.push({ path, run: null, word: 'not begun', why });
        unrun.push(unrunSuite(suite.file, this.#context, { state: 'notBegun', message: `not begun: ${why}` }));
        continue;
      }
      if (index > 0) this.#screen?.line();
      const run = await this.#runOne(planned, bail, interruption.signal);
      this.#spentUsd += run.end.costUsd ?? 0;
      bail -= run.end.cells.filter(({ state }) => state === 'failed').length;
      outcomes.push({ path, run });
      ended.push(run);
      isCut ||= run.end.decision === 'cancelled';
      this.#codes.push(exitCodeOf(run.end.decision));
    }
    for (const { file, path, problems } of this.#broken) {
      const why = firstProblem(problems);
      outcomes.push({ path, run: null, word: 'broken', why });
      unrun.push(unrunSuite(file, this.#context, { state: 'broken', message: why, problems }));
    }
    this.#codes.push(...(await writeReports(this.#options.reporter ?? [], ended, unrun, this.#context)));
    // A signal that came when every trial had ended and was written cut nothing short: the decisions stand.
    if (isCut && interruption.exitCode !== undefined) this.#codes.push(interruption.exitCode);
    const code = worst(this.#codes);
    const screen = this.#screen;
    // Where nothing was run, all there is to say has been said.
    if (this.#planned.length > 0)
      screen?.lines(
        totalLines(outcomes, code, commandName(this.#context.env), { columns: screen.columns, ink: screen.ink }),
      );
    return code;
  }

  async #runOne({ loaded, plan }: PlannedSuite, bail: number, signal: AbortSignal) {
    const { suite } = loaded;
    const { cwd, err, env, version } = this.#context;
    const { concurrency, input, maxCost, note, verbose } = this.#options;
    const reporter =
      this.#screen === null
        ? null
        : new ListReporter(this.#screen, err, {
            file: suite.file,
            places: placesIn(suite, await textOf(suite), cwd),
            cwd,
            names: namesOf(plan, suite),
            command: commandName(env),
            verbose: verbose === true,
          });
    this.#reporter = reporter;
    try {
      return await startRun({
        suite,
        plan,
        env,
        signal,
        toolVersion: version,
        origin: 'cli',
        note: note ?? null,
        ...(Number.isFinite(bail) ? { bail } : {}),
        ...(maxCost === undefined ? {} : { maxCostUsd: Math.max(0, maxCost - this.#spentUsd) }),
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(input === undefined ? {} : { inputs: input }),
        onEvent: (event) => reporter?.take(event),
      });
    } finally {
      reporter?.dispose();
    }
  }
}

function namesOf({ cells }: Plan, { snapshot }: Suite): Map<string, string> {
  return new Map(
    cells.flatMap(({ name, case: of }) => {
      const own = ownName(of, snapshot);
      return own === null ? [] : [[name, own] as const];
    }),
  );
}

function unrunSuite(
  file: string,
  { cwd }: Context,
  more: Pick<UnrunSuite, 'state' | 'message'> & { problems?: readonly Problem[] },
): UnrunSuite {
  return { path: workspacePath(findWorkspace(file, cwd), file), problems: [], ...more };
}

/** `line 4: SUITE002 unknown key "promt" (and 2 more)`. */
function firstProblem(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first = problems[0]] = errors;
  if (first === undefined) return 'it cannot be read';
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `line ${first.range.start.line}: ${first.code} ${first.message}${more}`;
}

/** `list` is always there, unless something else has stdout; then only where it is asked for, on stderr. */
function screenFor(specs: readonly ReporterSpec[], { out, err }: Context): Output | null {
  const isTaken = specs.some(({ name, file }) => name !== 'list' && file === null);
  if (!isTaken) return out;
  return specs.some(({ name }) => name === 'list') ? err : null;
}
