/** What is wrong with the servers and models that a suite names. */
import { McproveError, type Problem } from './errors.ts';
import { resolveModel } from './models/registry.ts';
import { resolveServers } from './servers/resolveServers.ts';
import type { Suite } from './suite/index.ts';

/**
 * Starts nothing and asks nobody.
 *
 * @param env    from which the variables of server configurations are filled
 * @param models those of a run; else the suite's own
 * @returns problems at their places, those of the servers first
 */
export function checkSuite(
  suite: Suite,
  env: NodeJS.ProcessEnv,
  models: readonly string[] = (suite.models ?? []).map(({ id }) => id),
): Problem[] {
  // Nothing is shown or written here that could hold a secret.
  const { problems } = resolveServers(suite, { env, secrets: { add: () => undefined } });
  return [...problems, ...models.flatMap((id) => modelProblem(suite, id) ?? [])];
}

function modelProblem(suite: Suite, id: string): Problem | null {
  try {
    resolveModel(id);
    return null;
  } catch (error) {
    if (!(error instanceof McproveError)) throw error;
    const { code, message, hint } = error;
    const at = suite.models?.find((model) => model.id === id)?.at;
    const range = suite.locate(at ?? '/models');
    return { code, severity: 'error', message, range, ...(hint === undefined ? {} : { hint }) };
  }
}
