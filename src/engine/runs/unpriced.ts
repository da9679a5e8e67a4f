import { McproveError } from '../errors.ts';
import type { ModelFactory } from '../models/index.ts';
import type { Suite } from '../suite/model.ts';
import type { RunCode } from './codes.ts';
import type { Plan } from './planned.ts';

/**
 * Money cannot be kept for what has no known price.
 *
 * @throws McproveError PLAN009 for the first model of the plan whose price is not known
 */
export async function refuseUnpriced(suite: Suite, plan: Plan, models: readonly ModelFactory[]): Promise<void> {
  const asked = new Set(plan.cells.map(({ cell }) => cell.model));
  for (const model of models) {
    if (!asked.has(model.id)) continue;
    const { usd, reason } = await model.cost({ inputTokens: 1, outputTokens: 1, cachedTokens: null });
    if (usd !== null) continue;
    const at = (suite.models ?? []).findIndex(({ id }) => id === model.id);
    // Some reasons go on with what to do, which the hint says here.
    const [why] = (reason ?? '').split('; ');
    const message = `--max-cost needs the price of model "${model.id}", which is not known: ${why}`;
    throw new McproveError('PLAN009' satisfies RunCode, message, {
      hint: 'Give the model a `price:` in the suite, or run it without --max-cost.',
      ...(at === -1 ? {} : { range: suite.locate(`/models/${at}`) }),
    });
  }
}
