/** Workspaces on disk, and the servers that a suite in them means. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { formatProblem, type Problem } from '../../../src/engine/errors.ts';
import type { ServerDefinition } from '../../../src/engine/servers/connection.ts';
import { resolveServers } from '../../../src/engine/servers/resolveServers.ts';
import { readSuite } from '../../../src/engine/suite/index.ts';

/** Holds every workspace, `w1` and so on; removed in the end. */
export const root = realpathSync(mkdtempSync(join(tmpdir(), 'mcprove-resolve-')));
afterAll(() => rmSync(root, { recursive: true }));

export interface Files {
  /** The `servers:` part of a suite in `suites/a.eval.yaml`. */
  suite?: string;
  /** `.mcp.json` at the workspace folder, unless `at` names another place. */
  mcp?: string | object | Buffer;
  at?: string;
  /** More files of the workspace; those of the home folder begin with `home/`. */
  files?: Readonly<Record<string, string | object>>;
  env?: NodeJS.ProcessEnv;
  inputs?: Readonly<Record<string, string>>;
  platform?: NodeJS.Platform;
}

interface Resolved {
  /** Each with what its transport says beside what it says itself. */
  servers: (Omit<ServerDefinition, 'transport'> & ServerDefinition['transport'])[];
  /** As shown, relative to the workspace. */
  problems: string[];
  raw: Problem[];
  told: string[];
  workspace: string;
}

let workspaces = 0;

export function resolve({ suite = '', mcp, at = '.mcp.json', files = {}, env = {}, ...given }: Files): Resolved {
  const workspace = join(root, `w${++workspaces}`);
  mkdirSync(join(workspace, 'suites/sub folder'), { recursive: true });
  const all: Record<string, string | object> = { ...files, ...(mcp === undefined ? {} : { [at]: mcp }) };
  for (const [path, content] of Object.entries(all)) {
    const text = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 2);
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const file = join(workspace, 'suites/a.eval.yaml');
  const text = `mcprove: 1\n${suite}cases:\n  - prompt: Hi\n    calls: none\n`;
  writeFileSync(file, text);
  const read = readSuite(text, { file, workspace });
  if (read.kind !== 'suite') throw new Error(JSON.stringify(read));
  const told: string[] = [];
  const { servers, problems } = resolveServers(read.suite, {
    env,
    secrets: { add: (value) => told.push(value) },
    inputs: new Map(Object.entries(given.inputs ?? {})),
    home: join(workspace, 'home'),
    platform: given.platform ?? 'linux',
  });
  const shown = problems.map((problem) => formatProblem(problem).replaceAll(`${workspace}/`, ''));
  const flat = servers.map(({ transport, ...rest }) => ({ ...rest, ...transport }));
  return { servers: flat, problems: shown, raw: problems, told, workspace };
}

/** What is tried for each of many bad inputs. */
export interface Bad extends Files {
  name: string;
  shown: readonly (string | RegExp)[];
  /** How many servers can be used all the same. */
  usable?: number;
}
