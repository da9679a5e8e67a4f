/** Servers that live in this process: their tools are functions. */
import type { Json } from '../../../src/engine/record.ts';
import type { CallOutcome, Connection, ServerPool, Tool } from '../../../src/engine/servers/connection.ts';

export type MemoryTool = (args: Record<string, Json>, signal: AbortSignal) => Json | Promise<Json>;

export interface MemoryPool extends ServerPool {
  leased: number;
  released: number;
  closed: number;
}

/** A server `sums` with the tools given; the result of each is its structured content, and its text. */
export function memoryPool(tools: Record<string, MemoryTool>): MemoryPool {
  const connection: Connection = {
    server: 'sums',
    tools: Object.keys(tools).map(describe),
    toolListChanged: false,
    violations: [],
    call: (name, args, signal) => answer(tools[name], args, signal),
    read: async () => ({ value: [] }),
    listResources: async () => ({ value: [] }),
    listPrompts: async () => ({ value: [] }),
    getPrompt: async () => ({ value: { description: '', messages: [] } }),
  };
  const pool: MemoryPool = {
    leased: 0,
    released: 0,
    closed: 0,
    lease: async () => {
      pool.leased++;
      return {
        connections: [connection],
        release: async () => {
          pool.released++;
        },
      };
    },
    facts: () => [
      {
        name: 'sums',
        origin: { file: 'a', pointer: '' },
        version: '1.0.0',
        protocol: '2025-11-25',
        toolListHash: 'ab',
      },
    ],
    close: async () => {
      pool.closed++;
    },
  };
  return pool;
}

function describe(name: string): Tool {
  const inputSchema = { type: 'object' };
  return { server: 'sums', name, description: name, inputSchema, outputSchema: undefined, annotations: {}, hash: 'ab' };
}

async function answer(tool: MemoryTool | undefined, args: Json, signal: AbortSignal): Promise<CallOutcome> {
  if (tool === undefined) throw new Error('no such tool');
  const value = await tool(args as Record<string, Json>, signal);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const result = {
    content: [{ type: 'text', text }],
    structured: value,
    isError: false,
    bytes: text.length,
    cut: false,
  };
  return { result, argumentsValid: true, resultValid: null };
}
