/**
 * From configuration to connections: which servers a suite means, and one process or HTTP session for each. The only room
 * that imports the MCP SDK's client, and the only one that starts servers or connects to them. Whatever is started here
 * is ended here. Nothing is graded here, and what a server sends is never trusted.
 */
export { type CompiledSchema, compileSchema } from './compileSchema.ts';
export type {
  CallOutcome,
  Connection,
  Lease,
  SecretSink,
  ServerAddress,
  ServerCommand,
  ServerDefinition,
  ServerNotice,
  ServerPool,
  Tool,
  Violation,
} from './connection.ts';
export { createServerPool, type ServerPoolOptions } from './pool.ts';
export { resolveServers } from './resolveServers.ts';
export { ServerDiedError, ServerStartError } from './serverError.ts';
