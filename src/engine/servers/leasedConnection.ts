import type { CallError, Json } from '../record.ts';
import type { Answer, CallOutcome, Connection, Prompt, PromptText, Resource, Tool, Violation } from './connection.ts';
import { ServerDiedError } from './serverError.ts';
import type { Session, WithFate } from './session.ts';
import type { SharedServer } from './sharedServer.ts';

/** One lease's view of a server, which it may see die once. */
export class LeasedConnection implements Connection {
  readonly #shared: SharedServer;
  #session: Session;
  /** Whether this lease had an answer from the session it has now. */
  #isUsed = false;
  /** The sessions that died under this lease. */
  readonly #dead = new Set<Session>();
  #restart: Promise<void> | null = null;
  #sawChange = false;
  #isReleased = false;

  readonly #onReleased: () => void;

  /** @param session acquired from `shared` for this view */
  constructor(shared: SharedServer, session: Session, onReleased = (): void => {}) {
    this.#shared = shared;
    this.#onReleased = onReleased;
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
    const outcome = await this.#use<CallOutcome>(`The call of "${tool}"`, signal, (session) =>
      session.call(tool, args, signal),
    );
    return { argumentsValid: null, resultValid: null, ...outcome };
  }

  read(uri: string, signal: AbortSignal): Promise<Answer<Json[]>> {
    return this.#use<Answer<Json[]>>(`The reading of "${uri}"`, signal, (session) => session.read(uri, signal));
  }

  listResources(signal: AbortSignal): Promise<Answer<Resource[]>> {
    return this.#use<Answer<Resource[]>>('The listing of resources', signal, (session) =>
      session.listResources(signal),
    );
  }

  listPrompts(signal: AbortSignal): Promise<Answer<Prompt[]>> {
    return this.#use<Answer<Prompt[]>>('The listing of prompts', signal, (session) => session.listPrompts(signal));
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answer<PromptText>> {
    return this.#use<Answer<PromptText>>(`The reading of the prompt "${name}"`, signal, (session) =>
      session.getPrompt(name, args, signal),
    );
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#shared.release(this.#session);
    this.#onReleased();
  }

  async #use<T>(
    what: string,
    signal: AbortSignal,
    ask: (session: Session) => Promise<WithFate<T>>,
  ): Promise<T | { error: CallError }> {
    if (this.#isReleased) throw new Error(`The lease of server "${this.server}" was released.`);
    const session = await this.#living(signal).catch((error) => {
      if (!signal.aborted) throw error;
      return null;
    });
    if (session === null) return { error: { kind: 'cancelled', text: `${what} was cancelled before it was made.` } };
    const isFirst = !this.#isUsed;
    const { fate, ...rest } = await ask(session);
    const outcome = rest as T & { error?: CallError };
    if (fate === 'alive') {
      this.#isUsed = true;
      return outcome;
    }
    this.#bury(session, outcome.error?.text ?? '');
    // The server forgot the session before this trial did anything in it.
    if (fate === 'lost' && isFirst) return this.#use(what, signal, ask);
    return outcome;
  }

  /** @throws the signal's reason when it aborts, ServerStartError, ServerDiedError */
  async #living(signal: AbortSignal): Promise<Session> {
    if (this.#session.isDead || this.#dead.has(this.#session)) this.#restart ??= this.#restartOnce(signal);
    await this.#restart;
    signal.throwIfAborted();
    return this.#session;
  }

  async #restartOnce(signal: AbortSignal): Promise<void> {
    try {
      const dead = this.#session;
      this.#bury(dead, dead.describeEnd('between two calls'));
      this.#sawChange ||= dead.toolListChanged;
      const session = await this.#shared.acquire(signal);
      this.#session = session;
      this.#isUsed = false;
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
