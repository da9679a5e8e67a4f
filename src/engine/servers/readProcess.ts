/** What Linux tells of one process. */
export interface ProcessFacts {
  parent: number;
  group: number;
  /** When it started, in ticks since the machine did: with the pid it names one process and no later one. */
  start: string;
  /** It has ended; only its parent does not know yet. */
  isDead: boolean;
}

/** Null where there is no such process (or no `/proc`). Self-contained, because the watchdog runs its source text. */
export function readProcess(pid: number | string): ProcessFacts | null {
  try {
    const stat = process.getBuiltinModule('node:fs').readFileSync(`/proc/${pid}/stat`, 'latin1');
    // pid (name) state parent group …, and the name may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      parent: Number(fields[1]),
      group: Number(fields[2]),
      start: fields[19] ?? '',
      isDead: fields[0] === 'Z' || fields[0] === 'X',
    };
  } catch {
    return null;
  }
}

/** Self-contained as it is. */
export type ReadProcess = typeof readProcess;
