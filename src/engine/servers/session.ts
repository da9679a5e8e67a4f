import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallError, Json, ServerFacts } from '../record.ts';
import { readCallResult } from './callOutcome.ts';
import type {
  Answer,
  CallOutcome,
  Prompt,
  PromptText,
  Resource,
  ServerDefinition,
  Tool,
  Violation,
} from './connection.ts';
import { readContents, readPrompts, readPromptText, readResources } from './contents.ts';
import { LiveToolList } from './liveToolList.ts';
import { anyResult, createClient, withOwnSignal } from './mcpClient.ts';
import { ListError, readPages } from './pages.ts';
import { type Fate, Requester } from './requester.ts';
import { type Finding, shorten } from './serverLine.ts';
import type { ServerTransport } from './serverTransport.ts';
import { discoveryFailure, handshakeFailure } from './startFailure.ts';
import { untilAborted } from './untilAborted.ts';
import { resultValidity, validityOf } from './validity.ts';

export interface SessionOptions {
  /** Makes the connection; nothing starts before it is asked to. */
  open(onFinding: (finding: Finding) => void): ServerTransport;
  /** Told of the first violation of each kind. */
  onNotice(text: string): void;
  /** Told each time its tools are others than before, once a tool was called. */
  onToolListChanged(): void;
  /** How long a call may take in all while it reports progress; 10 min unless a test says otherwise. */
  callTotalMs?: number;
}

/** What came of a request, and of the session under it. */
export type WithFate<T> = T & { fate: Fate };

/** One conversation with one server, connected, with its tools listed. */
export class Session {
  readonly #definition: ServerDefinition;
  readonly #options: SessionOptions;
  readonly #client: Client;
  readonly #transport: ServerTransport;
  readonly #requester: Requester;
  readonly #list: LiveToolList;
  #wasCalled = false;
  readonly #violations = new Map<string, Violation>();

  private constructor(definition: ServerDefinition, options: SessionOptions) {
    this.#definition = definition;
    this.#options = options;
    const onFinding = (finding: Finding): void => this.#note(finding);
    this.#transport = options.open(onFinding);
    this.#client = createClient({
      onFinding,
      onToolListChanged: () => this.#list.change(),
    });
    this.#requester = new Requester(definition, this.#client, this.#transport, options.callTotalMs);
    this.#list = new LiveToolList({
      server: definition.name,
      page: (cursor, deadline, signal) => this.#page('tools/list', cursor, deadline, signal),
      onFinding,
      // Before the first call it is the server that is still getting ready.
      onChanged: () => {
        if (this.#wasCalled) options.onToolListChanged();
      },
      isAlive: () => !this.isDead,
    });
  }

  /**
   * Connects, shakes hands and lists the tools.
   *
   * @throws ServerStartError
   * @throws the signal's reason, at once, when it aborts; the session is then ended in the background
   */
  static async start(definition: ServerDefinition, options: SessionOptions, signal: AbortSignal): Promise<Session> {
    signal.throwIfAborted();
    const session = new Session(definition, options);
    try {
      await session.#start(signal);
      return session;
    } catch (error) {
      void session.close();
      signal.throwIfAborted();
      throw error;
    }
  }

  get tools(): readonly Tool[] {
    return this.#list.tools;
  }

  get toolListChanged(): boolean {
    return this.#list.hasChanged;
  }

  get violations(): readonly Violation[] {
    return [...this.#violations.values()];
  }

  get isDead(): boolean {
    return this.#transport.death !== null;
  }

  /** True when the next lease shall not get this session. */
  get isStale(): boolean {
    return this.#requester.isStale;
  }

  get facts(): ServerFacts {
    return {
      name: this.#definition.name,
      origin: this.#definition.origin,
      version: this.#client.getServerVersion()?.version ?? null,
      protocol: this.#transport.protocol,
      toolListHash: this.#list.hash,
    };
  }

  /** Never throws for what the server does; likewise the others. */
  async call(tool: string, args: Json, signal: AbortSignal): Promise<WithFate<CallOutcome>> {
    const known = this.#list.find(tool);
    if (known === undefined) {
      return { error: this.#list.unknown(tool), argumentsValid: null, resultValid: null, fate: 'alive' };
    }
    this.#wasCalled = true;
    const { input, output } = this.#list.schemasOf(known);
    const asked = this.#call(tool, args, signal);
    // While the server works, so that it adds nothing to the time of the call.
    const checked = validityOf('arguments', input.validate(args));
    const { fate, ...outcome } = await asked;
    // A list that changed during the call is the list that the next turn must see.
    const { relisting } = this.#list;
    if (relisting !== null && !signal.aborted) await untilAborted(relisting, signal).catch(() => {});
    return { ...outcome, ...checked, ...resultValidity(outcome.result, output), fate };
  }

  async read(uri: string, signal: AbortSignal): Promise<WithFate<Answer<Json[]>>> {
    const doing = `the reading of ${shorten(uri)}`;
    return this.#ask(
      { method: 'resources/read', params: { uri } },
      { doing, object: shorten(uri) },
      signal,
      readContents,
    );
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<WithFate<Answer<PromptText>>> {
    const asked = { doing: `the reading of the prompt ${shorten(name)}`, object: `the prompt ${shorten(name)}` };
    return this.#ask(
      { method: 'prompts/get', params: { name, arguments: { ...args } } },
      asked,
      signal,
      readPromptText,
    );
  }

  /** Of a server that offers none, an empty list. */
  listResources(signal: AbortSignal): Promise<WithFate<Answer<Resource[]>>> {
    return this.#listOf('resource', readResources, signal);
  }

  listPrompts(signal: AbortSignal): Promise<WithFate<Answer<Prompt[]>>> {
    return this.#listOf('prompt', readPrompts, signal);
  }

  /** Why it can no longer be used, as a sentence with its last stderr lines. */
  describeEnd(doing: string): string {
    return this.#requester.describeEnd(doing);
  }

  /** Resolves when nothing of it is left. Safe to call twice. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  async #start(signal: AbortSignal): Promise<void> {
    const definition = this.#definition;
    const timeout = definition.startTimeoutMs;
    const deadline = performance.now() + timeout;
    await withOwnSignal(signal, (own) => this.#client.connect(this.#transport, { timeout, signal: own })).catch(
      (error) => {
        throw handshakeFailure(definition, this.#transport, error);
      },
    );
    if (this.#client.getServerCapabilities()?.tools === undefined) return;
    await this.#list.read(deadline, signal).catch((error) => {
      throw discoveryFailure(definition, this.#transport, error);
    });
    if (!this.#list.hasChanged) return;
    // It changed while it was read.
    this.#list.relist();
    if (this.#list.relisting !== null) await untilAborted(this.#list.relisting, signal);
  }

  #page(method: string, cursor: string | null, deadline: number, signal: AbortSignal): Promise<Json> {
    return withOwnSignal(signal, (own) => {
      const timeout = Math.max(1, Math.round(deadline - performance.now()));
      const params = cursor === null ? {} : { cursor };
      return this.#client.request({ method, params }, anyResult, { timeout, signal: own });
    });
  }

  async #call(tool: string, args: Json, signal: AbortSignal): Promise<WithFate<Pick<CallOutcome, 'result' | 'error'>>> {
    // What a model made up is sent as it is: whether it will do is for the server to say.
    const request = { method: 'tools/call', params: { name: tool, arguments: args } };
    const asked = { doing: `the call of ${shorten(tool)}`, object: shorten(tool) };
    const reply = await this.#requester.ask(request, asked, signal);
    if ('error' in reply) return reply;
    const { findings, ...read } = readCallResult(tool, reply.answer);
    for (const finding of findings) this.#note(finding);
    return { ...read, fate: 'alive' };
  }

  async #ask<T>(
    request: { method: string; params: { [key: string]: Json } },
    asked: { doing: string; object: string },
    signal: AbortSignal,
    read: (answer: Json) => Answer<T>,
  ): Promise<WithFate<Answer<T>>> {
    const reply = await this.#requester.ask(request, asked, signal);
    return 'error' in reply ? reply : { ...read(reply.answer), fate: 'alive' };
  }

  async #listOf<T>(
    what: 'resource' | 'prompt',
    read: (entries: readonly Json[]) => T[],
    signal: AbortSignal,
  ): Promise<WithFate<Answer<T[]>>> {
    if (this.#client.getServerCapabilities()?.[`${what}s`] === undefined) return { value: [], fate: 'alive' };
    const asked = { doing: `the listing of its ${what}s`, object: `${what}s/list` };
    let failure: { error: CallError; fate: Fate } | null = null;
    try {
      const entries = await readPages(what, async (cursor) => {
        const params: { [key: string]: Json } = cursor === null ? {} : { cursor };
        const reply = await this.#requester.ask({ method: `${what}s/list`, params }, asked, signal);
        if ('answer' in reply) return reply.answer;
        failure = reply;
        throw new ListError(reply.error.text);
      });
      return { value: read(entries), fate: 'alive' };
    } catch (error) {
      if (!(error instanceof ListError)) throw error;
      const text = `server "${this.#definition.name}": ${error.message}`;
      return failure ?? { error: { kind: 'protocol', text }, fate: 'alive' };
    }
  }

  #note({ kind, text }: Finding): void {
    const known = this.#violations.get(kind);
    if (known !== undefined) {
      known.count++;
      return;
    }
    this.#violations.set(kind, { kind, text, count: 1 });
    this.#options.onNotice(text);
  }
}
