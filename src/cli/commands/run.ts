/** `mcprove run`: runs suites one after another, reports, and says with its exit code what came of it. */
import { checkSuite, type Overrides, startRun } from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOf, worst } from '../exitCodes.ts';
import { type Interruption, watchSignals } from '../interrupt.ts';
import { ListReporter } from '../list/listReporter.ts';
import type { MatchOverrides, ReporterSpec } from '../options.ts';
import { prepareReports, writeReports } from '../run/fileReports.ts';
import { type SuiteOutcome, totalLines } from '../run/total.ts';
import type { Output } from '../terminal.ts';
import { placesIn, textOf } from '../text/places.ts';
import { printProblems } from '../text/problems.ts';
import { loadSuites } from './loadSuites.ts';
import { type PlannedSuite, planSuites, type SelectionOptions } from './plans.ts';

export interface RunOptions extends SelectionOptions {
  trials?: number;
  manyTrials?: boolean;
  bail?: number;
  /** Of all suites together, in USD. */
  maxCost?: number;
  concurrency?: number;
  note?: string;
  match?: MatchOverrides;
  reporter?: readonly ReporterSpec[];
  verbose?: boolean;
}

export async function runCommand(words: readonly string[], options: RunOptions, context: Context): Promise<ExitCode> {
  await prepareReports(options.reporter ?? [], context.cwd);
  const { suites, codes } = await loadSuites(words, context, context.err);
  const { planned, codes: planCodes } = await planSuites(suites, options, overridesOf(options), context);
  codes.push(...planCodes);
  const ready: PlannedSuite[] = [];
  for (const suite of planned) {
    if (await isSound(suite, context)) ready.push(suite);
    else codes.push(EXIT.usage);
  }
  // A mistake in the options is not to cost a run; a broken suite does not hold up the others.
  if (ready.length === 0 || planCodes.length > 0) return worst(codes);
  return new SuiteRuns(ready, codes, options, context).run();
}

function overridesOf({ trials, manyTrials, model, match }: RunOptions): Overrides {
  return {
    ...(trials === undefined ? {} : { trials }),
    ...(manyTrials === undefined ? {} : { manyTrials }),
    ...(model === undefined || model.length === 0 ? {} : { models: model }),
    ...(match === undefined ? {} : { match }),
  };
}

/** Tells what is wrong with the servers and models that a suite names. */
async function isSound({ loaded, plan }: PlannedSuite, { err, cwd, env }: Context): Promise<boolean> {
  const problems = await checkSuite(loaded.suite, env, plan.models);
  printProblems(problems, err, cwd);
  return problems.every(({ severity }) => severity !== 'error');
}

/** The runs of one command. */
class SuiteRuns {
  readonly #planned: readonly PlannedSuite[];
  readonly #codes: ExitCode[];
  readonly #options: RunOptions;
  readonly #context: Context;
  /** Where the reporter `list` writes; null where nobody asked for it. */
  readonly #screen: Output | null;
  #reporter: ListReporter | null = null;
  #spentUsd = 0;

  constructor(planned: readonly PlannedSuite[], codes: readonly ExitCode[], options: RunOptions, context: Context) {
    this.#planned = planned;
    this.#codes = [...codes];
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
    const files: string[] = [];
    for (const [index, planned] of this.#planned.entries()) {
      const { path } = planned.loaded;
      if (interruption.signal.aborted) {
        outcomes.push({ path, run: null });
        continue;
      }
      if (index > 0) this.#screen?.line();
      const run = await this.#runOne(planned, interruption.signal);
      this.#spentUsd += run.end.costUsd ?? 0;
      outcomes.push({ path, run });
      files.push(run.file);
      this.#codes.push(exitCodeOf(run.end.decision));
    }
    this.#codes.push(...(await writeReports(this.#options.reporter ?? [], files, this.#context)));
    if (interruption.exitCode !== undefined) this.#codes.push(interruption.exitCode);
    const code = worst(this.#codes);
    const screen = this.#screen;
    screen?.lines(totalLines(outcomes, code, { columns: screen.columns, ink: screen.ink }));
    return code;
  }

  async #runOne({ loaded, plan }: PlannedSuite, signal: AbortSignal) {
    const { suite } = loaded;
    const { cwd, err, env, version } = this.#context;
    const { bail, concurrency, maxCost, note, verbose } = this.#options;
    const reporter =
      this.#screen === null
        ? null
        : new ListReporter(this.#screen, err, {
            file: suite.file,
            places: placesIn(suite, await textOf(suite), cwd),
            cwd,
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
        ...(bail === undefined ? {} : { bail }),
        ...(maxCost === undefined ? {} : { maxCostUsd: Math.max(0, maxCost - this.#spentUsd) }),
        ...(concurrency === undefined ? {} : { concurrency }),
        onEvent: (event) => reporter?.take(event),
      });
    } finally {
      reporter?.dispose();
    }
  }
}

/** `list` is always there, unless something else has stdout; then only where it is asked for, on stderr. */
function screenFor(specs: readonly ReporterSpec[], { out, err }: Context): Output | null {
  const isTaken = specs.some(({ name, file }) => name !== 'list' && file === null);
  if (!isTaken) return out;
  return specs.some(({ name }) => name === 'list') ? err : null;
}
