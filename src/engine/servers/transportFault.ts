import { McpError } from '@modelcontextprotocol/sdk/types.js';

/**
 * - `refused`: an answer that cannot be used; the connection goes on
 * - `notMcp`: an HTTP answer that is none of MCP's (a status, a web page, a redirect); the connection goes on
 * - `signIn`: 401 or 403
 * - `unreachable`: no connection
 * - `cutOff`: the connection broke off, or ended without the answer
 * - `lost`: the server does not know the session any more, and has done nothing
 */
type FaultKind = 'refused' | 'notMcp' | 'signIn' | 'unreachable' | 'cutOff' | 'lost';

/** What a transport says in place of an answer. The message is a sentence for `refused`, else what "the server …" did. */
export class TransportFault extends Error {
  readonly kind: FaultKind;
  readonly hint: string | null;
  /** Of the HTTP answer, where there was one. */
  readonly status: number | null;

  constructor(
    kind: FaultKind,
    message: string,
    more: { hint?: string | undefined; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'TransportFault';
    this.kind = kind;
    this.hint = more.hint ?? null;
    this.status = more.status ?? null;
  }
}

/** The fault in what the SDK rejects a request with: thrown while it was sent, or sent as its answer (see `faultAnswer`). */
export function faultOf(error: unknown): TransportFault | null {
  if (error instanceof TransportFault) return error;
  return error instanceof McpError && error.data instanceof TransportFault ? error.data : null;
}

/** An answer in the server's stead. */
export function faultAnswer(
  id: number,
  fault: TransportFault,
): { jsonrpc: '2.0'; id: number; error: { code: number; message: string; data: TransportFault } } {
  return { jsonrpc: '2.0', id, error: { code: -32603, message: fault.message, data: fault } };
}
