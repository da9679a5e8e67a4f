/**
 * The words of a run. One line of a run file is one record: a `RunHead`, then `Trial`s, then a `RunEnd`.
 * Shapes only; whatever computes them lives in the rooms.
 */
import { z } from 'zod';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Lines are read with JSON.parse, so whatever stands here is JSON already. */
const json = z.custom<Json>();

/** The unit of every bar: one case × row × variant × model. `model` is null where no model takes part. */
export const Cell = z.object({
  case: z.string(),
  row: z.string().nullable(),
  variant: z.string().nullable(),
  model: z.string().nullable(),
});
export type Cell = z.infer<typeof Cell>;

export const Verdict = z.enum(['passed', 'failed', 'errored', 'cancelled', 'skipped']);
export type Verdict = z.infer<typeof Verdict>;

/** Token counts; null where the provider reported nothing. */
export const Usage = z.object({
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  reasoningTokens: z.number().nullable(),
  /** Of the tokens in, those that were written to the provider's cache; absent where there were none. */
  cacheWriteTokens: z.number().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const CallErrorKind = z.enum([
  'content',
  'protocol',
  'timeout',
  'unknownTool',
  'invalidArguments',
  'crashed',
  'cancelled',
]);
export type CallErrorKind = z.infer<typeof CallErrorKind>;

export const CallResult = z.object({
  content: z.array(json),
  structured: json.optional(),
  isError: z.boolean(),
  /** Size in bytes of the result as JSON, before any cut. */
  bytes: z.number(),
  /** True where content was dropped to keep the file small; what is missing cannot prove absence. */
  cut: z.boolean(),
  /** Of the result as it would have been written; set by the writer of the run file when it cuts one. */
  sha256: z.string().optional(),
});
export type CallResult = z.infer<typeof CallResult>;

export const CallError = z.object({ kind: CallErrorKind, text: z.string() });
export type CallError = z.infer<typeof CallError>;

export const Call = z.object({
  id: z.string(),
  by: z.enum(['model', 'runner']),
  /** Null where no server offered the tool. */
  server: z.string().nullable(),
  tool: z.string(),
  arguments: json,
  mocked: z.boolean(),
  /** Absent where the tool did not run or gave no answer. */
  result: CallResult.optional(),
  /** Set with a result too when that result says isError (kind `content`). */
  error: CallError.optional(),
  /** Against the tool's input schema; null where there is none, or it could not be checked. */
  argumentsValid: z.boolean().nullable(),
  /** Where they are not valid: JSON pointer and the schema's complaint, the first three. */
  argumentsProblems: z.array(z.string()).optional(),
  /** Why they could not be checked against the schema that the tool declares. */
  argumentsUnchecked: z.string().optional(),
  /** Against the tool's output schema; null where it declares none, no result came, or it could not be checked. */
  resultValid: z.boolean().nullable(),
  /** The same for the result. */
  resultProblems: z.array(z.string()).optional(),
  resultUnchecked: z.string().optional(),
  /** Milliseconds after the trial's start. */
  startMs: z.number(),
  durationMs: z.number(),
});
export type Call = z.infer<typeof Call>;

/** One model reply: a turn. */
export const Reply = z.object({
  text: z.string(),
  /** Ids of the calls it asked for, in order. */
  calls: z.array(z.string()),
  finish: z.string(),
  usage: Usage,
  startMs: z.number(),
  /** Of the try that brought it. */
  durationMs: z.number(),
  warnings: z.array(z.string()),
  /** Why the request was sent again before it was answered, and how long was waited each time. */
  retries: z.array(z.object({ text: z.string(), waitMs: z.number() })).optional(),
});
export type Reply = z.infer<typeof Reply>;

export const Step = z.object({
  kind: z.enum(['prompt', 'tool', 'trace']),
  phase: z.enum(['setup', 'steps', 'verify', 'teardown']),
  input: json,
  replies: z.array(Reply),
  calls: z.array(Call),
  durationMs: z.number(),
});
export type Step = z.infer<typeof Step>;

export const Limit = z.enum(['timeout', 'maxTurns', 'context', 'maxOutputTokens']);
export type Limit = z.infer<typeof Limit>;

export const Reason = z.object({
  /** What was being done: `connect`, `discover`, `config`, `model`, `call`, `trace`, `limit:<name>`, `evaluator`, `storage`, … */
  stage: z.string(),
  cause: z.enum(['server', 'provider', 'harness', 'config', 'storage', 'user', 'agent']),
  text: z.string(),
  /** The HTTP status with which a provider refused. */
  status: z.number().optional(),
});
export type Reason = z.infer<typeof Reason>;

/** How the acting ended; with the rest of the transcript all that grading needs. */
export const TrialEnd = z.discriminatedUnion('kind', [
  /** The model gave its final answer, the runner-made step ended, or the trace was read. */
  z.object({ kind: z.literal('completed') }),
  /** `execute: false` or `untilExpected` ended it; there is no final answer. */
  z.object({ kind: z.literal('stoppedEarly') }),
  z.object({ kind: z.literal('limit'), limit: Limit, text: z.string() }),
  z.object({ kind: z.literal('errored'), reason: Reason }),
  z.object({ kind: z.literal('cancelled'), reason: Reason }),
]);
export type TrialEnd = z.infer<typeof TrialEnd>;

export const OfferedTool = z.object({ server: z.string(), tool: z.string(), hash: z.string() });
export type OfferedTool = z.infer<typeof OfferedTool>;

export const Transcript = z.object({
  offered: z.array(OfferedTool),
  /** Tools of the servers that the case keeps from its model; absent where it keeps none. */
  withheld: z.array(OfferedTool.pick({ server: true, tool: true })).optional(),
  /** True once a server announced a changed tool list in this session. */
  toolListChanged: z.boolean(),
  steps: z.array(Step),
  end: TrialEnd,
});
export type Transcript = z.infer<typeof Transcript>;

/** One place where a value differs. `expected` and `actual` are absent where there is no value. */
export const Difference = z.object({
  /** JSON pointer into the compared value; '' is the whole. */
  path: z.string(),
  expected: json.optional(),
  actual: json.optional(),
  /** The matcher that refused: `equals`, `exact`, `$gte`, … */
  matcher: z.string(),
});
export type Difference = z.infer<typeof Difference>;

export const Discrepancy = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('missing'),
    /** JSON pointer of the expected call in the suite. */
    at: z.string(),
    tool: z.string(),
    expected: json,
    /** Set when no server ever offered such a tool. */
    neverOffered: z.boolean().optional(),
    nearest: z.string().optional(),
    /** A call that would fit but for its outcome: its id, and why it does not count. */
    refused: z
      .object({
        call: z.string(),
        text: z.string(),
        /** How the call failed, where it did. */
        kind: CallErrorKind.optional(),
        differences: z.array(Difference),
      })
      .optional(),
  }),
  z.object({
    kind: z.literal('extra'),
    call: z.string(),
    tool: z.string(),
    arguments: json,
    /** The tool exists on no server. */
    hallucinated: z.boolean().optional(),
    /** The name of a tool that may have been meant; without `hallucinated` where the tool may have existed for a while. */
    nearest: z.string().optional(),
    /** False where extras are allowed: shown, not held against the trial. */
    counts: z.boolean(),
  }),
  z.object({
    kind: z.literal('outOfOrder'),
    at: z.string(),
    call: z.string(),
    tool: z.string(),
    text: z.string(),
  }),
  z.object({
    kind: z.literal('argumentMismatch'),
    at: z.string(),
    call: z.string(),
    tool: z.string(),
    expected: json,
    actual: json,
    differences: z.array(Difference),
  }),
]);
export type Discrepancy = z.infer<typeof Discrepancy>;

export const Outcome = z.enum(['passed', 'failed', 'notMeasured', 'notApplicable', 'notReached']);
export type Outcome = z.infer<typeof Outcome>;

export const Role = z.enum(['required', 'advisory']);
export type Role = z.infer<typeof Role>;

export const Check = z.object({
  /** JSON pointer into the suite: `/cases/0/calls`, `/defaults/assert/1`, … */
  at: z.string(),
  /** The key that made it: `calls`, `toolCalled`, `limits`, `expect`, … */
  kind: z.string(),
  label: z.string(),
  role: Role,
  outcome: Outcome,
  expected: json.optional(),
  actual: json.optional(),
  reason: z.string(),
  diff: z.array(Discrepancy).optional(),
});
export type Check = z.infer<typeof Check>;

export const StageName = z.enum([
  'sessionConnected',
  'toolsDiscovered',
  'toolSelected',
  'toolCalled',
  'responseReturned',
  'requestSatisfied',
]);
export type StageName = z.infer<typeof StageName>;

export const Stage = z.object({
  stage: StageName,
  state: z.enum(['ok', 'broke', 'notReached', 'notMeasured']),
  evidence: z.string(),
});
export type Stage = z.infer<typeof Stage>;

export const Trial = z.object({
  kind: z.literal('trial'),
  id: z.string(),
  cell: Cell,
  /** From 1, within its cell. */
  number: z.number(),
  verdict: Verdict,
  /** Set for every verdict but passed. */
  reason: Reason.optional(),
  checks: z.array(Check),
  chain: z.array(Stage),
  transcript: Transcript,
  usage: Usage,
  /** As far as it is known; null where nothing of it is, and where no model replied. */
  costUsd: z.number().nullable(),
  /** Why some of the cost is not known; absent where all of it is. */
  unpriced: z.string().optional(),
  startedAt: z.string(),
  /** Without the time it waited for a provider or for a place. */
  durationMs: z.number(),
  /** How often it was carried out: 0 where it was not started because its model cannot be had. */
  attempts: z.number(),
});
export type Trial = z.infer<typeof Trial>;

/** What acting on one trial gives: all of a `Trial` but what grading adds. */
export type Attempt = Pick<Trial, 'transcript' | 'usage' | 'costUsd' | 'unpriced' | 'startedAt' | 'durationMs'>;

export const ServerFacts = z.object({
  name: z.string(),
  /** File (relative to the workspace where it lies inside) and JSON pointer of its definition. */
  origin: z.object({ file: z.string(), pointer: z.string() }),
  version: z.string().nullable(),
  protocol: z.string().nullable(),
  toolListHash: z.string().nullable(),
});
export type ServerFacts = z.infer<typeof ServerFacts>;

export const RunHead = z.object({
  kind: z.literal('run'),
  format: z.literal(1),
  id: z.string(),
  suite: z.object({ path: z.string(), name: z.string(), hash: z.string(), snapshot: json }),
  planned: z.object({ trials: z.number(), cells: z.number() }),
  skipped: z.array(z.object({ cell: z.string(), reason: z.string() })),
  models: z.array(z.string()),
  servers: z.array(ServerFacts.pick({ name: true, origin: true })),
  /** The price list of this version; null where no model takes part. */
  prices: z.object({ source: z.string(), version: z.string() }).nullable(),
  toolVersion: z.string(),
  git: z.object({ commit: z.string(), dirty: z.boolean() }).nullable(),
  ci: z.string().nullable(),
  origin: z.enum(['editor', 'cli', 'mcp', 'ci']),
  note: z.string().nullable(),
  startedAt: z.string(),
});
export type RunHead = z.infer<typeof RunHead>;

export const Decision = z.enum(['passed', 'failed', 'inconclusive', 'cancelled']);
export type Decision = z.infer<typeof Decision>;

/** Counts of trials. */
export const Totals = z.object({
  planned: z.number(),
  passed: z.number(),
  failed: z.number(),
  errored: z.number(),
  cancelled: z.number(),
  /** Planned, but never begun. */
  pending: z.number(),
  /** Those of `errored` whose stage is `evaluator`. */
  evaluatorErrors: z.number(),
});
export type Totals = z.infer<typeof Totals>;

export const CellFigures = z.object({
  cell: Cell,
  /** As written everywhere: `<case id>[row id] (variant, model)`. */
  name: z.string(),
  totals: Totals,
  /** The share of gradeable trials that must pass, in [0, 1]. */
  bar: z.number(),
  /** passed / gradeable; null over nothing. */
  passRate: z.number().nullable(),
  /** Wilson 95% interval of the pass rate; null over nothing. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** pass@k and pass^k for k = 1 … gradeable trials, unbiased; empty for a single trial. */
  passAtK: z.array(z.number()),
  passHatK: z.array(z.number()),
  /** Both passed and failed in this run. */
  flaky: z.boolean(),
  state: z.enum(['passed', 'failed', 'undecided']),
});
export type CellFigures = z.infer<typeof CellFigures>;

export const RunEnd = z.object({
  kind: z.literal('end'),
  decision: Decision,
  /** Why, one sentence each: bars missed, evidence rules missed, who stopped it. */
  reasons: z.array(z.string()),
  warnings: z.array(z.string()),
  totals: Totals,
  /** Share of passed trials over all gradeable ones; null over nothing. */
  passRate: z.number().nullable(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** Failed required checks by kind. */
  failedChecks: z.record(z.string(), z.number()),
  cells: z.array(CellFigures),
  /** What was learnt of each server that was started. */
  servers: z.array(ServerFacts),
  usage: Usage,
  /** What the run's own trials cost, as far as it is known. */
  costUsd: z.number().nullable(),
  /** Trials of which some of the cost is not known. */
  unpricedTrials: z.number(),
  /** Trial id, verdict, byte offset and byte length of its line. */
  trials: z.array(z.tuple([z.string(), Verdict, z.number(), z.number()])),
  endedAt: z.string(),
  durationMs: z.number(),
});
export type RunEnd = z.infer<typeof RunEnd>;

/** One trial of a plan, as announced before anything starts. */
export type PlannedTrial = { id: string; cell: Cell; cellName: string; number: number };

/** The only thing the faces listen to. Everything in it has been redacted. */
export type RunEvent =
  | { type: 'planned'; head: RunHead; trials: readonly PlannedTrial[]; file: string }
  | { type: 'trialStarted'; trial: PlannedTrial }
  | { type: 'reply'; trial: string; text: string; calls: number }
  | { type: 'callStarted'; trial: string; call: string; server: string | null; tool: string; arguments: Json }
  | { type: 'callEnded'; trial: string; call: string; error: CallError | null; durationMs: number }
  | { type: 'trialEnded'; trial: Trial; cellName: string }
  /** `waiting 12 s: openai answered 429`; null when the trial goes on. */
  | { type: 'waiting'; trial: string; text: string | null }
  | { type: 'notice'; level: 'info' | 'warning' | 'error'; text: string }
  | { type: 'ended'; end: RunEnd; head: RunHead; file: string };
