import { type Answer, makeAnswer } from './answer.ts';
import { type Conversation, repliesIn, resultsIn, sinceLastUser } from './conversation.ts';
import { type Fault, NO_FAULT, readFault, type Spoil } from './fault.ts';
import { planTextIn, readPlan } from './planText.ts';
import { dueReply, type Plan, type Reply } from './reply.ts';

/** A plan that code gave for a model: it is counted from the beginning of the conversation. */
export type ModelPlan = Plan | ((conversation: Conversation) => Reply);

/** The reply that is due in a conversation, and what it may be filled with. */
export interface Due {
  reply: Reply;
  results: ReturnType<typeof resultsIn>;
}

const NO_PLAN: Reply = { say: 'There is no plan in the prompt.' };

/**
 * Finds out which reply is due: from the plan of the model, else from the plan in the last message of the user.
 *
 * @throws PlanError for a plan that cannot be read
 */
export function findDue(conversation: Conversation, modelPlan: ModelPlan | undefined): Due {
  const { turns } = conversation;
  const allResults = resultsIn(turns);
  if (typeof modelPlan === 'function') return { reply: modelPlan(conversation), results: allResults };
  if (modelPlan !== undefined) return { reply: dueReply(modelPlan, repliesIn(turns)), results: allResults };
  const { text, after } = sinceLastUser(turns);
  const planText = planTextIn(text);
  const reply = planText === undefined ? NO_PLAN : dueReply(readPlan(planText), repliesIn(after));
  return { reply, results: resultsIn(after) };
}

/** How often each reply of each conversation was asked for, so that a fault can end after so many tries. */
export class Attempts {
  readonly #counts = new Map<string, number>();

  /** The fault that befalls this request of a reply: the reply's own, while its `times` last. */
  faultOf(reply: Reply, conversation: Conversation): Fault {
    if (reply.faults === undefined) return NO_FAULT;
    const fault = readFault(reply.faults);
    if (fault.times === undefined) return fault;
    const key = JSON.stringify([conversation.model, conversation.turns]);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count > fault.times ? NO_FAULT : fault;
  }

  clear(): void {
    this.#counts.clear();
  }
}

/** @throws PlanError where the reply asks for results that are not there */
export function answerDue(due: Due, conversation: Conversation, spoils: readonly Spoil[]): Answer {
  return makeAnswer(due.reply, { conversation, results: due.results, spoils });
}
