/**
 * Kills every process that was started with `marker` at the beginning of a line of its environment, and returns how
 * many there were. Finds those that left their process group. Linux only: elsewhere it finds none.
 *
 * Self-contained, because the watchdog runs its source text: no import, and no named function inside (bundlers wrap those
 * in a helper of their own).
 */
export function killMarked(marker: string): number {
  if (process.platform !== 'linux') return 0;
  const { readFileSync, readdirSync } = process.getBuiltinModule('node:fs');
  const killed = new Set<number>();
  // A process may fork while the folder is read, hence again until nothing new is found.
  for (let round = 0; round < 5; round++) {
    const before = killed.size;
    for (const entry of readdirSync('/proc')) {
      const pid = Number(entry);
      if (!Number.isInteger(pid) || pid === process.pid) continue;
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
        if (!environment.startsWith(marker) && !environment.includes(`\0${marker}`)) continue;
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
