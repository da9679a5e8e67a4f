import type { ChildProcess } from 'node:child_process';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import spawn from 'cross-spawn';
import { type LineEvent, LineReader } from './lineReader.ts';
import { OutputTail } from './outputTail.ts';
import { endProcessGroup } from './processGroup.ts';
import { answerId, type Finding, isRequest, readServerLine, shorten } from './serverLine.ts';

/** Bytes in one line of a server; a longer answer is a failed call. */
const LINE_LIMIT = 32 * 1024 * 1024;
/** How long after its exit a server's stdout is still read, and after the end of its stdout its exit is waited for. */
const GRACE_MS = 250;

/** Why a server can no longer be spoken to. */
export type Death =
  | { kind: 'exited'; code: number | null; signal: NodeJS.Signals | null }
  /** It runs, but one of its pipes is closed. */
  | { kind: 'stdoutClosed' | 'stdinClosed' }
  /** By us. */
  | { kind: 'closed' };

/** Marks an error that this transport made in the server's stead, about an answer that could not be used. */
export const REFUSED: unique symbol = Symbol('refused');

/** The message of the error when something is to be sent to a server that has ended. */
export const GONE = 'The server is gone.';

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
  /** The whole environment, with `marker` in it. */
  env: Readonly<Record<string, string>>;
  /** `NAME=value`, found in the environment of this server's processes alone. */
  marker: string;
  onFinding(finding: Finding): void;
  keeper: ProcessKeeper;
}

/**
 * A server over stdin and stdout. Unlike the SDK's transport it owns the whole process group, sees a death at once even
 * while a grandchild holds the pipes, always drains stderr, and lets no line of a server end the connection.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  /** The agreed version; null before. */
  protocol: string | null = null;
  readonly stderr = new OutputTail();
  /** The last lines of stdout that were no messages. */
  readonly junk = new OutputTail();
  readonly #options: StdioOptions;
  readonly #reader: LineReader;
  #child: ChildProcess | null = null;
  /** Set at its exit; what it wrote before may still be on its way. */
  #exit: Death | null = null;
  #death: Death | null = null;
  #ended: Promise<void> | null = null;
  /** Requests without an answer yet, those given up, and the id of the last one. */
  readonly #waiting = new Set<number>();
  readonly #givenUp = new Set<number>();
  #lastId = -1;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#reader = new LineReader(LINE_LIMIT);
  }

  /** Set from the moment on at which it can no longer be spoken to; who waits for an answer may still get it. */
  get death(): Death | null {
    return this.#death ?? this.#exit;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** What stands on stdout without a line end, shortened; '' when nothing does. */
  get unfinished(): string {
    const bytes = this.#reader.unfinished;
    return bytes.length === 0 ? '' : shorten(bytes);
  }

  /** @throws the error of spawn, with its `code` */
  start(): Promise<void> {
    const { command, args, cwd, env } = this.#options;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
        // A process group of its own; on Windows that would open a console window.
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      this.#child = child;
      if (child.pid !== undefined) this.#options.keeper.started(child.pid);
      child.on('spawn', resolve);
      child.on('error', reject);
      child.stderr?.on('data', (chunk: Buffer) => this.stderr.add(chunk));
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
    if ('method' in message) this.#noteRequest(message);
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  setProtocolVersion(version: string): void {
    this.protocol = version;
  }

  /** Tells the waiting requests at once; resolves when nothing of the server is left. Safe to call twice. */
  async close(): Promise<void> {
    this.#die(this.#exit ?? { kind: 'closed' });
    await this.#ended;
  }

  #noteRequest(message: JSONRPCMessage & { method: string }): void {
    if ('id' in message && typeof message.id === 'number') {
      this.#lastId = message.id;
      this.#waiting.add(message.id);
    } else if (message.method === 'notifications/cancelled' && 'params' in message) {
      const id = message.params?.requestId;
      if (typeof id === 'number' && this.#waiting.delete(id)) this.#givenUp.add(id);
    }
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
      if (finding.kind === 'junk') this.junk.add(Buffer.concat([bytes, Buffer.from('\n')]));
      this.#options.onFinding(finding);
    }
    for (const entry of incoming) {
      if (entry.kind === 'message') this.onmessage?.(entry.message);
      else if (entry.kind === 'fault') this.#refuse(entry.id, entry.text);
      else {
        const id = this.#settle(entry.id);
        if (id !== null) this.onmessage?.({ ...entry.message, id } as JSONRPCMessage);
      }
    }
  }

  #readLongLine(event: Exclude<LineEvent, { kind: 'line' }>): void {
    const limit = `${formatBytes(LINE_LIMIT)}, the limit for one message`;
    if (event.kind === 'overflow') {
      this.#options.onFinding({ kind: 'oversizedLine', text: `a line longer than ${limit}: ${shorten(event.head)}` });
      // The line may never end, so whoever waits is told now, where it can be told who that is.
      const [only, ...others] = this.#waiting;
      const guess = only !== undefined && others.length === 0 && !isRequest(event.head) ? only : null;
      this.#refuse(answerId(event.head, Buffer.alloc(0)) ?? guess, `is longer than ${limit}`, { quiet: true });
    } else {
      const id = answerId(event.head, event.tail);
      if (typeof id !== 'number' || !this.#waiting.has(id)) return;
      this.#refuse(id, `is ${formatBytes(event.length)}, longer than ${limit}`, { quiet: true });
    }
  }

  /** Answers a request in the server's stead. */
  #refuse(id: string | number | null, text: string, { quiet = false } = {}): void {
    if (!quiet) this.#options.onFinding({ kind: 'badAnswer', text: `an answer that ${text}` });
    const known = id === null ? null : this.#settle(id);
    if (known === null) return;
    const error = { code: -32603, message: `The answer ${text}.`, data: REFUSED };
    this.onmessage?.({ jsonrpc: '2.0', id: known, error });
  }

  /** The request an answer belongs to, from then on answered; null where there is none. */
  #settle(id: string | number): number | null {
    const number = typeof id === 'number' ? id : /^\d+$/.test(id) ? Number(id) : -1;
    if (this.#waiting.delete(number)) {
      if (typeof id === 'string') {
        this.#options.onFinding({ kind: 'badAnswer', text: `an answer whose id is the text "${id}", not the number` });
      }
      return number;
    }
    // The answer to a request that was given up may have been on its way.
    if (this.#givenUp.delete(number)) return null;
    const asked = number >= 0 && number <= this.#lastId;
    this.#options.onFinding(
      asked
        ? { kind: 'secondAnswer', text: `a second answer to request ${number}; the first one holds` }
        : { kind: 'unknownId', text: `an answer to request ${shorten(String(id))}, which was never made` },
    );
    return null;
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
    const { strays } = await endProcessGroup(child, this.#options.marker);
    if (strays === 0) return;
    const text = `left ${strays} ${strays === 1 ? 'process' : 'processes'} outside its process group running; killed`;
    this.#options.onFinding({ kind: 'stray', text });
  }
}

function formatBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}
