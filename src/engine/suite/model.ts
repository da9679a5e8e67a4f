/**
 * A suite as read: checked, defaults laid under each case, shorthand written out. Plain data but for `locate`.
 * `at` is always a JSON pointer into the file, so that every check and every problem finds its line.
 */
import type { SourceRange } from '../errors.ts';
import type { Json, Role } from '../record.ts';

export interface Suite {
  /** Absolute path. */
  file: string;
  /** The folder that `.mcprove` belongs to and that no path may leave; see `findWorkspace`. */
  workspace: string;
  /** sha256 of the text, hex. */
  hash: string;
  name: string;
  description: string | null;
  tags: readonly string[];
  metadata: Json;
  /** Null: every server of the nearest configuration file. */
  servers: readonly ServerEntry[] | null;
  /** Null: nothing said. */
  models: readonly ModelEntry[] | null;
  pass: PassCriterion;
  cases: readonly Case[];
  /** The file as plain JSON, for the run file. */
  snapshot: Json;
  /** The place of a value, or of its key with `key: true`; the nearest parent's where the pointer leads nowhere. */
  locate(pointer: string, options?: { key?: boolean }): SourceRange;
}

/** A server named in the suite. What stands here lies over the configuration file's entry of the same name. */
export interface ServerEntry extends ServerKeys {
  name: string;
  /** What is otherwise on one system. */
  os?: { readonly [system in 'windows' | 'macos' | 'linux']?: ServerKeys };
}

/** As written: `${env:NAME}` and `${input:id}` may stand in every text. */
export interface ServerKeys {
  at: string;
  type?: 'stdio' | 'http' | 'sse';
  command?: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  envFile?: string;
  cwd?: string;
  url?: string;
  headers?: Readonly<Record<string, string>>;
  /** `shared`: one process or session for all trials; `trial`: a fresh one for each. */
  isolation?: 'shared' | 'trial';
  startTimeoutMs?: number;
  callTimeoutMs?: number;
}

/** A model named in the suite, or for one run. */
export interface ModelEntry extends Partial<ModelSettings> {
  at: string;
  /** What it is called everywhere, cells included: `provider/model` where the suite gives no other id. */
  id: string;
  provider: string;
  /** Its name at the provider; empty for `scripted`. */
  model: string;
  /** As written: `${env:NAME}` may stand in it, and in `apiKey`. */
  baseUrl?: string;
  apiKey?: string;
  /** USD per million tokens. */
  price?: { input: number; output: number; cachedInput?: number };
}

/** How a model is asked; null where the provider decides. What a case says lies over what its model says. */
export interface ModelSettings {
  temperature: number | null;
  maxOutputTokens: number | null;
  toolChoice: ToolChoice | null;
  seed: number | null;
}

/** `required` and a tool hold for the first reply: a model that must call for ever could never answer. */
export type ToolChoice = 'auto' | 'required' | 'none' | { tool: string };

/** Bars are shares in [0, 1], compared as exact quotients, inclusive. */
export type PassCriterion =
  | { kind: 'cells'; bar: number; minCompletion: number; maxEvaluatorErrors: number; minGradeable: number | null }
  | { kind: 'trials'; bar: number };

export interface Case extends ModelSettings {
  at: string;
  id: string;
  name: string;
  description: string | null;
  /** The suite's and its own. */
  tags: readonly string[];
  metadata: Json;
  /** A reason, or null when it is to run. */
  skip: string | null;
  only: boolean;
  /** `os`: linux, macos, windows; empty for all. */
  requires: { env: readonly string[]; os: readonly string[] };
  subject: Subject;
  vars: Readonly<Record<string, Json>>;
  route: Route | null;
  match: MatchOptions;
  assertions: readonly Assertion[];
  tools: ToolPolicy;
  execute: boolean | 'untilExpected';
  system: string | null;
  trials: number;
  /** This case's own bar in [0, 1], or null for the suite's. */
  pass: number | null;
  timeoutMs: number;
  maxTurns: number;
  script: readonly ScriptReply[] | null;
}

export type Subject =
  | { kind: 'prompt'; at: string; prompt: string }
  | { kind: 'tool'; at: string; tool: string; arguments: Record<string, Json>; expect: Expect | null }
  /** Absolute path, inside the workspace. */
  | { kind: 'trace'; at: string; path: string };

/** Each part is a matcher value. */
export interface Expect {
  at: string;
  text?: Json;
  json?: Json;
  isError?: boolean;
}

export interface Route {
  at: string;
  /** Empty: `calls: none`, no tool may be called. */
  expected: readonly RouteEntry[];
}

export type RouteEntry = ExpectedCall | { at: string; anyOf: readonly (readonly ExpectedCall[])[] };

export interface ExpectedCall {
  at: string;
  /** A name or glob, perhaps `server::name`. */
  tool: string;
  /** Matcher value; undefined compares nothing. */
  arguments?: Json;
  count: { min: number; max: number } | null;
  result?: Expect;
}

export interface MatchOptions {
  arguments: 'partial' | 'exact' | 'ignore';
  order: 'any' | 'inOrder' | 'exact';
  /** How many calls may be left over. */
  extras: 'allow' | 'forbid' | number;
  ignoreTools: readonly string[];
}

export interface ToolPolicy {
  /** Globs; null allows all. */
  allow: readonly string[] | null;
  deny: readonly string[];
  /** Only tools annotated with readOnlyHint. */
  readOnly: boolean;
}

export interface Bound {
  min: number | null;
  max: number | null;
}

/** One tool name, or names of which one is enough. */
export interface ToolCondition {
  /** All of these, each a list of alternatives: `[[a], [b, c]]` means a and (b or c). */
  tools: readonly (readonly string[])[];
  arguments?: Json;
  count: { min: number; max: number } | null;
  result?: Expect;
}

/** All of these, each a list of alternatives. */
export type Words = readonly (readonly string[])[];

export type AssertionBody =
  | { kind: 'toolCalled' | 'toolNotCalled'; value: ToolCondition }
  | { kind: 'onlyTools'; value: readonly string[] }
  | { kind: 'firstTool' | 'lastTool'; value: string }
  | { kind: 'toolOrder'; value: readonly string[] }
  | { kind: 'noToolErrors'; value: null }
  | { kind: 'argumentsValid'; value: null }
  | { kind: 'resultsValid'; value: { last: boolean } }
  | { kind: 'result'; value: { tool: string | null; expect: Expect } }
  | { kind: 'resultContains' | 'responseContains' | 'responseMatches'; value: Words }
  | { kind: 'response' | 'responseJson'; value: Json }
  | { kind: 'responseNotEmpty'; value: null }
  | { kind: 'limits'; value: Limits };

export interface Limits {
  toolCalls?: Bound;
  turns?: Bound;
  tokens?: Bound;
  costUsd?: Bound;
  durationMs?: Bound;
  /** Slowest call by tool name or glob. */
  toolDurationMs?: Readonly<Record<string, Bound>>;
}

export type Assertion = AssertionBody & {
  at: string;
  /** What is shown; the assertion itself in words where the suite gives no `name`. */
  label: string;
  role: Role;
  /** True where it came from `defaults`: then what cannot apply is not applicable. */
  inherited: boolean;
};

export type AssertionKind = AssertionBody['kind'];

/** One reply of the model `scripted`. */
export interface ScriptReply {
  at: string;
  say: string | null;
  calls: readonly { tool: string; arguments: Record<string, Json> }[];
  /** A provider error with this text. */
  fails: string | null;
}
