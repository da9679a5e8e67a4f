/** By what the processes of one server, or of one pool, are known. */
export interface ProcessMark {
  /** How a line of their environment begins. */
  line: string;
  /** The limits of file locks that they may have, from and to: see `markWithLimit`. */
  locks: readonly [from: number, to: number];
}

/** Whether a process carries the mark. Linux only. Self-contained, because the watchdog runs its source text. */
export function carriesMark(pid: number, { line, locks: [from, to] }: ProcessMark): boolean {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  try {
    const limit = Number(/^Max file locks +(\d+) /m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))?.[1]);
    if (limit >= from && limit <= to) return true;
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    return environment.startsWith(line) || environment.includes(`\0${line}`);
  } catch {
    // Gone meanwhile, or another user's.
    return false;
  }
}

export type CarriesMark = typeof carriesMark;
