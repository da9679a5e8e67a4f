/** One run of one suite, with all that it needs from the machine. */
import { McproveError } from './errors.ts';
import type { RunEvent, RunHead } from './record.ts';
import { ciName, gitFacts, type Plan, Redactor, type RunResult, runSuite } from './runs/index.ts';
import { resolveServers } from './servers/index.ts';
import type { Suite } from './suite/index.ts';

export interface RunRequest {
  suite: Suite;
  plan: Plan;
  env: NodeJS.ProcessEnv;
  /** Values of inputs by id, given for this run. */
  inputs?: ReadonlyMap<string, string>;
  /** Aborted: the run is cancelled. */
  signal: AbortSignal;
  onEvent(event: RunEvent): void;
  toolVersion: string;
  origin: RunHead['origin'];
  note: string | null;
  /** Trials at the same time. */
  concurrency?: number;
  /** Ends the run once so many cells cannot reach their bar any more. */
  bail?: number;
  /** Starts no trial that would bring the cost of the run over so many USD. */
  maxCostUsd?: number;
}

/**
 * Resolves the suite's servers, with their secrets, and carries out the plan.
 *
 * @throws McproveError SERVERS001 with all problems where a server's configuration is not sound, and as `runSuite`
 */
export async function startRun(request: RunRequest): Promise<RunResult> {
  const { suite, env, inputs, signal, toolVersion, origin, note, ...rest } = request;
  const redactor = new Redactor();
  const { servers, problems } = resolveServers(suite, {
    ...{ env, secrets: redactor },
    ...(inputs === undefined ? {} : { inputs }),
  });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw new McproveError('SERVERS001', 'the configuration of the servers has errors', { problems: errors });
  }
  const ci = ciName(env);
  const git = await gitFacts(suite.workspace, signal);
  const facts = { toolVersion, origin: ci !== null && origin === 'cli' ? 'ci' : origin, note, git, ci } as const;
  return runSuite({ suite, servers, redactor, env, signal, facts, ...rest });
}
