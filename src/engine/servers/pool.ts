import { randomBytes } from 'node:crypto';
import type { ServerFacts } from '../record.ts';
import type { Lease, ServerDefinition, ServerNotice, ServerPool } from './connection.ts';
import { HttpTransport } from './http/httpTransport.ts';
import { LeasedConnection } from './leasedConnection.ts';
import { firstLimit, MARKS } from './markWithLimit.ts';
import { serverEnvironment } from './serverEnvironment.ts';
import type { Finding } from './serverLine.ts';
import type { ServerTransport } from './serverTransport.ts';
import { Session } from './session.ts';
import { SharedServer } from './sharedServer.ts';
import { StartFailures } from './startFailures.ts';
import { StartGate } from './startGate.ts';
import { type ProcessKeeper, StdioTransport } from './stdioTransport.ts';
import { Watchdog } from './watchdog.ts';

/** Servers that start at the same time. */
const STARTS = 4;

export interface ServerPoolOptions {
  /** Seen in the environment of each server as part of `MCPROVE_SERVER`. */
  runId?: string;
  /** The runner's environment; `process.env` where absent. Servers inherit little of it. */
  env?: NodeJS.ProcessEnv;
  /** Told once of each kind of oddity of each process. */
  onNotice?(notice: ServerNotice): void;
}

/** The servers of a run; nothing starts before the first lease. */
export function createServerPool(servers: readonly ServerDefinition[], options: ServerPoolOptions = {}): ServerPool {
  return new Pool(servers, options);
}

class Pool implements ServerPool, ProcessKeeper {
  readonly #options: ServerPoolOptions;
  readonly #servers: readonly PooledServer[];
  /** Those of `isolation: trial`, each of one lease. */
  readonly #own = new Set<SharedServer>();
  /** Servers whose changed tool list was told. */
  readonly #toldChanges = new Set<string>();
  readonly #gate = new StartGate(STARTS);
  readonly #facts = new Map<string, ServerFacts>();
  /** How the line begins that all processes of this pool have in their environment, and no other. */
  readonly #marker: string;
  /** The first of the limits by which they are known besides. */
  readonly #limit = firstLimit();
  /** Starts and endings under way: until they are over there are processes. */
  readonly #pending = new Set<Promise<unknown>>();
  #watchdog: Watchdog | null = null;
  #started = 0;
  #closing: Promise<void> | null = null;

  constructor(servers: readonly ServerDefinition[], options: ServerPoolOptions) {
    this.#options = options;
    this.#marker = `MCPROVE_SERVER=${(options.runId ?? 'run').replaceAll(/[^\w-]/g, '-')}.${randomBytes(6).toString('hex')}.`;
    this.#servers = servers.map((definition) => {
      const failures = new StartFailures();
      const shared = definition.isolation === 'shared' ? this.#create(definition, failures) : null;
      return { definition, failures, shared };
    });
  }

  async lease(signal: AbortSignal): Promise<Lease> {
    const acquired = this.#servers.map((server) => this.#connect(server, signal));
    try {
      const connections = await Promise.all(acquired);
      return {
        connections,
        release: async () => {
          for (const connection of connections) connection.release();
        },
      };
    } catch (error) {
      for (const connection of acquired) {
        connection.then(
          (got) => got.release(),
          () => {
            // One failure is told; another server's is told by the next lease.
          },
        );
      }
      throw error;
    }
  }

  facts(): ServerFacts[] {
    return this.#servers.flatMap(({ definition }) => this.#facts.get(definition.name) ?? []);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** A shared server's session, or one of a server that only this lease has. */
  async #connect({ definition, failures, shared }: PooledServer, signal: AbortSignal): Promise<LeasedConnection> {
    if (shared !== null) return new LeasedConnection(shared, await shared.acquire(signal));
    if (this.#closing !== null) throw new Error(`The pool of server "${definition.name}" is closed.`);
    const own = this.#create(definition, failures);
    this.#own.add(own);
    const end = (): void => {
      own.close();
      this.#own.delete(own);
    };
    try {
      return new LeasedConnection(own, await own.acquire(signal), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  #create(definition: ServerDefinition, failures: StartFailures): SharedServer {
    return new SharedServer(definition, failures, (signal) => this.#track(this.#start(definition, signal)));
  }

  started(group: number): void {
    const mark = { line: this.#marker, locks: [this.#limit, this.#limit + MARKS - 1] } as const;
    this.#watchdog ??= new Watchdog(mark, (text) => this.#notice(null, text));
    this.#watchdog.add(group);
  }

  ending(group: number, ended: Promise<void>): void {
    void this.#track(ended.finally(() => this.#watchdog?.remove(group)));
  }

  #track<T>(promise: Promise<T>): Promise<T> {
    this.#pending.add(promise);
    const forget = (): void => {
      this.#pending.delete(promise);
    };
    promise.then(forget, forget);
    return promise;
  }

  async #start(definition: ServerDefinition, signal: AbortSignal): Promise<Session> {
    const leave = await this.#gate.enter(signal);
    try {
      const session = await Session.start(
        definition,
        {
          open: (onFinding) => this.#open(definition, onFinding),
          onNotice: (text) => this.#notice(definition.name, text),
          onToolListChanged: () => this.#tellChange(definition),
        },
        signal,
      );
      this.#facts.set(definition.name, session.facts);
      return session;
    } finally {
      leave();
    }
  }

  #open({ transport }: ServerDefinition, onFinding: (finding: Finding) => void): ServerTransport {
    if (transport.kind !== 'stdio') {
      return new HttpTransport(transport, { onFinding, onClosing: (closed) => void this.#track(closed) });
    }
    const { command, args, cwd } = transport;
    const value = `${this.#marker.slice(this.#marker.indexOf('=') + 1)}${++this.#started}.`;
    const env = { ...serverEnvironment(transport.env, this.#options.env ?? process.env), MCPROVE_SERVER: value };
    const limit = this.#limit + (this.#started % MARKS);
    const mark = { line: `MCPROVE_SERVER=${value}`, locks: [limit, limit] } as const;
    return new StdioTransport({ command, args, cwd, env, mark, keeper: this, onFinding });
  }

  async #close(): Promise<void> {
    for (const { shared } of this.#servers) shared?.close();
    for (const own of this.#own) own.close();
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
    this.#watchdog?.close();
  }

  /** What one trial did to a shared server, the others see; nobody else sees it, and so nobody else needs to know. */
  #tellChange({ name, isolation }: ServerDefinition): void {
    if (isolation === 'trial' || this.#toldChanges.has(name)) return;
    this.#toldChanges.add(name);
    const remedy = 'with "isolation: trial" each trial gets a server of its own';
    this.#notice(name, `changed its tool list, which all trials that share it now see; ${remedy}`);
  }

  #notice(server: string | null, text: string): void {
    this.#options.onNotice?.({ server, text });
  }
}

interface PooledServer {
  definition: ServerDefinition;
  failures: StartFailures;
  /** Null with `isolation: trial`. */
  shared: SharedServer | null;
}
