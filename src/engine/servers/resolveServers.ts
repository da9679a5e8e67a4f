import { homedir } from 'node:os';
import type { Problem } from '../errors.ts';
import type { ServerEntry, Suite } from '../suite/model.ts';
import { nearest } from '../suite/nearest.ts';
import { layOver, type ServerDraft } from './configuration/draft.ts';
import { finishDraft } from './configuration/finishDraft.ts';
import { Sources } from './configuration/sources.ts';
import { draftOfSuite } from './configuration/suiteEntry.ts';
import { Variables } from './configuration/variables.ts';
import type { SecretSink, ServerDefinition } from './connection.ts';

const MAX_PROBLEMS = 50;

export interface ResolveOptions {
  /** The runner's environment, from which variables are filled. */
  env: NodeJS.ProcessEnv;
  /** Told of every secret that is used: values under names such as `API_KEY`, passwords, headers. */
  secrets: SecretSink;
  /** Values of inputs by id, given for this run. */
  inputs?: ReadonlyMap<string, string>;
  /** Where the user's own files lie; default: the home folder. */
  home?: string;
  platform?: NodeJS.Platform;
}

/**
 * The servers that a suite means: its own entries laid over those of the configuration files in the nearest folder, up to
 * the workspace, that has them (else of the user's own files), or all of the nearest folder's where the suite names none.
 * Starts nothing. A server with errors is not in the list, and each of its errors is among the problems, at its place;
 * values of variables never are.
 */
export function resolveServers(
  suite: Suite,
  options: ResolveOptions,
): { servers: ServerDefinition[]; problems: Problem[] } {
  const { env, secrets, inputs = new Map(), home = homedir(), platform = process.platform } = options;
  const machine = { env, home, platform };
  const variables = new Variables(machine, inputs, secrets);
  const sources = new Sources(suite, machine);
  const problems: Problem[] = [];
  const drafts: ServerDraft[] = [];
  if (suite.servers === null) {
    const found = sources.nearest();
    drafts.push(...found.drafts);
    problems.push(...found.problems);
  }
  for (const entry of suite.servers ?? []) {
    const found = draftOf(suite, entry, sources, platform);
    problems.push(...found.problems);
    if (found.draft !== null) drafts.push(found.draft);
  }
  const servers = drafts.flatMap((draft) => {
    const finished = finishDraft(draft, variables);
    problems.push(...finished.problems);
    return finished.server ?? [];
  });
  return { servers, problems: [...sources.problems(), ...problems].sort(byPlace).slice(0, MAX_PROBLEMS) };
}

function draftOf(
  suite: Suite,
  entry: ServerEntry,
  sources: Sources,
  platform: NodeJS.Platform,
): { draft: ServerDraft | null; problems: Problem[] } {
  const own = draftOfSuite(suite, entry, sources.inputs(), platform);
  const isComplete = own.command !== undefined || own.url !== undefined;
  const { draft: base, problems, isUnknown } = sources.named(entry.name, isComplete);
  if (base !== null) return { draft: layOver(base, own), problems };
  if (isComplete) return { draft: own, problems };
  // A file that cannot be read has said so; whether it holds the server is not known.
  if (isUnknown) return { draft: null, problems };
  const { files, servers } = sources.known();
  const closest = nearest(entry.name, servers);
  const message =
    files.length === 0
      ? `server "${entry.name}" has neither command nor url, and no configuration file has it`
      : `server "${entry.name}" is not in ${files.join(', ')}`;
  const hints = [
    ...(closest === undefined ? [] : [`Did you mean "${closest}"?`]),
    ...(servers.length === 0 ? [] : [`Known: ${servers.join(', ')}.`]),
    ...(files.length === 0 ? ['Give it a "command" or "url" here, or a place in .mcp.json.'] : []),
  ];
  const problem = { code: 'SUITE006', severity: 'error', message, hint: hints.join(' '), ...own.at } as const;
  return { draft: null, problems: [...problems, problem] };
}

function byPlace(a: Problem, b: Problem): number {
  return a.range.file.localeCompare(b.range.file) || a.range.start.offset - b.range.start.offset;
}
