import type { ServerDefinition } from './connection.ts';
import { ServerStartError } from './serverError.ts';
import type { Session } from './session.ts';
import type { StartFailures } from './startFailures.ts';
import { untilAborted } from './untilAborted.ts';

interface Start {
  session: Promise<Session>;
  controller: AbortController;
  waiting: number;
}

/**
 * The sessions of one server: at most one that new leases get, and older ones until their last lease is released. With
 * `isolation: trial` every lease has such a server to itself.
 */
export class SharedServer {
  readonly definition: ServerDefinition;
  readonly #start: (signal: AbortSignal) => Promise<Session>;
  readonly #failures: StartFailures;
  readonly #leases = new Map<Session, number>();
  #current: Session | null = null;
  #starting: Start | null = null;
  #isClosed = false;

  /** @param failures of all starts of this server in the run */
  constructor(definition: ServerDefinition, failures: StartFailures, start: (signal: AbortSignal) => Promise<Session>) {
    this.definition = definition;
    this.#failures = failures;
    this.#start = start;
  }

  /**
   * A session that lives and is not stale, started where there is none. Whoever waits for the same start shares it; it is
   * ended when the last one gives up.
   *
   * @throws ServerStartError; after a hopeless failure or two in a row the same one again, without another try
   * @throws the signal's reason, at once, when it aborts
   */
  async acquire(signal: AbortSignal): Promise<Session> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error(`The pool of server "${this.definition.name}" is closed.`);
    let session = this.#current;
    if (session === null || session.isDead || session.isStale) {
      this.#failures.check();
      session = await this.#await(this.#starting ?? this.#begin(), signal);
    }
    this.#leases.set(session, (this.#leases.get(session) ?? 0) + 1);
    return session;
  }

  release(session: Session): void {
    const left = (this.#leases.get(session) ?? 1) - 1;
    if (left > 0) {
      this.#leases.set(session, left);
      return;
    }
    this.#leases.delete(session);
    if (session !== this.#current || session.isStale) this.#end(session);
  }

  /** Nothing starts any more, and what runs is told to end; whoever keeps the processes knows when it has. */
  close(): void {
    this.#isClosed = true;
    this.#starting?.controller.abort();
    for (const session of this.#leases.keys()) this.#end(session);
    if (this.#current !== null) this.#end(this.#current);
  }

  #end(session: Session): void {
    if (session === this.#current) this.#current = null;
    void session.close();
  }

  #begin(): Start {
    const controller = new AbortController();
    const start: Start = { session: this.#start(controller.signal), controller, waiting: 0 };
    this.#starting = start;
    start.session.then(
      (session) => {
        this.#replace(session);
        if (this.#starting === start) this.#starting = null;
      },
      (error) => {
        if (this.#starting === start) this.#starting = null;
        if (error instanceof ServerStartError) this.#failures.add(error);
      },
    );
    return start;
  }

  #replace(session: Session): void {
    this.#failures.clear();
    const old = this.#current;
    this.#current = session;
    if (old !== null && !this.#leases.has(old)) this.#end(old);
    if (this.#isClosed) this.#end(session);
  }

  async #await(start: Start, signal: AbortSignal): Promise<Session> {
    start.waiting++;
    try {
      return await untilAborted(start.session, signal);
    } finally {
      // Once it has started, this changes nothing.
      if (--start.waiting === 0 && this.#starting === start) {
        this.#starting = null;
        start.controller.abort(signal.reason);
      }
    }
  }
}
