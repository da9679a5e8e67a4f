import type { RunEnd, RunEvent, RunHead } from '../record.ts';
import type { ServerDefinition, ServerPool, ServerPoolOptions } from '../servers/index.ts';
import type { Suite } from '../suite/model.ts';
import type { Plan } from './planned.ts';
import type { Redactor } from './redact.ts';

export interface RunInput {
  plan: Plan;
  suite: Suite;
  servers: readonly ServerDefinition[];
  /** Knows the secrets of the servers already. */
  redactor: Redactor;
  /** Fills `{{env.NAME}}`, and is what servers may inherit from. */
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted: the run is cancelled; a reason given with it is kept. */
  signal: AbortSignal;
  /** The only way to follow a run. What it throws ends the run and is thrown on. */
  onEvent(event: RunEvent): void;
  facts: Pick<RunHead, 'toolVersion' | 'origin' | 'note' | 'git' | 'ci'>;
  /** Trials at the same time; 8 where nothing is said. */
  concurrency?: number;
  /** Ends the run once so many cells cannot reach their bar any more. */
  bail?: number;
  /** Starts no trial that would bring the cost of the run over so many USD. */
  maxCostUsd?: number;
  /** In [0, 1), for the jitter of waits before a request is sent again; chance where nothing is said. */
  random?(): number;
  /** Default: `.mcprove/runs` of the suite's workspace. */
  runsFolder?: string;
  createPool?(servers: readonly ServerDefinition[], options: ServerPoolOptions): ServerPool;
}

export interface RunResult {
  head: RunHead;
  end: RunEnd;
  /** Absolute path of the run file. */
  file: string;
}
