import type { CallResult, Json } from '../../../src/engine/record.ts';
import type { CallOutcome, Connection, Lease, ServerPool, Tool } from '../../../src/engine/servers/connection.ts';

type Answer = (args: Json, signal: AbortSignal) => CallOutcome | Promise<CallOutcome>;

/** A server that lives in this process. */
export interface MemoryServer {
  name: string;
  tools: Record<string, Answer>;
  /** More on single tools: annotations, schemas. */
  about?: Record<string, Partial<Tool>>;
}

export interface MemoryPool extends ServerPool {
  /** `tool` and arguments of every call that reached a server. */
  readonly received: { server: string; tool: string; args: Json }[];
  readonly leases: { taken: number; released: number };
  /** Replaces the tools of a server, as `tools/list_changed` would. */
  change(server: string, tools: Record<string, Answer>): void;
}

export function memoryPool(...servers: MemoryServer[]): MemoryPool {
  const received: MemoryPool['received'] = [];
  const leases = { taken: 0, released: 0 };
  const open = servers.map((server) => openServer(server, received));
  return {
    received,
    leases,
    change(name, tools) {
      open.find((server) => server.connection.server === name)?.change(tools);
    },
    async lease(): Promise<Lease> {
      leases.taken += 1;
      return {
        connections: open.map((server) => server.connection),
        release: async () => {
          leases.released += 1;
        },
      };
    },
    facts: () => [],
    close: async () => undefined,
  };
}

function openServer(server: MemoryServer, received: MemoryPool['received']) {
  let answers = server.tools;
  let tools = listTools(server, answers);
  let toolListChanged = false;
  const connection: Connection = {
    server: server.name,
    get tools() {
      return tools;
    },
    get toolListChanged() {
      return toolListChanged;
    },
    violations: [],
    async call(tool, args, signal) {
      received.push({ server: server.name, tool, args });
      const answer = answers[tool];
      if (answer === undefined) throw new Error(`the test asked for a tool that "${server.name}" has not: ${tool}`);
      return answer(args, signal);
    },
    read: async () => ({ value: [] }),
    listResources: async () => ({ value: [] }),
    listPrompts: async () => ({ value: [] }),
    getPrompt: async () => ({ value: { description: '', messages: [] } }),
  };
  return {
    connection,
    change(next: Record<string, Answer>) {
      answers = next;
      tools = listTools(server, answers);
      toolListChanged = true;
    },
  };
}

function listTools(server: MemoryServer, answers: Record<string, Answer>): Tool[] {
  return Object.keys(answers).map((name) => ({
    server: server.name,
    name,
    description: `does ${name}`,
    inputSchema: { type: 'object' },
    outputSchema: undefined,
    annotations: {},
    hash: '0123456789abcdef',
    ...server.about?.[name],
  }));
}

/** A result with one text. */
export function says(text: string, more: Partial<CallResult> = {}): CallOutcome {
  return {
    result: { content: [{ type: 'text', text }], isError: false, bytes: text.length, cut: false, ...more },
    argumentsValid: true,
    resultValid: null,
  };
}

export function fails(text: string): CallOutcome {
  return { ...says(text, { isError: true }), error: { kind: 'content', text } };
}

/** An answer that never comes and listens to no signal. */
export function hangs(): Promise<never> {
  return new Promise(() => undefined);
}
