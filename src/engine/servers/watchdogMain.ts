/**
 * What the watchdog process does: it reads `+<process group>` and `-<process group>` lines from stdin, and when stdin
 * ends (the runner ended, in whatever way) it ends the groups that are still on the list, and then all that carries the
 * marker. The servers have seen the end of their own stdin at the same moment.
 *
 * Self-contained, because its source text is what is run: no import, and no named function inside (bundlers wrap those in
 * a helper of their own).
 *
 * @param killMarked the function of that name
 */
export async function watchdogMain(marker: string, killMarked: (marker: string) => number): Promise<void> {
  process.title = `mcprove-watchdog ${marker}`;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { setTimeout: wait } = process.getBuiltinModule('node:timers/promises');
  const groups = new Set<number>();
  let rest = '';
  try {
    for await (const chunk of process.stdin) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const group = Number(line.slice(1));
        if (line[0] === '+') groups.add(group);
        else groups.delete(group);
      }
    }
  } catch {
    // A broken pipe is an end like any other.
  }
  for (const [signal, pauseMs] of [
    ['SIGTERM', 500],
    ['SIGKILL', 500],
  ] as const) {
    if (groups.size > 0) await wait(pauseMs);
    for (const group of groups) {
      try {
        if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(group), '/T', '/F']);
        else process.kill(-group, signal);
      } catch {
        groups.delete(group);
      }
    }
  }
  // Also when the list is empty: the runner may have died between starting a server and telling of it.
  killMarked(marker);
}
