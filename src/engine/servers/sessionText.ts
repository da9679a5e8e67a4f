import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { type Death, GONE } from './serverTransport.ts';

export function describeDeath(death: Death): string {
  switch (death.kind) {
    case 'exited':
      return death.signal === null ? `exited with code ${death.code}` : `was ended by ${death.signal}`;
    case 'stdoutClosed':
      return 'closed its stdout while it ran on';
    case 'stdinClosed':
      return 'closed its stdin while it ran on';
    case 'streamEnded':
      return 'ended its event stream';
    case 'closed':
      return 'was closed';
  }
}

/** `1.5 s` */
export function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

/** Whether the SDK itself gave up waiting; servers use the same code for errors of their own. */
export function isOutOfTime(error: unknown): error is McpError {
  if (!(error instanceof McpError) || error.code !== ErrorCode.RequestTimeout) return false;
  const { data } = error;
  return data !== null && typeof data === 'object' && ('timeout' in data || 'maxTotalTimeout' in data);
}

/** Whether a request failed because there was nobody to answer, and not by an answer. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof McpError)
    return error.code === ErrorCode.ConnectionClosed && rpcText(error) === 'Connection closed';
  return error instanceof Error && (error.message === GONE || error.message === 'Not connected');
}

/** The error as the server put it, without what the SDK sets before it. */
export function rpcText(error: McpError): string {
  return error.message.replace(/^MCP error -?\d+: /, '');
}

export function rpcMessage(error: McpError): string {
  return `${rpcText(error)} (JSON-RPC error ${error.code})`;
}
