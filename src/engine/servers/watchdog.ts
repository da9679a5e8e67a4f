import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { carriesMark, type ProcessMark } from './carriesMark.ts';
import { descendantsOf } from './descendantsOf.ts';
import { killMarked } from './killMarked.ts';
import { readProcess } from './readProcess.ts';
import { watchdogMain } from './watchdogMain.ts';

/**
 * A small process that outlives the runner, were it killed with `kill -9`, just long enough to end the servers it
 * started. Starting it waits for nothing, and it holds nothing up: it ends when its stdin does.
 */
export class Watchdog {
  /** Null where it did not start. */
  readonly #stdin: Writable | null;
  #closed = false;

  /**
   * @param mark what only the servers of this runner have
   * @param onFailure told at most once, when there is no watchdog; the run can go on without
   */
  constructor(mark: ProcessMark, onFailure: (text: string) => void) {
    // The source runs as it stands here, so that it needs no file of its own in a bundle.
    const functions = Object.entries({ carriesMark, descendantsOf, killMarked, readProcess });
    const source = `(${watchdogMain})(${JSON.stringify(mark)}, {${functions.map(([name, each]) => `${name}: ${each}`)}})`;
    const child: ChildProcess = spawn(process.execPath, ['-e', source], {
      // It must not keep a folder in use.
      ...(process.platform === 'win32' ? {} : { cwd: '/' }),
      // A group of its own: Ctrl-C in a terminal must not reach it. No NODE_OPTIONS of the runner, and no marker by which
      // an outer runner would find it.
      detached: true,
      env: { ELECTRON_RUN_AS_NODE: '1', ...systemRoot() },
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
    });
    // Undefined where there was no room for its pipe.
    const stdin = child.stdin ?? null;
    this.#stdin = stdin;
    const fail = (cause: string): void => {
      if (this.#closed) return;
      this.#closed = true;
      onFailure(`the watchdog process is gone (${cause}): should this run be killed, servers may stay behind`);
    };
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code, signal) => fail(signal ?? `exit code ${code}`));
    stdin?.on('error', (error) => fail(error.message));
    // Neither it nor the pipe to it keeps the runner alive.
    child.unref();
    if (stdin instanceof Socket) stdin.unref();
  }

  add(processGroup: number): void {
    this.#write(`+${processGroup}\n`);
  }

  remove(processGroup: number): void {
    this.#write(`-${processGroup}\n`);
  }

  close(): void {
    this.#closed = true;
    this.#stdin?.end();
  }

  #write(line: string): void {
    if (!this.#closed) this.#stdin?.write(line);
  }
}

/** Node does not start without it on Windows. */
function systemRoot(): Record<string, string> {
  const root = process.env.SystemRoot;
  return root === undefined ? {} : { SystemRoot: root };
}
