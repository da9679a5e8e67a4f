import type { ChildProcess } from 'node:child_process';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import spawn from 'cross-spawn';
import type { ProcessMark } from './carriesMark.ts';
import { type LineEvent, LineReader } from './lineReader.ts';
import { markWithLimit } from './markWithLimit.ts';
import { OutputTail } from './outputTail.ts';
import { PendingRequests } from './pendingRequests.ts';
import { endProcessGroup } from './processGroup.ts';
import { answerId, type Finding, isRequest, readServerLine, shorten } from './serverLine.ts';
import { type Death, GONE, type ServerTransport } from './serverTransport.ts';

/** Bytes in one line of a server; a longer answer is a failed call. */
const LINE_LIMIT = 32 * 1024 * 1024;
/** How long after its exit a server's stdout is still read, and after the end of its stdout its exit is waited for. */
const GRACE_MS = 250;

/** The process could not be started; the cause is the error of spawn, with its `code`. */
export class SpawnError extends Error {
  /** Where the command was looked for. */
  readonly path: string | undefined;

  constructor(path: string | undefined, cause: Error) {
    super(cause.message, { cause });
    this.name = 'SpawnError';
    this.path = path;
  }
}

/** Told of every process group, so that none is forgotten. */
export interface ProcessKeeper {
  started(group: number): void;
  /** `ended` holds until nothing of the group is left. */
  ending(group: number, ended: Promise<void>): void;
}

export interface StdioOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment, with the mark's line in it. */
  env: Readonly<Record<string, string>>;
  /** What this server's processes alone have; both limits are the same. */
  mark: ProcessMark;
  onFinding(finding: Finding): void;
  keeper: ProcessKeeper;
}

/**
 * A server over stdin and stdout. Unlike the SDK's transport it owns the whole process group, sees a death at once even
 * while a grandchild holds the pipes, always drains stderr, and lets no line of a server end the connection.
 */
export class StdioTransport implements ServerTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  protocol: string | null = null;
  readonly #stderr = new OutputTail();
  /** The last lines of stdout that were no messages. */
  readonly #junk = new OutputTail();
  readonly #requests: PendingRequests;
  readonly #options: StdioOptions;
  readonly #reader: LineReader;
  #child: ChildProcess | null = null;
  /** Set at its exit; what it wrote before may still be on its way. */
  #exit: Death | null = null;
  #death: Death | null = null;
  #ended: Promise<void> | null = null;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#reader = new LineReader(LINE_LIMIT);
    this.#requests = new PendingRequests(options.onFinding, (message) => this.onmessage?.(message));
  }

  get death(): Death | null {
    return this.#death ?? this.#exit;
  }

  quoteErrors(): string {
    const lines = this.#stderr.lastLines(20);
    return lines === '' ? '; its stderr is empty' : `. Its last stderr lines:\n${lines.replaceAll(/^/gm, '  ')}`;
  }

  explainSilence(doing: 'starting' | 'calling'): string {
    const bytes = this.#reader.unfinished;
    const unfinished = bytes.length === 0 ? '' : shorten(bytes);
    if (doing === 'calling') {
      return unfinished === '' ? '' : `; on its stdout stands, without a line end: ${unfinished}`;
    }
    const seen = [this.#junk.lastLines(3), unfinished].filter((text) => text !== '').join('\n');
    return seen === '' ? '; nothing came on stdout' : `; stdout so far: ${seen.replaceAll('\n', ' ⏎ ')}`;
  }

  /** @throws SpawnError */
  start(): Promise<void> {
    const { command, args, cwd, env, keeper, mark } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        reject(new SpawnError(env.PATH, error instanceof Error ? error : new Error(String(error))));
      };
      let child: ChildProcess;
      try {
        child = spawn(command, args, {
          cwd,
          env,
          stdio: ['pipe', 'pipe', 'pipe'],
          // A process group of its own; on Windows that would open a console window.
          detached: process.platform !== 'win32',
          windowsHide: true,
        });
      } catch (error) {
        fail(error);
        return;
      }
      this.#child = child;
      child.on('spawn', resolve);
      child.on('error', fail);
      if (child.pid !== undefined) {
        markWithLimit(child.pid, mark.locks[0], env.PATH);
        keeper.started(child.pid);
      }
      child.stderr?.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
      child.stdout?.on('data', (chunk: Buffer) => {
        if (this.#death === null) this.#read(this.#reader.push(chunk));
      });
      child.stdout?.on('end', () => this.#afterStdout());
      child.on('exit', (code, signal) => this.#afterExit(child, { kind: 'exited', code, signal }));
      child.stdin?.on('error', () => this.#afterBrokenPipe('stdinClosed'));
      child.stdout?.on('error', () => this.#afterBrokenPipe('stdoutClosed'));
      child.stderr?.on('error', () => {
        // Nothing depends on it.
      });
    });
  }

  /** Does not wait for a server that does not read: that is what time-outs are for. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.death !== null || this.#child === null) throw new Error(GONE);
    this.#requests.noteSent(message);
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  setProtocolVersion(version: string): void {
    this.protocol = version;
  }

  async close(): Promise<void> {
    this.#die(this.#exit ?? { kind: 'closed' });
    await this.#ended;
  }

  #read(events: readonly LineEvent[]): void {
    for (const event of events) {
      if (event.kind === 'line') this.#readLine(event.bytes);
      else this.#readLongLine(event);
    }
  }

  #readLine(bytes: Buffer): void {
    const { incoming, findings } = readServerLine(bytes);
    for (const finding of findings) {
      if (finding.kind === 'junk') this.#junk.add(Buffer.concat([bytes, Buffer.from('\n')]));
      this.#options.onFinding(finding);
    }
    this.#requests.receive(incoming);
  }

  #readLongLine(event: Exclude<LineEvent, { kind: 'line' }>): void {
    const limit = `${formatBytes(LINE_LIMIT)}, the limit for one message`;
    if (event.kind === 'overflow') {
      this.#options.onFinding({ kind: 'oversizedLine', text: `a line longer than ${limit}: ${shorten(event.head)}` });
      // The line may never end, so whoever waits is told now, where it can be told who that is.
      const guess = isRequest(event.head) ? null : this.#requests.only;
      this.#requests.refuse(answerId(event.head, Buffer.alloc(0)) ?? guess, `is longer than ${limit}`, { quiet: true });
    } else {
      const id = answerId(event.head, event.tail);
      if (typeof id !== 'number' || !this.#requests.has(id)) return;
      this.#requests.refuse(id, `is ${formatBytes(event.length)}, longer than ${limit}`, { quiet: true });
    }
  }

  #afterExit(child: ChildProcess, exit: Death): void {
    this.#exit = exit;
    // What the server itself wrote is in the pipes by now; but a grandchild may hold them open for ever.
    const open = [child.stdout, child.stderr].filter((stream) => stream !== null && !stream.readableEnded);
    let left = open.length;
    if (left === 0) {
      this.#die(exit);
      return;
    }
    const timer = setTimeout(() => this.#die(exit), GRACE_MS);
    for (const stream of open) {
      stream?.once('end', () => {
        if (--left > 0) return;
        clearTimeout(timer);
        this.#die(exit);
      });
    }
  }

  #afterStdout(): void {
    if (this.#death === null) this.#read(this.#reader.end());
    this.#afterBrokenPipe('stdoutClosed');
  }

  /** Mostly the first sign of an exit, which says more. */
  #afterBrokenPipe(kind: 'stdoutClosed' | 'stdinClosed'): void {
    const child = this.#child;
    if (child === null || this.death !== null) return;
    const timer = setTimeout(() => this.#die({ kind }), GRACE_MS);
    child.once('exit', () => clearTimeout(timer));
  }

  #die(death: Death): void {
    if (this.#death !== null) return;
    if (death.kind !== 'closed') this.#read(this.#reader.end());
    this.#death = death;
    const child = this.#child;
    if (child?.pid !== undefined) {
      this.#ended = this.#end(child);
      this.#options.keeper.ending(child.pid, this.#ended);
    }
    this.onclose?.();
  }

  async #end(child: ChildProcess): Promise<void> {
    const { strays } = await endProcessGroup(child, this.#options.mark);
    if (strays === 0) return;
    const text = `left ${strays} ${strays === 1 ? 'process' : 'processes'} outside its process group running; killed`;
    this.#options.onFinding({ kind: 'stray', text });
  }
}

function formatBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}
