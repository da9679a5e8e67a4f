import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { parse } from 'dotenv';
import { McproveError } from '../../errors.ts';
import { resolveInside } from '../../suite/workspace.ts';
import type { ServerCode } from '../codes.ts';
import type { ServerCommand } from '../connection.ts';
import type { Place, ServerDraft, Written } from './draft.ts';
import type { Variables } from './variables.ts';

type Fail = (code: ServerCode, at: Place, message: string, hint: string) => void;

/** In bytes. */
const MAX_ENV_FILE = 1024 * 1024;

/** What is started, and how; what is wrong has been told to `fail`. */
export function readCommand(
  draft: ServerDraft & { command: Written },
  fill: (written: Written) => string | null,
  variables: Variables,
  fail: Fail,
): ServerCommand {
  const env: Record<string, string | null> = {};
  if (draft.envFile !== undefined) Object.assign(env, readEnvFile(draft.envFile, fill, variables, fail));
  for (const [name, written] of draft.env) {
    if (!/^[^=\0]+$/.test(name)) {
      fail('MCP016', written?.at ?? draft.at, `${JSON.stringify(name)} is no name of a variable`, 'Take another one.');
    }
    env[name] = written === null ? null : variables.told(name, fill(written) ?? '');
  }
  const args = (draft.args ?? []).map((written) => fill(written) ?? '');
  const cwd = readFolder(draft, fill, fail);
  let command = fill(draft.command);
  if (command !== null) {
    // A path with a separator means the same on every platform: from the working directory.
    if (/[\\/]/.test(command) && !isAbsolute(command)) command = resolve(cwd, command);
    checkCommand(draft.command, command, fail);
  }
  return { kind: 'stdio', command: command ?? '', args, env, cwd };
}

function readFolder(draft: ServerDraft, fill: (written: Written) => string | null, fail: Fail): string {
  if (draft.cwd === undefined) return draft.scope.cwd;
  const { at, text, scope } = draft.cwd;
  const filled = fill(draft.cwd);
  if (filled === null) return scope.folder;
  const cwd = resolve(scope.folder, filled);
  if (!isFolder(cwd)) {
    const hint = `It is looked for from ${scope.folder}.`;
    fail('MCP015', at, `working directory "${text}" does not exist`, hint);
  }
  return cwd;
}

function readEnvFile(
  written: Written,
  fill: (written: Written) => string | null,
  variables: Variables,
  fail: Fail,
): Record<string, string> {
  const { at, text, scope } = written;
  const path = fill(written);
  if (path === null) return {};
  try {
    const file = scope.within === null ? resolve(scope.folder, path) : resolveInside(scope.within, scope.folder, path);
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > MAX_ENV_FILE) {
      const what = stats.isFile() ? 'it is larger than 1 MiB' : 'it is no file';
      fail('MCP020', at, `env file "${text}" cannot be read: ${what}`, `It is looked for from ${scope.folder}.`);
      return {};
    }
    const found = parse(readFileSync(file, 'utf8'));
    for (const [name, value] of Object.entries(found)) {
      if (value.includes('\0')) {
        const what = `env file "${text}" holds a NUL character in the value of ${name}`;
        fail('MCP020', at, what, 'Remove it: no program can be given one.');
      }
      variables.told(name, value);
    }
    return found;
  } catch (error) {
    if (error instanceof McproveError) fail('SUITE012', at, error.message, error.hint ?? '');
    else
      fail(
        'MCP020',
        at,
        `env file "${text}" cannot be read: ${causeOf(error)}`,
        `It is looked for from ${scope.folder}.`,
      );
    return {};
  }
}

function causeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'its permissions forbid it';
  return error instanceof Error ? error.message : String(error);
}

function checkCommand(written: Written, command: string, fail: Fail): void {
  if (written.text.trim() === '') {
    fail('MCP005', written.at, '"command" is empty', 'Write the name or path of a program.');
  } else if (/\s/.test(written.text) && !isFile(command)) {
    const [program, ...args] = written.text.trim().split(/\s+/);
    const hint = `Put ${JSON.stringify(program)} in command and ${JSON.stringify(args)} in args.`;
    fail('MCP006', written.at, '"command" holds spaces, and there is no such file', hint);
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
