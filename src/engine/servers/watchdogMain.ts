import type { carriesMark, ProcessMark } from './carriesMark.ts';
import type { descendantsOf } from './descendantsOf.ts';
import type { killMarked } from './killMarked.ts';
import type { readProcess } from './readProcess.ts';

/** The functions of these names, all self-contained. */
interface Functions {
  carriesMark: typeof carriesMark;
  descendantsOf: typeof descendantsOf;
  killMarked: typeof killMarked;
  readProcess: typeof readProcess;
}

/**
 * What the watchdog process does: it reads `+<process group>` and `-<process group>` lines from stdin, and when stdin
 * ends (the runner ended, in whatever way) it ends the groups that are still on the list, and then all that carries the
 * mark or was their child. The servers have seen the end of their own stdin at the same moment.
 *
 * Self-contained, because its source text is what is run: no import, and no named function inside (bundlers wrap those in
 * a helper of their own).
 */
export async function watchdogMain(
  mark: ProcessMark,
  { carriesMark, descendantsOf, killMarked, readProcess }: Functions,
): Promise<void> {
  process.title = `mcprove-watchdog ${mark.line}`;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { setTimeout: wait } = process.getBuiltinModule('node:timers/promises');
  /** With the start of each one's leader: a later process of its pid is a stranger. */
  const groups = new Map<number, string | undefined>();
  let rest = '';
  try {
    for await (const chunk of process.stdin) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const group = Number(line.slice(1));
        if (line[0] === '+') groups.set(group, readProcess(group)?.start);
        else groups.delete(group);
      }
    }
  } catch {
    // A broken pipe is an end like any other.
  }
  const leaders = [...groups].filter(([leader, start]) => start !== undefined && readProcess(leader)?.start === start);
  const known = descendantsOf(
    leaders.map(([leader]) => leader),
    readProcess,
  );
  for (const [signal, pauseMs] of [
    ['SIGTERM', 500],
    ['SIGKILL', 500],
  ] as const) {
    if (groups.size > 0) await wait(pauseMs);
    for (const group of groups.keys()) {
      try {
        if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(group), '/T', '/F']);
        else process.kill(-group, signal);
      } catch {
        groups.delete(group);
      }
    }
  }
  // Also when the list is empty: the runner may have died between starting a server and telling of it.
  killMarked(mark, known, { carriesMark, readProcess });
}
