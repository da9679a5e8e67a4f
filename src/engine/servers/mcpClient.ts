import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Json } from '../record.ts';
import { type Finding, shorten } from './serverLine.ts';

/** Results are read by us, leniently: the SDK's own schemas throw whole answers away for one bad part. */
export const anyResult = z.custom<Json>();

/** A client without capabilities, which declines at once what a server asks for all the same. */
export function createClient(listeners: { onFinding(finding: Finding): void; onToolListChanged(): void }): Client {
  const client = new Client({ name: 'mcprove', version: '1' }, { capabilities: {} });
  client.fallbackRequestHandler = async ({ method }) => {
    const text = `asked for ${shorten(method)}, which was not offered; declined`;
    listeners.onFinding({ kind: 'clientRequest', text });
    return decline(method);
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => listeners.onToolListChanged());
  // The rest of what comes here is told elsewhere, or of no consequence (progress after the end of a call).
  client.onerror = ({ message }) => {
    if (message.startsWith('Unknown message type')) listeners.onFinding({ kind: 'notJsonRpc', text: shorten(message) });
  };
  return client;
}

/** Nobody sits here who could be asked. */
function decline(method: string): { [key: string]: Json } {
  switch (method) {
    case 'elicitation/create':
      return { action: 'decline' };
    case 'roots/list':
      return { roots: [] };
    case 'sampling/createMessage':
      throw new McpError(-1, 'Sampling was declined');
    default:
      throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
  }
}

/**
 * Gives each request a signal of its own: the SDK never takes its listener off, and cancels on an abort even what was
 * answered long ago.
 */
export async function withOwnSignal<T>(signal: AbortSignal, ask: (own: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort('The trial was cancelled.');
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await ask(controller.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
