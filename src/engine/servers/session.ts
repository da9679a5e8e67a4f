import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { CallError, Json, ServerFacts } from '../record.ts';
import { nearest } from '../suite/nearest.ts';
import { readCallResult, readRpcError } from './callOutcome.ts';
import { type CompiledSchema, compileSchema } from './compileSchema.ts';
import type { CallOutcome, ServerCommand, ServerDefinition, Tool, Violation } from './connection.ts';
import { anyResult, createClient, withOwnSignal } from './mcpClient.ts';
import { type Finding, shorten } from './serverLine.ts';
import { describeDeath, isOutOfTime, isUnanswered, quoteStderr, rpcMessage, rpcText, seconds } from './sessionText.ts';
import { discoveryFailure, handshakeFailure, spawnFailure } from './startFailure.ts';
import { type ProcessKeeper, REFUSED, StdioTransport } from './stdioTransport.ts';
import { readToolList, type ToolList } from './toolList.ts';
import { untilAborted } from './untilAborted.ts';
import { resultValidity, validityOf } from './validity.ts';

const CALL_TOTAL_MS = 10 * 60 * 1000;
const RELIST_MS = 5000;
const MAX_RELISTS = 100;

export interface SessionOptions {
  /** The whole environment of the process, with the marker in it. */
  env: Readonly<Record<string, string>>;
  marker: string;
  keeper: ProcessKeeper;
  /** Told of the first violation of each kind. */
  onNotice(text: string): void;
  /** How long a call may take in all while it reports progress; 10 min unless a test says otherwise. */
  callTotalMs?: number;
}

/** One server process, connected, with its tools listed. */
export class Session {
  /** True when the next lease shall not get this process: a call was left unfinished in it. */
  isStale = false;
  toolListChanged = false;
  readonly #definition: ServerDefinition;
  readonly #command: ServerCommand;
  readonly #options: SessionOptions;
  readonly #client: Client;
  readonly #transport: StdioTransport;
  readonly #violations = new Map<string, Violation>();
  readonly #schemas = new WeakMap<Tool, { input: CompiledSchema; output: CompiledSchema | null }>();
  #list: ToolList = { tools: [], refused: new Map(), findings: [], hash: '' };
  #isListed = false;
  #isOutdated = false;
  #relists = 0;
  #relisting: Promise<void> | null = null;

  private constructor(definition: ServerDefinition, options: SessionOptions) {
    this.#definition = definition;
    this.#options = options;
    if (definition.transport.kind !== 'stdio') throw new Error(`Server "${definition.name}" is no process.`);
    this.#command = definition.transport;
    const { command, args, cwd } = this.#command;
    const { env, marker, keeper } = options;
    const onFinding = (finding: Finding): void => this.#note(finding);
    this.#transport = new StdioTransport({ command, args, cwd, env, marker, keeper, onFinding });
    this.#client = createClient({
      onFinding,
      onToolListChanged: () => {
        this.toolListChanged = true;
        if (this.#isListed) this.#relist();
      },
    });
  }

  /**
   * Starts the process, shakes hands and lists the tools.
   *
   * @throws ServerStartError
   * @throws the signal's reason, at once, when it aborts; the process is then ended in the background
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

  get violations(): readonly Violation[] {
    return [...this.#violations.values()];
  }

  get isDead(): boolean {
    return this.#transport.death !== null;
  }

  get facts(): ServerFacts {
    return {
      name: this.#definition.name,
      origin: this.#definition.origin,
      version: this.#client.getServerVersion()?.version ?? null,
      protocol: this.#transport.protocol,
      toolListHash: this.#isListed ? this.#list.hash : null,
    };
  }

  /** Never throws for what the server does. `died` says that the process ended during the call. */
  async call(tool: string, args: Json, signal: AbortSignal): Promise<CallOutcome & { died: boolean }> {
    const known = this.#list.tools.find(({ name }) => name === tool);
    if (known === undefined) {
      return { error: this.#unknownTool(tool), argumentsValid: null, resultValid: null, died: false };
    }
    const { input, output } = this.#schemasOf(known);
    const asked = this.#ask(tool, args, signal);
    // While the server works, so that it adds nothing to the time of the call.
    const checked = validityOf('arguments', input.validate(args));
    const { died, ...outcome } = await asked;
    // A list that changed during the call is the list that the next turn must see.
    if (this.#relisting !== null && !signal.aborted) await untilAborted(this.#relisting, signal).catch(() => {});
    return { ...outcome, ...checked, ...resultValidity(outcome.result, output), died };
  }

  /** Why it can no longer be used, as a sentence with its last stderr lines. */
  describeEnd(doing: string): string {
    const { death } = this.#transport;
    const how = death === null ? 'is alive' : describeDeath(death);
    return `server "${this.#definition.name}" ${how} ${doing}${quoteStderr(this.#transport)}`;
  }

  /** Resolves when nothing of the process is left. Safe to call twice. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  async #start(signal: AbortSignal): Promise<void> {
    const definition = this.#definition;
    const deadline = performance.now() + definition.startTimeoutMs;
    await this.#connect(signal).catch((error) => {
      if (this.#transport.pid === undefined)
        throw spawnFailure(definition, this.#command, this.#options.env.PATH, error);
      throw handshakeFailure(definition, this.#transport, error);
    });
    if (this.#client.getServerCapabilities()?.tools === undefined) return;
    await this.#readTools(deadline, signal).catch((error) => {
      throw discoveryFailure(definition, this.#transport, error);
    });
    if (!this.toolListChanged) return;
    // It changed while it was read.
    this.#relist();
    if (this.#relisting !== null) await untilAborted(this.#relisting, signal);
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const timeout = this.#definition.startTimeoutMs;
    await withOwnSignal(signal, (own) => this.#client.connect(this.#transport, { timeout, signal: own }));
  }

  async #readTools(deadline: number, signal: AbortSignal): Promise<void> {
    const list = await readToolList(this.#definition.name, (cursor) =>
      withOwnSignal(signal, (own) => {
        const timeout = Math.max(1, Math.round(deadline - performance.now()));
        const params = cursor === null ? {} : { cursor };
        return this.#client.request({ method: 'tools/list', params }, anyResult, { timeout, signal: own });
      }),
    );
    this.#list = list;
    this.#isListed = true;
    for (const finding of list.findings) this.#note(finding);
  }

  #relist(): void {
    this.#isOutdated = true;
    this.#relisting ??= this.#relistUntilCurrent().finally(() => {
      this.#relisting = null;
    });
  }

  /** When it does not work the old list holds. */
  async #relistUntilCurrent(): Promise<void> {
    while (this.#isOutdated && !this.isDead) {
      this.#isOutdated = false;
      if (++this.#relists > MAX_RELISTS) {
        const text = `announced a changed tool list more than ${MAX_RELISTS} times; no longer read again`;
        this.#note({ kind: 'toolListChanges', text });
        return;
      }
      try {
        await this.#readTools(performance.now() + RELIST_MS, new AbortController().signal);
      } catch (error) {
        const text =
          error instanceof McpError ? rpcMessage(error) : error instanceof Error ? error.message : String(error);
        this.#note({ kind: 'relist', text: `announced a changed tool list, but did not give it: ${text}` });
      }
    }
  }

  async #ask(tool: string, args: Json, signal: AbortSignal): Promise<Answer> {
    const { callTimeoutMs } = this.#definition;
    try {
      const answer = await withOwnSignal(signal, (own) =>
        this.#client.request(
          // What a model made up is sent as it is: whether it will do is for the server to say.
          { method: 'tools/call', params: { name: tool, arguments: args as { [key: string]: Json } } },
          anyResult,
          {
            signal: own,
            timeout: callTimeoutMs,
            maxTotalTimeout: this.#options.callTotalMs ?? CALL_TOTAL_MS,
            // Without a listener the server is not asked for progress, and nothing is reset.
            resetTimeoutOnProgress: true,
            onprogress: () => {},
          },
        ),
      );
      const { findings, ...read } = readCallResult(tool, answer);
      for (const finding of findings) this.#note(finding);
      return { ...read, died: false };
    } catch (error) {
      return this.#failedCall(tool, error, signal);
    }
  }

  #failedCall(tool: string, error: unknown, signal: AbortSignal): Answer {
    const server = `server "${this.#definition.name}"`;
    const { death } = this.#transport;
    if (signal.aborted || (death?.kind === 'closed' && isUnanswered(error))) {
      // Whether the server heeds it cannot be known.
      this.isStale = true;
      return { error: { kind: 'cancelled', text: `The call of ${shorten(tool)} was cancelled.` }, died: false };
    }
    if (death !== null && isUnanswered(error)) {
      return { error: { kind: 'crashed', text: this.describeEnd(`during the call of ${shorten(tool)}`) }, died: true };
    }
    if (isOutOfTime(error)) {
      this.isStale = true;
      return { error: { kind: 'timeout', text: `${server} ${this.#outOfTime(tool, error)}` }, died: false };
    }
    if (!(error instanceof McpError)) throw error;
    // Our own words for an answer that could not be used.
    if (error.data === REFUSED) {
      return { error: { kind: 'protocol', text: rpcText(error) }, died: false };
    }
    return { error: readRpcError(error.code, rpcText(error)), died: false };
  }

  #outOfTime(tool: string, error: McpError): string {
    const { unfinished } = this.#transport;
    const rest = unfinished === '' ? '' : `; on its stdout stands, without a line end: ${unfinished}`;
    const total = JSON.stringify(error.data).includes('maxTotalTimeout');
    return total
      ? `reported progress, but gave no answer to ${shorten(tool)} in ${seconds(this.#options.callTotalMs ?? CALL_TOTAL_MS)}${rest}`
      : `gave no answer to ${shorten(tool)} in ${seconds(this.#definition.callTimeoutMs)}${rest}`;
  }

  #unknownTool(tool: string): CallError {
    const server = `server "${this.#definition.name}"`;
    const fault = this.#list.refused.get(tool);
    if (fault !== undefined) {
      return { kind: 'unknownTool', text: `${server} offers ${shorten(tool)}, but it cannot be used: ${fault}` };
    }
    const closest = nearest(
      tool,
      this.#list.tools.map(({ name }) => name),
    );
    const hint = closest === undefined ? '' : `; closest is "${closest}"`;
    return { kind: 'unknownTool', text: `${server} has no tool ${shorten(tool)}${hint}` };
  }

  #schemasOf(tool: Tool): { input: CompiledSchema; output: CompiledSchema | null } {
    let schemas = this.#schemas.get(tool);
    if (schemas === undefined) {
      const output = tool.outputSchema === undefined ? null : compileSchema(tool.outputSchema);
      schemas = { input: compileSchema(tool.inputSchema), output };
      this.#schemas.set(tool, schemas);
    }
    return schemas;
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

type Answer = Pick<CallOutcome, 'result' | 'error'> & { died: boolean };
