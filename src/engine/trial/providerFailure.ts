import { APICallError } from '@ai-sdk/provider';
import { McproveError } from '../errors.ts';
import { explainFailure } from '../models/explainFailure.ts';
import type { ModelFactory } from '../models/index.ts';
import type { TrialEnd } from '../record.ts';
import { errorText } from './errorText.ts';

/**
 * How a trial ends whose model threw. A conversation that no longer fits into the model is the agent's limit; a model that
 * cannot play what the suite wrote is a mistake of the suite; all else is the provider's.
 *
 * @param tries how often it was asked
 */
export function providerFailure(error: unknown, model: ModelFactory, tries = 1): TrialEnd {
  const whole = explainFailure(error, model) ?? errorText(error);
  // Some gateways answer with a whole page.
  const text = whole.length > LONGEST_TEXT ? `${whole.slice(0, LONGEST_TEXT)}…` : whole;
  if (isContextFull(error)) return { kind: 'limit', limit: 'context', text };
  const cause = error instanceof McproveError ? 'config' : 'provider';
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  return {
    kind: 'errored',
    reason: {
      stage: 'model',
      cause,
      text: tries > 1 ? `${text} (in the last of ${tries} tries)` : text,
      ...(status === undefined ? {} : { status }),
    },
  };
}

const LONGEST_TEXT = 2000;

/** How providers say that a prompt is longer than the model's context. There is no common code for it. */
const CONTEXT_FULL = [
  /context[_ ]length[_ ]exceeded/i,
  /maximum context length/i,
  /exceeds? the (?:context window|maximum number of tokens)/i,
  /exceed context limit/i,
  /exceeds? the available context size/i,
  /(?:prompt|input) is too long/i,
];

function isContextFull(error: unknown): boolean {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 413)) return false;
  const said = `${error.message}\n${error.responseBody ?? ''}`;
  return CONTEXT_FULL.some((pattern) => pattern.test(said));
}
