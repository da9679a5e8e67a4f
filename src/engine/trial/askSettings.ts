import type { LanguageModelV4, LanguageModelV4ToolChoice } from '@ai-sdk/provider';
import { McproveError } from '../errors.ts';
import { withCalls } from '../models/withCalls.ts';
import type { Json } from '../record.ts';
import type { ModelSettings, ToolChoice } from '../suite/model.ts';
import type { TrialCode } from './codes.ts';
import type { ToolOffer } from './toolOffer.ts';

/** How a trial asks its model: what the case says, else what the model's own entry says. */
export function settingsFor(testCase: ModelSettings, model: ModelSettings): ModelSettings {
  return {
    temperature: testCase.temperature ?? model.temperature,
    maxOutputTokens: testCase.maxOutputTokens ?? model.maxOutputTokens,
    toolChoice: testCase.toolChoice ?? model.toolChoice,
    seed: testCase.seed ?? model.seed,
  };
}

/** Those that were said, for the record. */
export function saidSettings(settings: ModelSettings): { settings?: Json } {
  const said = Object.entries(settings).filter(([, value]) => value !== null);
  return said.length === 0 ? {} : { settings: Object.fromEntries(said) };
}

/**
 * The same model, told which tools it may or must call. A choice that forces a call holds for the first reply to a prompt
 * alone, or the model could never answer. (The AI SDK has a setting for it, but throws where a model does not obey.)
 *
 * @throws McproveError TRIAL002 when the tool that must be called is not offered, TRIAL001 when several servers offer it
 */
export function withToolChoice(model: LanguageModelV4, choice: ToolChoice | null, tools: ToolOffer): LanguageModelV4 {
  if (choice === null || choice === 'auto') return model;
  const first = choiceOf(choice, tools);
  const later: LanguageModelV4ToolChoice = choice === 'none' ? first : { type: 'auto' };
  return withCalls(model, (call) => {
    if (call.tools === undefined || call.tools.length === 0) return call;
    return { ...call, toolChoice: call.prompt.at(-1)?.role === 'user' ? first : later };
  });
}

function choiceOf(choice: ToolChoice, tools: ToolOffer): LanguageModelV4ToolChoice {
  if (typeof choice === 'string') return { type: choice };
  const toolName = tools.nameOf(choice.tool);
  if (tools.byAlias(toolName) !== undefined) return { type: 'tool', toolName };
  throw new McproveError('TRIAL002' satisfies TrialCode, `the toolChoice "${choice.tool}" is no tool that is offered`, {
    hint: tools.noSuchTool(choice.tool),
  });
}
