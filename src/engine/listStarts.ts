/** What a run of a suite would start or call: all that a person has to trust before it does. */
import type { SourceRange } from './errors.ts';
import { Redactor } from './runs/redact.ts';
import type { ServerDefinition } from './servers/index.ts';
import { resolveServers } from './servers/resolveServers.ts';
import type { Suite } from './suite/index.ts';

/** Secrets in it are redacted. */
export interface ServerStart {
  server: string;
  /** Where it is defined. */
  origin: { file: string; pointer: string };
  range?: SourceRange;
  how:
    | { kind: 'command'; argv: readonly string[]; cwd: string; env: readonly string[] }
    /** Of the URL's query, only the names. */
    | { kind: 'address'; transport: 'http' | 'sse'; url: string; headers: readonly string[] };
}

/**
 * Starts nothing. Servers whose configuration has errors are left out: a run would not start.
 *
 * @returns in the suite's order; empty where no case needs a server
 */
export function listStarts(
  suite: Suite,
  env: NodeJS.ProcessEnv,
  more: { inputs?: ReadonlyMap<string, string> } = {},
): ServerStart[] {
  if (suite.cases.every(({ subject }) => subject.kind === 'trace')) return [];
  const redactor = new Redactor();
  const { servers } = resolveServers(suite, { env, secrets: redactor, ...more });
  return servers.map(({ name, origin, range, transport }) => ({
    ...{ server: name, origin, how: redactor.redact(howOf(transport)) },
    ...(range === undefined ? {} : { range }),
  }));
}

function howOf(transport: ServerDefinition['transport']): ServerStart['how'] {
  if (transport.kind === 'stdio') {
    const { command, args, cwd, env } = transport;
    const set = Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [name]));
    return { kind: 'command', argv: [command, ...args], cwd, env: set };
  }
  const { kind, url, headers } = transport;
  return { kind: 'address', transport: kind, url: withoutValues(url), headers: Object.keys(headers) };
}

/** Keys stand in queries of URLs under any name. */
function withoutValues(text: string): string {
  const url = new URL(text);
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=…`);
  return `${url.origin}${url.pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`;
}
