import type { Problem } from '../errors.ts';
import { resolveServers, type ServerDefinition } from '../servers/index.ts';
import { workspaceServers } from '../workspaceServers.ts';
import { examineServer } from './examineServer.ts';
import type { Examination, Finding } from './finding.ts';
import { examineMachine } from './machine.ts';
import { examineProviders } from './providers.ts';
import { examineSuites } from './suites.ts';

/** Servers that are examined at the same time. */
const AT_ONCE = 4;

export interface DoctorRequest {
  /** Suites are looked for below it, and the configuration from it upwards. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Values of inputs by id. */
  inputs: ReadonlyMap<string, string>;
  /** Aborted: servers are ended, and the rest is left out. */
  signal: AbortSignal;
  /** Told before any server is started. */
  onServers(names: readonly string[]): void;
}

/**
 * Examines one thing after another, and gives each examination when it is done; servers side by side, each within its
 * `startTimeout`. When it ends no process is left, be it by an error, a `return`, or the signal.
 *
 * @throws the signal's reason when it aborts
 */
export async function* examine(request: DoctorRequest): AsyncGenerator<Examination, void, undefined> {
  const { cwd, env, inputs, signal, onServers } = request;
  const { servers: configured, problems, redactor } = workspaceServers(cwd, env, inputs);
  const { suites, examination: suitesFound } = await examineSuites(cwd, env, inputs);
  const servers = distinct([
    ...configured,
    ...suites.flatMap((suite) => resolveServers(suite, { env, inputs, secrets: redactor }).servers),
  ]);
  yield examineMachine(servers, env);
  yield examineProviders(env);
  if (problems.length > 0 || servers.length === 0) yield configuration(problems, servers);
  if (servers.length > 0) onServers(servers.map(({ name }) => name));
  const leaving = new AbortController();
  const started = startAll(servers, (server) =>
    examineServer(server, { env, redactor, signal: AbortSignal.any([signal, leaving.signal]) }),
  );
  try {
    for (const examination of started) yield await examination;
  } finally {
    leaving.abort();
    await Promise.allSettled(started);
  }
  signal.throwIfAborted();
  yield suitesFound;
}

function configuration(problems: readonly Problem[], servers: readonly ServerDefinition[]): Examination {
  const findings: Finding[] = problems.map(({ code, severity, message, hint, range }) => ({
    level: severity === 'hint' ? 'note' : severity,
    code,
    range,
    text: message,
    ...(hint === undefined ? {} : { remedy: hint }),
  }));
  if (servers.length === 0 && problems.every(({ severity }) => severity !== 'error')) {
    const remedy = 'Describe yours in a file .mcp.json, or under `servers` in a suite.';
    findings.push({ level: 'warning', text: 'no MCP server is configured here', remedy });
  }
  return { kind: 'servers', title: 'Configuration of servers', findings };
}

/** Several suites may mean the same server. */
function distinct(servers: readonly ServerDefinition[]): ServerDefinition[] {
  const seen = new Map<string, ServerDefinition>();
  for (const server of servers) {
    const key = JSON.stringify([server.name, server.transport]);
    if (!seen.has(key)) seen.set(key, server);
  }
  return [...seen.values()];
}

/** A few at a time, in order; one that fails does not keep the others from starting. */
function startAll<T, R>(items: readonly T[], start: (item: T) => Promise<R>): Promise<R>[] {
  const started: Promise<R>[] = [];
  for (const [index, item] of items.entries()) {
    const before = started.slice(0, index);
    const turn = index < AT_ONCE ? Promise.resolve() : settled(before, index - AT_ONCE + 1);
    const result = turn.then(() => start(item));
    // Whoever asks for it in its turn is told; until then it is no unhandled rejection.
    result.catch(() => undefined);
    started.push(result);
  }
  return started;
}

/** When at least so many have come to an end, in whatever way. */
function settled(promises: readonly Promise<unknown>[], count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const one = (): void => {
      left -= 1;
      if (left === 0) resolve();
    };
    for (const promise of promises) promise.then(one, one);
  });
}
