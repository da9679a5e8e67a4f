import type { CarriesMark, ProcessMark } from './carriesMark.ts';
import type { ReadProcess } from './readProcess.ts';

/**
 * Kills every process that carries the mark, or is one of `known`, and returns how many there were. Finds those that left
 * their process group. Linux only: elsewhere it finds none.
 *
 * Self-contained, because the watchdog runs its source text: no import, and no named function inside (bundlers wrap those
 * in a helper of their own).
 *
 * @param known pids with their starts; a later process of the same pid is left alone
 */
export function killMarked(
  mark: ProcessMark,
  known: ReadonlyMap<number, string>,
  { carriesMark, readProcess }: { carriesMark: CarriesMark; readProcess: ReadProcess },
): number {
  if (process.platform !== 'linux') return 0;
  const { readdirSync } = process.getBuiltinModule('node:fs');
  const killed = new Set<number>();
  // A process may fork while the folder is read, hence again until nothing new is found.
  for (let round = 0; round < 5; round++) {
    const before = killed.size;
    for (const entry of readdirSync('/proc').filter(Number)) {
      const pid = Number(entry);
      const facts = pid === process.pid ? null : readProcess(entry);
      if (facts === null || facts.isDead) continue;
      if (known.get(pid) !== facts.start && !carriesMark(pid, mark)) continue;
      try {
        process.kill(pid, 'SIGKILL');
        killed.add(pid);
      } catch {
        // Gone meanwhile, or another user's.
      }
    }
    if (killed.size === before) break;
  }
  return killed.size;
}
