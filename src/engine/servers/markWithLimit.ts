import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';

/** Marks that one pool has to give. */
export const MARKS = 2 ** 20;

/** The first of `MARKS` limits that no other pool has. */
export function firstLimit(): number {
  return (randomInt(2 ** 30) + 2 ** 30) * MARKS;
}

/**
 * Sets the limit of file locks of a process, so that all it starts can be known by the number: it is passed on to
 * children, outlives a new session, a daemon's double fork and a cleaned environment, may not be raised again, and Linux
 * has heeded it in nothing since 2.4.25. Linux only, and only where there is `prlimit` (util-linux): it is one mark of
 * several.
 */
export function markWithLimit(pid: number, limit: number, path: string | undefined): void {
  if (process.platform !== 'linux') return;
  const child = spawn('prlimit', ['--pid', String(pid), `--locks=${limit}`], {
    cwd: '/',
    env: path === undefined ? {} : { PATH: path },
    stdio: 'ignore',
  });
  child.on('error', () => {
    // No such program, or no room for it.
  });
  child.unref();
}
