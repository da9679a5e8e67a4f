import type { Json } from '../../src/engine/record.ts';

/** One reply of the model as a plan says it: reasoning first, then the text, then the calls. */
export interface Reply {
  think?: string;
  say?: string;
  calls?: readonly PlannedCall[];
  /** Fault words, as in `readFault`, that befall every request this reply answers (with `times=N`: the first N). */
  faults?: string;
}

/** A call of a tool under the name by which the request offers it. */
export interface PlannedCall {
  tool: string;
  /** Texts in it may hold `<<calls[n].text>>` and `<<calls[n].json.path>>`. Left out: `{}`. */
  arguments?: { [key: string]: Json };
  /** The arguments as the model writes them, broken or not, instead of `arguments`. */
  rawArguments?: string;
}

/** What a model says in one conversation, reply by reply. After the last one it says "Done.". */
export interface Plan {
  replies: readonly Reply[];
  /** The last reply is given again and again. */
  loops: boolean;
}

const AFTER_THE_PLAN: Reply = { say: 'Done.' };

/** The reply that is due when the model has already answered `given` times. */
export function dueReply(plan: Plan, given: number): Reply {
  return plan.replies[given] ?? (plan.loops ? plan.replies.at(-1) : undefined) ?? AFTER_THE_PLAN;
}
