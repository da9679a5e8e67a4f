import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { carriesMark, type ProcessMark } from './carriesMark.ts';
import { descendantsOf } from './descendantsOf.ts';
import { killMarked } from './killMarked.ts';
import { readProcess } from './readProcess.ts';

const AFTER_END_MS = 500;
const AFTER_TERM_MS = 1000;
const POLL_MS = 20;

/**
 * Ends a server and all it started, and resolves when they are gone: end of stdin, 0.5 s, SIGTERM to the process group,
 * 1 s, SIGKILL, then SIGKILL to what left the group but carries the mark, or descended from the server when it was told.
 *
 * @param child started with `detached`, so that its pid is its group's id
 * @param mark what only this server's processes have
 * @returns how many processes had left the group
 */
export async function endProcessGroup(child: ChildProcess, mark: ProcessMark): Promise<{ strays: number }> {
  const group = child.pid;
  if (group === undefined) return { strays: 0 };
  // Once the parents are gone nobody can tell whose children they were.
  const known = descendantsOf(hasLeader(child) ? [group] : [], readProcess);
  child.stdin?.end();
  if (!(await isGoneWithin(child, group, AFTER_END_MS))) {
    signalGroup(group, 'SIGTERM');
    if (!(await isGoneWithin(child, group, AFTER_TERM_MS))) {
      signalGroup(group, 'SIGKILL');
      await isGoneWithin(child, group, AFTER_TERM_MS);
    }
  }
  const strays = killMarked(mark, known, { carriesMark, readProcess });
  // A kill takes effect a little later.
  for (let left = strays, round = 0; left > 0 && round < 50; round++) {
    await wait(POLL_MS);
    left = killMarked(mark, known, { carriesMark, readProcess });
  }
  // Whoever still holds the other end is none of ours; the pipes must not keep the runner alive.
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
  return { strays };
}

async function isGoneWithin(child: ChildProcess, group: number, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (hasLeader(child) || isGroupAlive(group)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await leaderExitOr(child, Math.min(POLL_MS, left));
  }
  return true;
}

function hasLeader(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Waits, but not longer than for the exit of a leader that still runs. */
async function leaderExitOr(child: ChildProcess, ms: number): Promise<void> {
  if (!hasLeader(child)) return wait(ms);
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      child.off('exit', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    child.on('exit', done);
  });
}

function isGroupAlive(group: number): boolean {
  // Windows knows no groups; there the tree is ended by `taskkill` while its root lives.
  if (process.platform === 'win32') return false;
  try {
    process.kill(-group, 0);
  } catch (error) {
    // EPERM: it lives, but belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return process.platform !== 'linux' || hasRunningMember(group);
}

/** A container without an init process never buries its dead: a group of zombies counts as gone. */
function hasRunningMember(group: number): boolean {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const facts = readProcess(entry);
    if (facts !== null && facts.group === group && !facts.isDead) return true;
  }
  return false;
}

function signalGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(group), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {
      // Nothing left to try; the watchdog does the same when the runner ends.
    });
    return;
  }
  try {
    process.kill(-group, signal);
  } catch {
    // Gone meanwhile.
  }
}
