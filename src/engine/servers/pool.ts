import { randomBytes } from 'node:crypto';
import type { ServerFacts } from '../record.ts';
import type { Lease, ServerDefinition, ServerNotice, ServerPool } from './connection.ts';
import { LeasedConnection } from './leasedConnection.ts';
import { serverEnvironment } from './serverEnvironment.ts';
import { Session } from './session.ts';
import { SharedServer } from './sharedServer.ts';
import { StartGate } from './startGate.ts';
import type { ProcessKeeper } from './stdioTransport.ts';
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
  readonly #servers: readonly SharedServer[];
  readonly #gate = new StartGate(STARTS);
  readonly #facts = new Map<string, ServerFacts>();
  /** How the line begins that all processes of this pool have in their environment, and no other. */
  readonly #marker: string;
  /** Starts and endings under way: until they are over there are processes. */
  readonly #pending = new Set<Promise<unknown>>();
  #watchdog: Watchdog | null = null;
  #started = 0;
  #closing: Promise<void> | null = null;

  constructor(servers: readonly ServerDefinition[], options: ServerPoolOptions) {
    this.#options = options;
    this.#marker = `MCPROVE_SERVER=${(options.runId ?? 'run').replaceAll(/[^\w-]/g, '-')}.${randomBytes(6).toString('hex')}.`;
    this.#servers = servers.map(
      (definition) => new SharedServer(definition, (signal) => this.#track(this.#start(definition, signal))),
    );
  }

  async lease(signal: AbortSignal): Promise<Lease> {
    const acquired = this.#servers.map(async (shared) => new LeasedConnection(shared, await shared.acquire(signal)));
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

  started(group: number): void {
    this.#watchdog ??= new Watchdog(this.#marker, (text) => this.#notice(null, text));
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
      const value = `${this.#marker.slice(this.#marker.indexOf('=') + 1)}${++this.#started}.`;
      const env = { ...serverEnvironment(envOf(definition), this.#options.env ?? process.env), MCPROVE_SERVER: value };
      const onNotice = (text: string): void => this.#notice(definition.name, text);
      const options = { env, marker: `MCPROVE_SERVER=${value}`, keeper: this, onNotice };
      const session = await Session.start(definition, options, signal);
      this.#facts.set(definition.name, session.facts);
      return session;
    } finally {
      leave();
    }
  }

  async #close(): Promise<void> {
    for (const shared of this.#servers) shared.close();
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
    this.#watchdog?.close();
  }

  #notice(server: string | null, text: string): void {
    this.#options.onNotice?.({ server, text });
  }
}

function envOf({ transport }: ServerDefinition): Readonly<Record<string, string | null>> {
  return transport.kind === 'stdio' ? transport.env : {};
}
