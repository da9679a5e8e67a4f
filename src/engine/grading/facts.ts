import type { Call, Reply, Transcript } from '../record.ts';
import type { Route } from '../suite/model.ts';

/** What can be counted in a trial, asserted on or not. */
export interface TrialFacts {
  /** Calls made by the model, or read from a trace; those made by the runner are in no count. */
  calls: number;
  /** By tool name, `server::tool` where a server offered it. */
  callsByTool: Readonly<Record<string, number>>;
  /** Of the calls, those that ended in an error of any kind. */
  failedCalls: number;
  /** Whether none was called where none may be; null where the case does not say so. */
  noToolCallCorrect: boolean | null;
  /** Model replies. */
  turns: number;
  tokens: Tokens;
  /** Sum of the replies' durations. */
  modelMs: number;
  /** The time during which at least one call was running, the runner's too. */
  toolsMs: number;
}

/** Sums of what was reported. */
interface Tokens {
  input: number;
  output: number;
  cached: number;
  reasoning: number;
  /** input + output */
  total: number;
  /** False where a reply came without input or output counts: then the sums are lower bounds. */
  complete: boolean;
}

/** @param route the expected one, null for any */
export function trialFacts(transcript: Transcript, route: Route | null): TrialFacts {
  const replies = transcript.steps.flatMap((step) => step.replies);
  const all = transcript.steps.flatMap((step) => step.calls);
  const calls = all.filter((call) => call.by === 'model');
  return {
    calls: calls.length,
    callsByTool: countByTool(calls),
    failedCalls: calls.filter((call) => call.error !== undefined || call.result?.isError === true).length,
    noToolCallCorrect: route !== null && route.expected.length === 0 ? calls.length === 0 : null,
    turns: replies.length,
    tokens: sumTokens(replies),
    modelMs: replies.reduce((sum, reply) => sum + reply.durationMs, 0),
    toolsMs: coveredMs(all),
  };
}

function countByTool(calls: readonly Call[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const call of calls) {
    const name = call.server === null ? call.tool : `${call.server}::${call.tool}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sumTokens(replies: readonly Reply[]): Tokens {
  const sums = { input: 0, output: 0, cached: 0, reasoning: 0, complete: true };
  for (const { usage } of replies) {
    sums.input += usage.inputTokens ?? 0;
    sums.output += usage.outputTokens ?? 0;
    sums.cached += usage.cachedTokens ?? 0;
    sums.reasoning += usage.reasoningTokens ?? 0;
    if (usage.inputTokens === null || usage.outputTokens === null) sums.complete = false;
  }
  return { ...sums, total: sums.input + sums.output };
}

/** Calls run side by side: the length of the union of their times. */
function coveredMs(calls: readonly Call[]): number {
  const spans = calls.map(({ startMs, durationMs }) => [startMs, startMs + durationMs] as const);
  spans.sort(([a], [b]) => a - b);
  let covered = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const [start, end] of spans) {
    covered += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return covered;
}
