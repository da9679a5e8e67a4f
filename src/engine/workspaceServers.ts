/** The servers that a suite in a folder would have, if it named none. */
import { join } from 'node:path';
import type { Problem } from './errors.ts';
import { Redactor } from './runs/index.ts';
import { resolveServers, type ServerDefinition } from './servers/index.ts';
import { findWorkspace, readSuite } from './suite/index.ts';

export interface WorkspaceServers {
  /** Those without errors. */
  servers: ServerDefinition[];
  problems: Problem[];
  /** Knows the secrets that the servers are given. */
  redactor: Redactor;
}

/**
 * Starts nothing.
 *
 * @param folder where the suite would lie
 * @param inputs values of inputs by id
 */
export function workspaceServers(
  folder: string,
  env: NodeJS.ProcessEnv,
  inputs: ReadonlyMap<string, string> = new Map(),
): WorkspaceServers {
  const file = join(folder, 'any.eval.yaml');
  const read = readSuite('mcprove: 1\ncases: [{ tool: any }]\n', { file, workspace: findWorkspace(file, folder) });
  if (read.kind !== 'suite') throw new Error('The smallest suite cannot be read.');
  const redactor = new Redactor();
  return { ...resolveServers(read.suite, { env, inputs, secrets: redactor }), redactor };
}
