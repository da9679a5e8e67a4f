import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { CallError, Json } from '../record.ts';
import { nearest } from '../suite/nearest.ts';
import { type CompiledSchema, compileSchema } from './compileSchema.ts';
import type { Tool } from './connection.ts';
import { type Finding, shorten } from './serverLine.ts';
import { rpcMessage } from './sessionText.ts';
import { readToolList, type ToolList } from './toolList.ts';

const RELIST_MS = 5000;
const MAX_RELISTS = 100;

export interface LiveToolListOptions {
  server: string;
  /** Asks for one page, until the deadline (of `performance.now()`). */
  page(cursor: string | null, deadline: number, signal: AbortSignal): Promise<Json>;
  onFinding(finding: Finding): void;
  /** Told each time a list read again differs from the one before. */
  onChanged(): void;
  /** Whether there is still somebody to ask. */
  isAlive(): boolean;
}

/** The tools of one session, read again whenever the server says that they changed. */
export class LiveToolList {
  /** True once the server said so. */
  hasChanged = false;
  readonly #options: LiveToolListOptions;
  readonly #schemas = new WeakMap<Tool, { input: CompiledSchema; output: CompiledSchema | null }>();
  #list: ToolList | null = null;
  #isOutdated = false;
  #relists = 0;
  #relisting: Promise<void> | null = null;

  constructor(options: LiveToolListOptions) {
    this.#options = options;
  }

  get tools(): readonly Tool[] {
    return this.#list?.tools ?? [];
  }

  /** Null where there is no list. */
  get hash(): string | null {
    return this.#list?.hash ?? null;
  }

  /** While the list is read again. */
  get relisting(): Promise<void> | null {
    return this.#relisting;
  }

  /** @throws what asking throws, and ListError */
  async read(deadline: number, signal: AbortSignal): Promise<void> {
    const { server, page, onFinding } = this.#options;
    const list = await readToolList(server, (cursor) => page(cursor, deadline, signal));
    this.#list = list;
    for (const finding of list.findings) onFinding(finding);
  }

  /** The server says that it changed. */
  change(): void {
    this.hasChanged = true;
    if (this.#list !== null) this.relist();
  }

  relist(): void {
    this.#isOutdated = true;
    this.#relisting ??= this.#relistUntilCurrent().finally(() => {
      this.#relisting = null;
    });
  }

  find(tool: string): Tool | undefined {
    return this.tools.find(({ name }) => name === tool);
  }

  schemasOf(tool: Tool): { input: CompiledSchema; output: CompiledSchema | null } {
    let schemas = this.#schemas.get(tool);
    if (schemas === undefined) {
      const output = tool.outputSchema === undefined ? null : compileSchema(tool.outputSchema);
      schemas = { input: compileSchema(tool.inputSchema), output };
      this.#schemas.set(tool, schemas);
    }
    return schemas;
  }

  /** Why there is no such tool. */
  unknown(tool: string): CallError {
    const server = `server "${this.#options.server}"`;
    const fault = this.#list?.refused.get(tool);
    if (fault !== undefined) {
      return { kind: 'unknownTool', text: `${server} offers ${shorten(tool)}, but it cannot be used: ${fault}` };
    }
    const closest = nearest(
      tool,
      this.tools.map(({ name }) => name),
    );
    const hint = closest === undefined ? '' : `; closest is "${closest}"`;
    return { kind: 'unknownTool', text: `${server} has no tool ${shorten(tool)}${hint}` };
  }

  /** When it does not work the old list holds. */
  async #relistUntilCurrent(): Promise<void> {
    const { isAlive, onChanged, onFinding } = this.#options;
    while (this.#isOutdated && isAlive()) {
      this.#isOutdated = false;
      if (++this.#relists > MAX_RELISTS) {
        const text = `announced a changed tool list more than ${MAX_RELISTS} times; no longer read again`;
        onFinding({ kind: 'toolListChanges', text });
        return;
      }
      try {
        const before = this.hash;
        await this.read(performance.now() + RELIST_MS, new AbortController().signal);
        if (this.hash !== before) onChanged();
      } catch (error) {
        const text =
          error instanceof McpError ? rpcMessage(error) : error instanceof Error ? error.message : String(error);
        onFinding({ kind: 'relist', text: `announced a changed tool list, but did not give it: ${text}` });
      }
    }
  }
}
