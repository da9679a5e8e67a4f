import type { Problem } from '../errors.ts';
import type { ServerEntry, Suite } from '../suite/model.ts';
import { nearest } from '../suite/nearest.ts';
import type { SecretSink, ServerDefinition } from './connection.ts';
import { findMcpFile, type McpFile, readMcpFile } from './mcpFile.ts';
import { draftOfSuite, finishDraft, layOver, type ServerDraft } from './serverDraft.ts';
import { Variables } from './variables.ts';

const MAX_PROBLEMS = 50;

/**
 * The servers that a suite means: its own entries laid over those of the nearest `.mcp.json` in the folders up to the
 * workspace, or all of that file's where the suite names none. Starts nothing. A server with errors is not in the list,
 * and each of its errors is among the problems, at its place; values of variables never are.
 *
 * @param options.env     the runner's environment, from which variables are filled
 * @param options.secrets told of every value that is used under a name such as `API_KEY`
 */
export function resolveServers(
  suite: Suite,
  options: { env: NodeJS.ProcessEnv; secrets: SecretSink },
): { servers: ServerDefinition[]; problems: Problem[] } {
  const variables = new Variables(options.env, options.secrets);
  const path = findMcpFile(suite.file, suite.workspace);
  const file = path === null ? null : readMcpFile(path);
  const problems: Problem[] = [...(file?.problems ?? [])];
  const drafts: ServerDraft[] = [];
  if (suite.servers === null) drafts.push(...(file?.servers.values() ?? []));
  for (const entry of suite.servers ?? []) {
    const found = draftOf(suite, entry, file);
    if (found !== null && 'code' in found) problems.push(found);
    else if (found !== null) drafts.push(found);
  }
  const servers = drafts.flatMap((draft) => {
    const finished = finishDraft(draft, variables);
    problems.push(...finished.problems);
    return finished.server ?? [];
  });
  return { servers, problems: problems.sort(byPlace).slice(0, MAX_PROBLEMS) };
}

function draftOf(suite: Suite, entry: ServerEntry, file: McpFile | null): ServerDraft | Problem | null {
  const own = draftOfSuite(suite, entry);
  const base = file?.servers.get(entry.name);
  if (base !== undefined) return layOver(base, own);
  if (own.command !== undefined) return own;
  // A file that cannot be read has said so; whether it holds the server is not known.
  if (file?.problems.some(({ severity }) => severity === 'error')) return null;
  const known = [...(file?.servers.keys() ?? [])];
  const closest = nearest(entry.name, known);
  const message =
    file === null
      ? `server "${entry.name}" has no command, and there is no .mcp.json from here up to the workspace folder`
      : `server "${entry.name}" is not in ${file.file}`;
  const hints = [
    ...(closest === undefined ? [] : [`Did you mean "${closest}"?`]),
    ...(known.length === 0 ? [] : [`Known: ${known.join(', ')}.`]),
    ...(file === null ? ['Give it a "command" and "args" here, or add the file.'] : []),
  ];
  return { code: 'SUITE006', severity: 'error', message, hint: hints.join(' '), ...own.at };
}

function byPlace(a: Problem, b: Problem): number {
  return a.range.file.localeCompare(b.range.file) || a.range.start.offset - b.range.start.offset;
}
