import type { Problem, SourceRange } from '../../errors.ts';
import type { VariableSyntax } from './dialects.ts';
import type { Inputs } from './inputs.ts';

export interface Place {
  pointer: string;
  range: SourceRange;
}

/** What a text means depends on where it stands. */
export interface Scope {
  variables: VariableSyntax;
  /** `${workspaceFolder}`, and what relative paths are relative to. */
  folder: string;
  /** Where a server runs that says nothing about it. */
  cwd: string;
  inputs: Inputs;
  /** A folder that no path may leave; null where the file is trusted with paths. */
  within: string | null;
}

/** A text as it stands in a file, its variables still in it. */
export interface Written {
  text: string;
  at: Place;
  scope: Scope;
}

export type TransportKind = 'stdio' | 'http' | 'sse';

/** A server as it is described, whatever the dialect, before its variables are filled. */
export interface ServerDraft {
  name: string;
  at: Place;
  scope: Scope;
  type?: { kind: TransportKind; at: Place };
  command?: Written;
  args?: readonly Written[];
  /** Null takes a variable away that the server would inherit or get from the file. */
  env: ReadonlyMap<string, Written | null>;
  envFile?: Written;
  cwd?: Written;
  url?: Written;
  headers: ReadonlyMap<string, Written>;
  isolation?: 'shared' | 'trial';
  startTimeoutMs?: number;
  callTimeoutMs?: number;
  problems: readonly Problem[];
}

const OF_A_COMMAND = ['command', 'args', 'envFile', 'cwd'] as const;
const OF_AN_ADDRESS = ['url'] as const;

/**
 * What `over` says lies over `base`; variables and headers are merged name by name. A command of its own makes it a
 * server of that command, a URL of its own one at that address: then nothing is left of what it was.
 */
export function layOver(base: ServerDraft, over: ServerDraft): ServerDraft {
  const isOther =
    (over.command !== undefined && base.url !== undefined) || (over.url !== undefined && base.command !== undefined);
  const under = isOther ? without(base) : base;
  const isOwn = over.command !== undefined || over.url !== undefined;
  return {
    ...under,
    ...over,
    at: isOwn ? over.at : base.at,
    scope: isOwn && isOther ? over.scope : base.scope,
    env: new Map([...under.env, ...over.env]),
    headers: new Map([...under.headers, ...over.headers]),
    problems: [...base.problems, ...over.problems],
  };
}

/** Without everything that says how it is reached. */
function without(draft: ServerDraft): ServerDraft {
  const { type: _type, ...rest } = draft;
  for (const key of [...OF_A_COMMAND, ...OF_AN_ADDRESS]) delete rest[key];
  return { ...rest, env: new Map(), headers: new Map() };
}

/**
 * Whether two descriptions come to the same, as far as can be seen without filling them: `${X}` and `${env:X}` are
 * one.
 */
export function isSameServer(a: ServerDraft, b: ServerDraft): boolean {
  return essence(a) === essence(b);
}

function essence(draft: ServerDraft): string {
  const { type, command, args = [], env, envFile, cwd, url, headers } = draft;
  const kind = type?.kind ?? (url === undefined ? 'stdio' : 'http');
  const text = (written: Written | null | undefined): string | null =>
    written == null ? null : written.text.replaceAll('${env:', '${');
  const map = (texts: ReadonlyMap<string, Written | null>) =>
    [...texts].map(([name, written]) => [name, text(written)]).sort();
  return JSON.stringify([
    kind,
    text(command),
    args.map(text),
    map(env),
    text(envFile),
    text(cwd),
    text(url),
    map(headers),
  ]);
}
