import { dirname } from 'node:path';
import type { ServerEntry, Suite } from '../../suite/model.ts';
import { child } from '../../suite/pointer.ts';
import type { Place, Scope, ServerDraft, Written } from './draft.ts';
import { layOver } from './draft.ts';
import type { Inputs } from './inputs.ts';

const SYSTEMS: Partial<Record<NodeJS.Platform, 'windows' | 'macos' | 'linux'>> = {
  win32: 'windows',
  darwin: 'macos',
  linux: 'linux',
};

/** What a suite itself says of a server, with what it says for this system. */
export function draftOfSuite(suite: Suite, entry: ServerEntry, inputs: Inputs, platform: NodeJS.Platform): ServerDraft {
  const folder = dirname(suite.file);
  const scope: Scope = { variables: 'suite', folder, cwd: folder, inputs, within: suite.workspace };
  const draft = draftOf(suite, entry, scope);
  const system = SYSTEMS[platform];
  const own = system === undefined ? undefined : entry.os?.[system];
  return own === undefined
    ? draft
    : { ...layOver(draft, draftOf(suite, { ...own, name: entry.name }, scope)), at: draft.at };
}

function draftOf(suite: Suite, { at, name, ...entry }: ServerEntry, scope: Scope): ServerDraft {
  const place = (pointer: string): Place => ({ pointer, range: suite.locate(pointer) });
  const write = (text: string, pointer: string): Written => ({ text, at: place(pointer), scope });
  const texts = (key: 'env' | 'headers'): Map<string, Written> =>
    new Map(Object.entries(entry[key] ?? {}).map(([each, text]) => [each, write(text, child(child(at, key), each))]));
  const { type, args, isolation, startTimeoutMs, callTimeoutMs } = entry;
  const draft: ServerDraft = {
    ...{ name, scope, problems: [] },
    at: { pointer: at, range: suite.locate(at, { key: true }) },
    ...(type !== undefined && { type: { kind: type, at: place(child(at, 'type')) } }),
    ...(args !== undefined && { args: args.map((text, index) => write(text, child(child(at, 'args'), index))) }),
    env: texts('env'),
    headers: texts('headers'),
    ...(isolation !== undefined && { isolation }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(callTimeoutMs !== undefined && { callTimeoutMs }),
  };
  for (const key of ['command', 'cwd', 'envFile', 'url'] as const) {
    const text = entry[key];
    if (text !== undefined) draft[key] = write(text, child(at, key));
  }
  return draft;
}
