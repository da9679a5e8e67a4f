import type { ReadProcess } from './readProcess.ts';

/**
 * The processes below the given ones, as far as their parents still live: each pid with its start. Linux only: elsewhere
 * it finds none. Self-contained, as `killMarked` is.
 *
 * @param leaders processes that surely are who they were
 */
export function descendantsOf(leaders: readonly number[], readProcess: ReadProcess): Map<number, string> {
  const found = new Map<number, string>();
  if (process.platform !== 'linux' || leaders.length === 0) return found;
  const children = new Map<number, { pid: number; start: string }[]>();
  for (const entry of process.getBuiltinModule('node:fs').readdirSync('/proc')) {
    const pid = Number(entry);
    const facts = Number.isInteger(pid) && pid !== process.pid ? readProcess(pid) : null;
    if (facts === null) continue;
    const siblings = children.get(facts.parent);
    if (siblings === undefined) children.set(facts.parent, [{ pid, start: facts.start }]);
    else siblings.push({ pid, start: facts.start });
  }
  const waiting = [...leaders];
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const { pid, start } of children.get(parent) ?? []) {
      if (found.has(pid)) continue;
      found.set(pid, start);
      waiting.push(pid);
    }
  }
  return found;
}
