import { type ModelFactory, PRICE_LIST, resolveModel } from '../models/index.ts';
import type { RunHead } from '../record.ts';
import { isSecret } from '../servers/serverEnvironment.ts';
import { modelOf } from '../suite/modelId.ts';
import { Budget } from './budget.ts';
import { RunFile, runsFolderOf } from './file.ts';
import { newRunId } from './runId.ts';
import type { RunInput, RunResult } from './runInput.ts';
import { refuseUnpriced } from './unpriced.ts';
import { workspacePath } from './workspacePath.ts';

const USUAL_CONCURRENCY = 8;

/**
 * Carries out a plan: every trial acted, graded, written to the run file as it ends, and announced. Whatever servers, models
 * or the disk do wrong stands in the record of the trial and in the decision; when it returns, no process is left.
 *
 * @throws McproveError MODEL001, MODEL003, MODEL004 or SUITE013 for a model that cannot be had, PLAN009 for
 *   a model of unknown price under `maxCostUsd`, RUN006 when no run file can be made; then nothing has started
 */
export async function runSuite(input: RunInput): Promise<RunResult> {
  const { plan, suite, servers, redactor } = input;
  const options = { env: { ...input.env }, secrets: redactor };
  const models = new Map(plan.models.map((id) => [id, resolveModel(modelOf(suite, id), options)]));
  if (input.maxCostUsd !== undefined) await refuseUnpriced(suite, plan, [...models.values()]);
  addCaseSecrets(input);
  // Whoever only plans, lists or reads runs does without servers, models and grading.
  const { Execution } = await import('./execution.ts');
  const { RunGates } = await import('./gates.ts');
  const createPool = input.createPool ?? (await import('../servers/index.ts')).createServerPool;
  const head = headOf(input, newRunId(new Date()));
  const file = await RunFile.create(input.runsFolder ?? runsFolderOf(suite.workspace), head, redactor);
  const execution = new Execution({
    ...input,
    file,
    models,
    budget: input.maxCostUsd === undefined ? null : budgetOf(input.maxCostUsd, models),
    gates: new RunGates(models.values(), servers, input.random),
    concurrency: input.concurrency ?? USUAL_CONCURRENCY,
    bail: input.bail ?? Number.POSITIVE_INFINITY,
    createPool: (onNotice) => createPool(servers, { runId: head.id, env: { ...input.env }, onNotice }),
  });
  try {
    return { head: file.head, end: await execution.run(), file: file.path };
  } finally {
    await Promise.all([...models.values()].map((model) => model.close()));
  }
}

/** Models that are asked nowhere cost nothing. */
function budgetOf(maxUsd: number, models: ReadonlyMap<string, ModelFactory>): Budget {
  const free = [...models.values()].filter(({ endpoint }) => endpoint === null);
  return new Budget(
    maxUsd,
    free.map(({ id }) => id),
  );
}

/** Values that cases take from the environment under names of secrets. */
function addCaseSecrets({ plan, env, redactor }: RunInput): void {
  for (const { case: testCase } of plan.cells) {
    for (const name of testCase.requires.env) {
      const value = env[name] ?? '';
      if (isSecret(name, value)) redactor.add(value);
    }
  }
}

function headOf({ plan, suite, servers, facts }: RunInput, id: string): RunHead {
  const inside = (file: string) => workspacePath(suite.workspace, file);
  return {
    kind: 'run',
    format: 1,
    id,
    suite: { path: inside(suite.file), name: suite.name, hash: suite.hash, snapshot: suite.snapshot },
    planned: { trials: plan.trials.length, cells: plan.cells.length },
    skipped: [...plan.skipped],
    models: [...plan.models],
    servers: servers.map(({ name, origin }) => ({ name, origin: { ...origin, file: inside(origin.file) } })),
    prices: plan.models.length === 0 ? null : PRICE_LIST,
    ...facts,
    startedAt: new Date().toISOString(),
  };
}
