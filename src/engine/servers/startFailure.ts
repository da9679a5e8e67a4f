import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { McpError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { ServerCode } from './codes.ts';
import type { ServerCommand, ServerDefinition } from './connection.ts';
import { ServerStartError } from './serverError.ts';
import { shorten } from './serverLine.ts';
import { describeDeath, isOutOfTime, isUnanswered, quoteStderr, rpcMessage, seconds } from './sessionText.ts';
import type { StdioTransport } from './stdioTransport.ts';
import { ToolListError } from './toolList.ts';

/** The process could not be started: command not found (SERVER001), no such folder (002), not executable (003). */
export function spawnFailure(
  definition: ServerDefinition,
  { command, cwd }: ServerCommand,
  path: string | undefined,
  cause: unknown,
): ServerStartError {
  const fail = (code: ServerCode, text: string, hint: string): ServerStartError =>
    new ServerStartError(code, definition, 'connect', `did not start: ${text}`, { hint, cause });
  // Spawn blames the command for a missing folder.
  if (!isFolder(cwd)) return fail('SERVER002', `working directory "${cwd}" does not exist`, 'Mend "cwd".');
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const { file, folders } = findCommand(command, path, cwd);
  if (code === 'ENOENT' && file === null) {
    const where = folders === null ? 'does not exist' : `not found on PATH (searched ${folders} folders)`;
    return fail('SERVER001', `command "${command}" ${where}`, 'Install it, or write its full path under "command".');
  }
  const interpreter = 'write the interpreter under "command" and the script under "args"';
  if (code === 'ENOENT') {
    const text = `the program that the first line of "${file}" names does not exist`;
    return fail('SERVER001', text, `Mend that line, or ${interpreter}.`);
  }
  if (code === 'EACCES') {
    const hint = `Run chmod +x on it and let a script begin with a line such as "#!/usr/bin/env node", or ${interpreter}.`;
    return fail('SERVER003', `"${file ?? command}" is not executable`, hint);
  }
  const text = cause instanceof Error ? cause.message : String(cause);
  return fail('SERVER001', text, 'Check "command", "args" and "env".');
}

/** The process runs or ran, but did not get through the handshake: SERVER004 to 006. */
export function handshakeFailure(
  definition: ServerDefinition,
  transport: StdioTransport,
  cause: unknown,
): ServerStartError {
  const fail = (code: ServerCode, text: string, hint: string): ServerStartError =>
    new ServerStartError(code, definition, 'connect', text, { hint, cause });
  const { death } = transport;
  if (death !== null && death.kind !== 'closed' && isUnanswered(cause)) {
    const text = `${describeDeath(death)} in the handshake, before it answered initialize${quoteStderr(transport)}`;
    return fail('SERVER004', text, startByHand(definition));
  }
  if (isOutOfTime(cause)) {
    const text = `gave no answer to initialize in ${seconds(definition.startTimeoutMs)}${quoteStdout(transport)}${quoteStderr(transport)}`;
    return fail('SERVER005', text, 'Check that it speaks MCP over stdio: one JSON message a line on stdout.');
  }
  const spoken = `This version speaks MCP ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
  const wanted = /protocol version is not supported: (.*)$/.exec(cause instanceof Error ? cause.message : '')?.[1];
  if (wanted !== undefined) {
    return fail('SERVER006', `speaks MCP protocol ${shorten(wanted)}, which this version does not`, `${spoken}.`);
  }
  if (cause instanceof McpError) {
    const text = `refused the handshake: ${rpcMessage(cause)}${supportedBy(cause)}${quoteStderr(transport)}`;
    return fail('SERVER006', text, `${spoken}; the server may want a newer one.`);
  }
  const text = `gave an answer to initialize that is not valid: ${firstIssue(cause)}${quoteStderr(transport)}`;
  return fail(
    'SERVER006',
    text,
    'This is a fault of the server; the MCP specification says what the answer must hold.',
  );
}

/** Connected, but there is no tool list: SERVER004, 005, 007 or 008. */
export function discoveryFailure(
  definition: ServerDefinition,
  transport: StdioTransport,
  cause: unknown,
): ServerStartError {
  const fail = (code: ServerCode, text: string, hint: string): ServerStartError =>
    new ServerStartError(code, definition, 'discover', text, { hint, cause });
  const { death } = transport;
  if (cause instanceof ToolListError) {
    const text = `cannot be used: ${cause.message}`;
    return fail(cause.duplicate ? 'SERVER008' : 'SERVER007', text, 'This is a fault of the server.');
  }
  if (death !== null && death.kind !== 'closed' && isUnanswered(cause)) {
    const text = `${describeDeath(death)} while its tools were listed${quoteStderr(transport)}`;
    return fail('SERVER004', text, startByHand(definition));
  }
  if (isOutOfTime(cause)) {
    const text = `did not list its tools in ${seconds(definition.startTimeoutMs)} after its start${quoteStdout(transport)}${quoteStderr(transport)}`;
    return fail('SERVER005', text, 'The time counts from the start of the process.');
  }
  const reason = cause instanceof McpError ? rpcMessage(cause) : cause instanceof Error ? cause.message : String(cause);
  return fail(
    'SERVER007',
    `does not list its tools: ${reason}${quoteStderr(transport)}`,
    'This is a fault of the server.',
  );
}

function startByHand({ transport }: ServerDefinition): string {
  return transport.kind === 'stdio' ? `Start it by hand in "${transport.cwd}" to see why.` : 'See why in its own log.';
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Where the command lies, and how many folders of PATH were searched; null when it is a path itself. */
function findCommand(
  command: string,
  path: string | undefined,
  cwd: string,
): { file: string | null; folders: number | null } {
  if (isAbsolute(command) || /[\\/]/.test(command)) {
    const file = resolve(cwd, command);
    return { file: isFile(file) ? file : null, folders: null };
  }
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  const files = folders.map((folder) => join(folder, command)).filter(isFile);
  return { file: files.find(isExecutable) ?? files[0] ?? null, folders: folders.length };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function quoteStdout(transport: StdioTransport): string {
  const seen = [transport.junk.lastLines(3), transport.unfinished].filter((text) => text !== '').join('\n');
  return seen === '' ? '; nothing came on stdout' : `; stdout so far: ${seen.replaceAll('\n', ' ⏎ ')}`;
}

/** `, it supports 2099-01-01` where the error says so. */
function supportedBy(error: McpError): string {
  const { data } = error;
  if (data === null || typeof data !== 'object' || !('supported' in data) || !Array.isArray(data.supported)) return '';
  return `, it supports ${shorten(data.supported.map(String).join(', '))}`;
}

/** The first complaint of Zod. */
function firstIssue(cause: unknown): string {
  if (cause instanceof Error && 'issues' in cause && Array.isArray(cause.issues)) {
    const [issue] = cause.issues;
    if (issue?.path !== undefined) return `${[...issue.path].join('.') || 'the whole'}: ${issue.message}`;
  }
  return cause instanceof Error ? cause.message : String(cause);
}
