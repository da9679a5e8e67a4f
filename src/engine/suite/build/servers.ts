import { durationMs } from '../duration.ts';
import type { ServerInput, ServersInput, SystemInput } from '../keys/servers.ts';
import type { ServerEntry, ServerKeys } from '../model.ts';
import { child } from '../pointer.ts';
import type { Report } from '../report.ts';
import { defined } from './defined.ts';

export function serversOf(input: ServersInput, report: Report): ServerEntry[] {
  if (Array.isArray(input)) return input.map((name, index) => ({ at: child('/servers', index), name }));
  return Object.entries(input).map(([name, keys]) => serverOf(name, keys ?? {}, report));
}

function serverOf(name: string, { os, ...keys }: ServerInput, report: Report): ServerEntry {
  const at = child('/servers', name);
  const systems = Object.entries(os ?? {}).map(([system, own]) => [
    system,
    keysOf(own ?? {}, child(child(at, 'os'), system), report),
  ]);
  return { name, ...keysOf(keys, at, report), ...(os !== undefined && { os: Object.fromEntries(systems) }) };
}

/** Numbers are texts as written: a port 0080 stays 0080. */
function keysOf(input: SystemInput, at: string, report: Report): ServerKeys {
  const { args, env, headers, startTimeout, callTimeout, ...rest } = input;
  const written = (value: string | number, pointer: string) =>
    typeof value === 'number' ? report.nodes.written(pointer, value) : value;
  const map = (texts: Readonly<Record<string, string | number>>, pointer: string) =>
    Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, written(value, child(pointer, name))]));
  return {
    at,
    ...defined(rest),
    ...(args !== undefined && { args: args.map((value, index) => written(value, `${at}/args/${index}`)) }),
    ...(env !== undefined && { env: map(env, `${at}/env`) }),
    ...(headers !== undefined && { headers: map(headers, `${at}/headers`) }),
    ...(startTimeout !== undefined && { startTimeoutMs: durationMs(startTimeout) }),
    ...(callTimeout !== undefined && { callTimeoutMs: durationMs(callTimeout) }),
  };
}
