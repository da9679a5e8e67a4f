import type { Json } from '../record.ts';
import type { CallOutcome, Connection, Tool, Violation } from './connection.ts';
import { ServerDiedError } from './serverError.ts';
import type { Session } from './session.ts';
import type { SharedServer } from './sharedServer.ts';

/** One lease's view of a shared server, which it may see die once. */
export class LeasedConnection implements Connection {
  readonly #shared: SharedServer;
  #session: Session;
  /** The sessions that died under this lease. */
  readonly #dead = new Set<Session>();
  #restart: Promise<void> | null = null;
  #sawChange = false;
  #isReleased = false;

  /** @param session acquired from `shared` for this view */
  constructor(shared: SharedServer, session: Session) {
    this.#shared = shared;
    this.#session = session;
  }

  get server(): string {
    return this.#shared.definition.name;
  }

  get tools(): readonly Tool[] {
    return this.#session.tools;
  }

  get toolListChanged(): boolean {
    return this.#sawChange || this.#session.toolListChanged;
  }

  get violations(): readonly Violation[] {
    return this.#session.violations;
  }

  async call(tool: string, args: Json, signal: AbortSignal): Promise<CallOutcome> {
    if (this.#isReleased) throw new Error(`The lease of server "${this.server}" was released.`);
    try {
      if (this.#session.isDead) this.#restart ??= this.#restartOnce(signal);
      await this.#restart;
      signal.throwIfAborted();
    } catch (error) {
      if (!signal.aborted) throw error;
      const text = `The call of "${tool}" was cancelled before it was made.`;
      return { error: { kind: 'cancelled', text }, argumentsValid: null, resultValid: null };
    }
    const session = this.#session;
    const { died, ...outcome } = await session.call(tool, args, signal);
    if (died) this.#bury(session, outcome.error?.text ?? '');
    return outcome;
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#shared.release(this.#session);
  }

  async #restartOnce(signal: AbortSignal): Promise<void> {
    try {
      const dead = this.#session;
      this.#bury(dead, dead.describeEnd('between two calls'));
      this.#sawChange ||= dead.toolListChanged;
      const session = await this.#shared.acquire(signal);
      this.#session = session;
      this.#shared.release(dead);
      if (this.#isReleased) this.#shared.release(session);
    } finally {
      this.#restart = null;
    }
  }

  /** @throws ServerDiedError for the second one */
  #bury(session: Session, text: string): void {
    this.#dead.add(session);
    if (this.#dead.size > 1) throw new ServerDiedError(this.#shared.definition, text);
  }
}
