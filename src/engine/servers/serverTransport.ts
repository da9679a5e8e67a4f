import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** Why a server can no longer be spoken to. */
export type Death =
  | { kind: 'exited'; code: number | null; signal: NodeJS.Signals | null }
  /** It runs, but one of its pipes is closed. */
  | { kind: 'stdoutClosed' | 'stdinClosed' }
  /** The one event stream over which it answers (transport `sse`) has ended. */
  | { kind: 'streamEnded' }
  /** By us. */
  | { kind: 'closed' };

/** A connection to one server, over a process's pipes or over HTTP: what a session knows of it beyond messages. */
export interface ServerTransport extends Transport {
  /** The agreed version; null before. */
  readonly protocol: string | null;
  /** Set from the moment on at which it can no longer be spoken to; who waits for an answer may still get it. */
  readonly death: Death | null;
  /** What the server said apart from messages, as the end of a sentence: its last stderr lines; '' over HTTP. */
  quoteErrors(): string;
  /** What is known of why nothing is answered, as the end of a sentence, or ''. */
  explainSilence(doing: 'starting' | 'calling'): string;
  /** Tells the waiting requests at once; resolves when nothing is left open. Safe to call twice. */
  close(): Promise<void>;
}

/** The message of the error when something is to be sent to a server that has ended. */
export const GONE = 'The server is gone.';
