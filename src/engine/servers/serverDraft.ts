import { statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Problem } from '../errors.ts';
import type { ServerEntry, Suite } from '../suite/model.ts';
import { child } from '../suite/pointer.ts';
import type { ServerCode } from './codes.ts';
import type { ServerDefinition } from './connection.ts';
import { fillVariables, type Place, type Variables, type Written } from './variables.ts';

const START_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS = 60_000;

/** A server as it is described, before its variables are filled. */
export interface ServerDraft {
  name: string;
  at: Place;
  command?: Written;
  args?: readonly Written[];
  env: Map<string, Written>;
  cwd?: Written;
  /** Set where it is not a stdio server: the key that says so. */
  remote?: Place;
  problems: Problem[];
}

export function draftOfSuite(suite: Suite, entry: ServerEntry): ServerDraft {
  const place = (pointer: string): Place => ({ pointer, range: suite.locate(pointer) });
  const write = (text: string, pointer: string): Written => ({ text, at: place(pointer), dialect: 'suite' });
  const { at, name, command, args, env, cwd } = entry;
  const texts = Object.entries(env ?? {}).map(
    ([key, text]) => [key, write(text, child(child(at, 'env'), key))] as const,
  );
  return {
    name,
    at: { pointer: at, range: suite.locate(at, { key: true }) },
    ...(command === undefined ? {} : { command: write(command, child(at, 'command')) }),
    ...(args === undefined ? {} : { args: args.map((text, index) => write(text, child(child(at, 'args'), index))) }),
    env: new Map(texts),
    ...(cwd === undefined ? {} : { cwd: write(cwd, child(at, 'cwd')) }),
    problems: [],
  };
}

/** What `over` says lies over `base`; environments are merged name by name. A command of its own makes it a stdio server. */
export function layOver(base: ServerDraft, over: ServerDraft): ServerDraft {
  const { remote, ...rest } = base;
  return {
    ...(over.command === undefined ? base : rest),
    ...over,
    at: over.command === undefined ? base.at : over.at,
    env: new Map([...base.env, ...over.env]),
    problems: [...base.problems, ...over.problems],
  };
}

/** Fills the variables and checks what can be checked without starting anything. Null where there are errors. */
export function finishDraft(
  draft: ServerDraft,
  variables: Variables,
): { server: ServerDefinition | null; problems: Problem[] } {
  const problems = [...draft.problems];
  const fail = (code: ServerCode, at: Place, message: string, hint: string): void => {
    problems.push({ code, severity: 'error', message, hint, ...at });
  };
  const fill = (written: Written): string => {
    const { text, problems: found } = fillVariables(written, draft.name, variables);
    problems.push(...found);
    return text;
  };
  if (draft.remote !== undefined) {
    fail(
      'MCP013',
      draft.remote,
      `server "${draft.name}" is not a stdio server, and this version speaks stdio only`,
      'Name the servers to use under "servers", or give it a command.',
    );
  } else if (draft.command === undefined && problems.length === 0) {
    fail('MCP005', draft.at, `server "${draft.name}" has no command`, 'Add "command", and "args" where it takes any.');
  }
  const env: Record<string, string> = {};
  for (const [name, written] of draft.env) env[name] = variables.told(name, fill(written));
  const args = (draft.args ?? []).map(fill);
  const folder = dirname(draft.at.range.file);
  const cwd = draft.cwd === undefined ? folder : resolve(dirname(draft.cwd.at.range.file), fill(draft.cwd));
  if (draft.cwd !== undefined && !problems.some(isError) && !isFolder(cwd)) {
    fail(
      'MCP015',
      draft.cwd.at,
      `working directory "${draft.cwd.text}" does not exist`,
      `It is looked for from ${dirname(draft.cwd.at.range.file)}.`,
    );
  }
  let command = '';
  if (draft.command !== undefined) {
    command = fill(draft.command);
    // A path with a separator means the same on every platform: from the working directory.
    if (/[\\/]/.test(command) && !isAbsolute(command)) command = resolve(cwd, command);
    checkCommand(draft.command, command, fail);
  }
  if (problems.some(isError)) return { server: null, problems };
  const { file } = draft.at.range;
  const server: ServerDefinition = {
    name: draft.name,
    transport: { kind: 'stdio', command, args, env, cwd },
    isolation: 'shared',
    origin: { file, pointer: draft.at.pointer },
    range: draft.at.range,
    startTimeoutMs: START_TIMEOUT_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
  };
  return { server, problems };
}

function checkCommand(
  written: Written,
  command: string,
  fail: (code: ServerCode, at: Place, message: string, hint: string) => void,
): void {
  if (written.text.trim() === '') {
    fail('MCP005', written.at, '"command" is empty', 'Write the name or path of a program.');
  } else if (/\s/.test(written.text) && !isFile(command)) {
    const [program, ...args] = written.text.trim().split(/\s+/);
    const hint = `Put ${JSON.stringify(program)} in command and ${JSON.stringify(args)} in args.`;
    fail('MCP006', written.at, '"command" holds spaces, and there is no such file', hint);
  }
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
