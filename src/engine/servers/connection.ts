/** What the rooms below know of a server: tools, and a way to call them. */
import type { SourceRange } from '../errors.ts';
import type { Call, CallError, CallResult, Json, ServerFacts } from '../record.ts';

/** A server ready to be started: every variable resolved. */
export interface ServerDefinition {
  name: string;
  transport: ServerCommand | ServerAddress;
  /** `shared`: all trials speak to one process or session; `trial`: each gets a fresh one. */
  isolation: 'shared' | 'trial';
  /** Absolute path of the file that defines it, and the JSON pointer there. */
  origin: { file: string; pointer: string };
  /** The same place in lines and columns, where it is known. */
  range?: SourceRange;
  startTimeoutMs: number;
  callTimeoutMs: number;
}

/** A process, spoken to over stdio. */
export interface ServerCommand {
  kind: 'stdio';
  command: string;
  args: readonly string[];
  /** Added to the few variables that every server inherits (see `serverEnvironment`); null takes one of those away. */
  env: Readonly<Record<string, string | null>>;
  cwd: string;
}

/** A server that runs already. Header values are secrets, and the URL may hold some. */
export interface ServerAddress {
  /** Streamable HTTP, or the older transport of one event stream. */
  kind: 'http' | 'sse';
  url: string;
  headers: Readonly<Record<string, string>>;
}

export interface Tool {
  server: string;
  name: string;
  description: string;
  inputSchema: Json;
  outputSchema: Json | undefined;
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint?: boolean };
  /** Of everything above, 16 hex digits. */
  hash: string;
}

/** Something a server does against the protocol that did not stop it from being used. */
export interface Violation {
  /** `junk`, `unknownId`, `badTool`, … */
  kind: string;
  /** The first one seen. */
  text: string;
  count: number;
}

/** Something to tell the user once; never a reason to stop. */
export interface ServerNotice {
  /** Null where it concerns none of them. */
  server: string | null;
  text: string;
}

/** What came of a call; the rest of a `Call` is known before. */
export interface CallOutcome
  extends Pick<
    Call,
    'argumentsValid' | 'argumentsProblems' | 'argumentsUnchecked' | 'resultValid' | 'resultProblems' | 'resultUnchecked'
  > {
  result?: CallResult;
  error?: CallError;
}

/** Exactly one of the two. */
export type Answer<T> = { value: T; error?: undefined } | { error: CallError; value?: undefined };

export interface Resource {
  uri: string;
  name: string;
  description: string;
  mimeType: string | null;
}

export interface Prompt {
  name: string;
  description: string;
  arguments: readonly { name: string; required: boolean }[];
}

export interface PromptText {
  description: string;
  /** As the server gave them. */
  messages: readonly Json[];
}

/** One trial's view of one server. */
export interface Connection {
  readonly server: string;
  /** The list as it is now: read again after `tools/list_changed`, before the call that caused it returns. */
  readonly tools: readonly Tool[];
  /** True once `tools/list_changed` arrived in this session. */
  readonly toolListChanged: boolean;
  /** Of the process now in use, by kind. */
  readonly violations: readonly Violation[];
  /**
   * Never throws for what a server does wrong: that is in the outcome. A server that died is started again for the next
   * call, once per lease. So is a session that the server forgot (HTTP 404): the call is made again in the new one where
   * it is the lease's first, for then nothing was lost; else it is `crashed`.
   *
   * @throws ServerDiedError when it died a second time in this lease
   * @throws ServerStartError when it does not start again
   */
  call(tool: string, args: Json, signal: AbortSignal): Promise<CallOutcome>;
  /** The contents of a resource, as the server gave them. Fails as `call` does; likewise the others. */
  read(uri: string, signal: AbortSignal): Promise<Answer<Json[]>>;
  /** Of a server that offers none, an empty list. */
  listResources(signal: AbortSignal): Promise<Answer<Resource[]>>;
  listPrompts(signal: AbortSignal): Promise<Answer<Prompt[]>>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Answer<PromptText>>;
}

/** The servers of one trial, in the suite's order. */
export interface Lease {
  readonly connections: readonly Connection[];
  release(): Promise<void>;
}

/** All servers of a run. Shared servers are started once, when first leased. */
export interface ServerPool {
  /**
   * @throws ServerStartError when a server does not start, shake hands or list its tools
   * @throws the signal's reason, at once, when it aborts
   */
  lease(signal: AbortSignal): Promise<Lease>;
  /** What was learnt of each server that was started. */
  facts(): ServerFacts[];
  /** Ends every process; within 3 s at worst. Safe to call twice. */
  close(): Promise<void>;
}

/** Where resolved secrets are told, so that the place of writing can redact them. */
export interface SecretSink {
  add(value: string): void;
}
