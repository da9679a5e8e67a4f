import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { killMarked } from './killMarked.ts';
import { watchdogMain } from './watchdogMain.ts';

/**
 * A small process that outlives the runner, were it killed with `kill -9`, just long enough to end the servers it
 * started. Starting it waits for nothing, and it holds nothing up: it ends when its stdin does.
 */
export class Watchdog {
  readonly #stdin: Writable;
  #closed = false;

  /**
   * @param marker how a line begins that only the servers of this runner have in their environment
   * @param onFailure told at most once, when there is no watchdog; the run can go on without
   */
  constructor(marker: string, onFailure: (text: string) => void) {
    // The source runs as it stands here, so that it needs no file of its own in a bundle.
    const source = `(${watchdogMain})(${JSON.stringify(marker)}, ${killMarked})`;
    const child = spawn(process.execPath, ['-e', source], {
      // It must not keep a folder in use.
      ...(process.platform === 'win32' ? {} : { cwd: '/' }),
      // A group of its own: Ctrl-C in a terminal must not reach it. No NODE_OPTIONS of the runner, and no marker by which
      // an outer runner would find it.
      detached: true,
      env: { ELECTRON_RUN_AS_NODE: '1', ...systemRoot() },
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
    });
    this.#stdin = child.stdin;
    const fail = (cause: string): void => {
      if (this.#closed) return;
      this.#closed = true;
      onFailure(`the watchdog process is gone (${cause}): should this run be killed, servers may stay behind`);
    };
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code, signal) => fail(signal ?? `exit code ${code}`));
    child.stdin.on('error', (error) => fail(error.message));
    // Neither it nor the pipe to it keeps the runner alive.
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
  }

  add(processGroup: number): void {
    this.#write(`+${processGroup}\n`);
  }

  remove(processGroup: number): void {
    this.#write(`-${processGroup}\n`);
  }

  close(): void {
    this.#closed = true;
    this.#stdin.end();
  }

  #write(line: string): void {
    if (!this.#closed) this.#stdin.write(line);
  }
}

/** Node does not start without it on Windows. */
function systemRoot(): Record<string, string> {
  const root = process.env.SystemRoot;
  return root === undefined ? {} : { SystemRoot: root };
}
