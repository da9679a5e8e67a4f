import type { Problem } from '../../errors.ts';
import type { ServerCode } from '../codes.ts';
import type { ServerAddress, ServerCommand, ServerDefinition } from '../connection.ts';
import { readAddress } from './address.ts';
import { readCommand } from './command.ts';
import type { Place, ServerDraft, Written } from './draft.ts';
import type { Variables } from './variables.ts';

const START_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS = 60_000;

/** Fills the variables and checks what can be checked without starting anything. Null where there are errors. */
export function finishDraft(
  draft: ServerDraft,
  variables: Variables,
): { server: ServerDefinition | null; problems: Problem[] } {
  const problems = [...draft.problems];
  const fail: Fail = (code, at, message, hint, severity = 'error') => {
    problems.push({ code, severity, message, hint, ...at });
  };
  const fill = (written: Written): string | null => {
    const { text, problems: found } = variables.fill(written, draft.name);
    problems.push(...found);
    if (found.some(isError)) return null;
    if (!text.includes('\0')) return text;
    fail('MCP016', written.at, 'the text holds a NUL character', 'Remove it: no program can be given one.');
    return null;
  };
  const transport = transportOf(draft, fill, variables, fail, problems);
  if (transport === null || problems.some(isError)) return { server: null, problems };
  const server: ServerDefinition = {
    name: draft.name,
    transport,
    isolation: draft.isolation ?? 'shared',
    origin: { file: draft.at.range.file, pointer: draft.at.pointer },
    range: draft.at.range,
    startTimeoutMs: draft.startTimeoutMs ?? START_TIMEOUT_MS,
    callTimeoutMs: draft.callTimeoutMs ?? CALL_TIMEOUT_MS,
  };
  return { server, problems };
}

type Fail = (code: ServerCode, at: Place, message: string, hint: string, severity?: Problem['severity']) => void;

/** Null where it has neither a command nor a URL, or both. */
function transportOf(
  draft: ServerDraft,
  fill: (written: Written) => string | null,
  variables: Variables,
  fail: Fail,
  problems: readonly Problem[],
): ServerCommand | ServerAddress | null {
  const { name, command, url, type } = draft;
  if (command !== undefined && url !== undefined) {
    fail('MCP005', url.at, `server "${name}" needs exactly one of command or url`, 'Remove one of them.');
    return null;
  }
  if (command !== undefined) {
    if (type !== undefined && type.kind !== 'stdio') {
      fail('MCP005', type.at, `server "${name}" has a command, and its type is ${type.kind}`, 'Remove "type".');
    }
    tellMisplaced(draft, ['headers'], 'url', fail);
    return readCommand({ ...draft, command }, fill, variables, fail);
  }
  if (url !== undefined) {
    if (type?.kind === 'stdio') {
      fail('MCP005', type.at, `server "${name}" has a URL, and its type is stdio`, 'Write http or sse.');
    }
    tellMisplaced(draft, ['args', 'env', 'envFile', 'cwd'], 'command', fail);
    return readAddress({ ...draft, url }, fill, variables, fail);
  }
  if (problems.length === 0) {
    const hint = 'Add "command", with "args" where it takes any, or "url".';
    fail('MCP005', draft.at, `server "${name}" has neither command nor url`, hint);
  }
  return null;
}

/** In a suite nothing stands that does nothing; the files of other tools are theirs. */
function tellMisplaced(
  draft: ServerDraft,
  keys: readonly ('args' | 'env' | 'envFile' | 'cwd' | 'headers')[],
  other: string,
  fail: Fail,
): void {
  for (const key of keys) {
    const value = draft[key];
    const texts = value === undefined ? [] : 'text' in value ? [value] : [...value.values()];
    const own = texts.find((written) => written?.scope.variables === 'suite');
    if (own == null) continue;
    fail('SUITE023', own.at, `"${key}" goes with "${other}", which this server does not have`, 'Leave it out.');
  }
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}
