/** What is wrong with the servers and models that a suite names. */
import { McproveError, type Problem } from './errors.ts';
import { type ModelOptions, resolveModel } from './models/registry.ts';
import { resolveServers } from './servers/resolveServers.ts';
import type { ModelEntry, Suite } from './suite/index.ts';
import { modelOf } from './suite/modelId.ts';

export interface CheckOptions {
  /**
   * Those of a run that is to start; else the suite's own, of which a missing key is but a warning: a suite is written and
   * checked on machines that will never run it.
   */
  models?: readonly string[];
  /** Values of inputs by id. */
  inputs?: ReadonlyMap<string, string>;
}

/**
 * Starts nothing and asks nobody.
 *
 * @param env from which the variables of server configurations are filled, and the keys of models come
 * @returns problems at their places, those of the servers first
 */
export function checkSuite(suite: Suite, env: NodeJS.ProcessEnv, { models, inputs }: CheckOptions = {}): Problem[] {
  // Nothing is shown or written here that could hold a secret.
  const options = { env, secrets: { add: () => undefined } };
  const { problems } = resolveServers(suite, { ...options, ...(inputs === undefined ? {} : { inputs }) });
  const asked = models?.map((id) => modelOf(suite, id)) ?? suite.models ?? [];
  const found = asked.flatMap((model) => modelProblem(model, suite, options) ?? []);
  return [...problems, ...(models === undefined ? found.map(lessened) : found)];
}

function modelProblem(model: ModelEntry, suite: Suite, options: ModelOptions): Problem | null {
  try {
    resolveModel(model, options);
    return null;
  } catch (error) {
    if (!(error instanceof McproveError)) throw error;
    const { code, message, hint } = error;
    const range = suite.locate(model.at);
    return { code, severity: 'error', message, range, ...(hint === undefined ? {} : { hint }) };
  }
}

/** What the environment lacks may be there where the suite is run. */
function lessened(problem: Problem): Problem {
  const lacks = problem.code === 'MODEL004' || problem.code === 'SUITE013';
  return lacks ? { ...problem, severity: 'warning' } : problem;
}
