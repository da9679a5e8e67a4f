import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { McpError, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import type { ServerCode } from './codes.ts';
import type { ServerCommand, ServerDefinition } from './connection.ts';
import { ListError } from './pages.ts';
import { ServerStartError } from './serverError.ts';
import { shorten } from './serverLine.ts';
import type { ServerTransport } from './serverTransport.ts';
import { describeDeath, isOutOfTime, isUnanswered, rpcMessage, seconds } from './sessionText.ts';
import { SpawnError } from './stdioTransport.ts';
import { faultOf, type TransportFault } from './transportFault.ts';

/**
 * There was no handshake: the process could not be started (SERVER001 to 003), runs or ran without shaking hands (004 to
 * 006), or HTTP brought no answer of MCP's (010 to 012).
 */
export function handshakeFailure(
  definition: ServerDefinition,
  transport: ServerTransport,
  cause: unknown,
): ServerStartError {
  const fault = faultOf(cause);
  if (fault !== null) return remoteFailure(definition, 'connect', fault);
  if (cause instanceof SpawnError && definition.transport.kind === 'stdio') {
    return spawnFailure(definition, definition.transport, cause);
  }
  return noHandshake(definition, transport, cause);
}

/** An answer that is none of MCP's, or none at all. */
function remoteFailure(
  definition: ServerDefinition,
  stage: 'connect' | 'discover',
  fault: TransportFault,
): ServerStartError {
  const codes = { unreachable: 'SERVER010', cutOff: 'SERVER010', signIn: 'SERVER011', lost: 'SERVER012' } as const;
  const code = fault.kind === 'refused' || fault.kind === 'notMcp' ? 'SERVER012' : codes[fault.kind];
  const text = fault.kind === 'refused' ? `gave an answer that cannot be used: ${fault.message}` : fault.message;
  return new ServerStartError(
    code,
    definition,
    stage,
    stage === 'connect' ? text : `${text}, while its tools were listed`,
    {
      ...(fault.hint === null ? {} : { hint: fault.hint }),
      cause: fault,
    },
  );
}

function spawnFailure(
  definition: ServerDefinition,
  { command, cwd }: ServerCommand,
  { path, cause }: SpawnError,
): ServerStartError {
  const fail = (code: ServerCode, text: string, hint: string): ServerStartError =>
    new ServerStartError(code, definition, 'connect', `did not start: ${text}`, { hint, cause });
  // Spawn blames the command for a missing folder.
  if (!isFolder(cwd)) return fail('SERVER002', `working directory "${cwd}" does not exist`, 'Mend "cwd".');
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const shortage = typeof code === 'string' && Object.hasOwn(SHORTAGES, code) ? SHORTAGES[code] : undefined;
  if (shortage !== undefined) return fail('SERVER013', `${shortage.text} (${code})`, shortage.hint);
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
  if (code === 'E2BIG') return fail('SERVER001', 'its "args" and "env" are too large', 'Give it a file instead.');
  if (code === 'EACCES') {
    const folder = resolve(cwd, command);
    if (folders === null && isFolder(folder)) {
      return fail('SERVER003', `"${folder}" is a folder, not a program`, 'Write the path of the program in it.');
    }
    const hint = `Run chmod +x on it and let a script begin with a line such as "#!/usr/bin/env node", or ${interpreter}.`;
    return fail('SERVER003', `"${file ?? command}" is not executable`, hint);
  }
  const text = cause instanceof Error ? cause.message : String(cause);
  return fail('SERVER001', text, 'Check "command", "args" and "env".');
}

/** What a machine may lack for one more process. */
const SHORTAGES: Readonly<Record<string, { text: string; hint: string }>> = {
  EMFILE: {
    text: 'the runner may open no more files or pipes',
    hint: 'Raise the limit (ulimit -n), or run fewer servers and trials at a time.',
  },
  ENFILE: { text: 'the machine may open no more files', hint: 'End other programs, or raise fs.file-max.' },
  EAGAIN: {
    text: 'the user may start no more processes',
    hint: 'End other programs, or raise the limit (ulimit -u).',
  },
  ENOMEM: { text: 'the machine has no memory left', hint: 'End other programs, or run fewer servers at a time.' },
};

function noHandshake(definition: ServerDefinition, transport: ServerTransport, cause: unknown): ServerStartError {
  const fail = (code: ServerCode, text: string, hint: string): ServerStartError =>
    new ServerStartError(code, definition, 'connect', text, { hint, cause });
  const { death } = transport;
  if (death !== null && death.kind !== 'closed' && isUnanswered(cause)) {
    const text = `${describeDeath(death)} in the handshake, before it answered initialize${transport.quoteErrors()}`;
    return fail('SERVER004', text, startByHand(definition));
  }
  if (isOutOfTime(cause)) {
    const text = `gave no answer to initialize in ${seconds(definition.startTimeoutMs)}${transport.explainSilence('starting')}${transport.quoteErrors()}`;
    const remote = 'Check that the URL is that of the MCP endpoint, and that the server is not busy.';
    const stdio = 'Check that it speaks MCP over stdio: one JSON message a line on stdout.';
    return fail('SERVER005', text, definition.transport.kind === 'stdio' ? stdio : remote);
  }
  const spoken = `This version speaks MCP ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
  const wanted = /protocol version is not supported: (.*)$/.exec(cause instanceof Error ? cause.message : '')?.[1];
  if (wanted !== undefined) {
    return fail('SERVER006', `speaks MCP protocol ${shorten(wanted)}, which this version does not`, `${spoken}.`);
  }
  if (cause instanceof McpError) {
    const text = `refused the handshake: ${rpcMessage(cause)}${supportedBy(cause)}${transport.quoteErrors()}`;
    return fail('SERVER006', text, `${spoken}; the server may want a newer one.`);
  }
  const text = `gave an answer to initialize that is not valid: ${firstIssue(cause)}${transport.quoteErrors()}`;
  return fail(
    'SERVER006',
    text,
    'This is a fault of the server; the MCP specification says what the answer must hold.',
  );
}

/** Connected, but there is no tool list: SERVER004, 005, 007, 008, or 010 to 012. */
export function discoveryFailure(
  definition: ServerDefinition,
  transport: ServerTransport,
  cause: unknown,
): ServerStartError {
  const fail = (code: ServerCode, text: string, hint: string): ServerStartError =>
    new ServerStartError(code, definition, 'discover', text, { hint, cause });
  const { death } = transport;
  const fault = faultOf(cause);
  if (fault !== null && fault.kind !== 'refused') return remoteFailure(definition, 'discover', fault);
  if (cause instanceof ListError) {
    const text = `cannot be used: ${cause.message}`;
    return fail(cause.duplicate ? 'SERVER008' : 'SERVER007', text, 'This is a fault of the server.');
  }
  if (death !== null && death.kind !== 'closed' && isUnanswered(cause)) {
    const text = `${describeDeath(death)} while its tools were listed${transport.quoteErrors()}`;
    return fail('SERVER004', text, startByHand(definition));
  }
  if (isOutOfTime(cause)) {
    const text = `did not list its tools in ${seconds(definition.startTimeoutMs)} after its start${transport.explainSilence('starting')}${transport.quoteErrors()}`;
    return fail('SERVER005', text, 'The time counts from the beginning of the start.');
  }
  const reason = cause instanceof McpError ? rpcMessage(cause) : cause instanceof Error ? cause.message : String(cause);
  return fail(
    'SERVER007',
    `does not list its tools: ${reason}${transport.quoteErrors()}`,
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
