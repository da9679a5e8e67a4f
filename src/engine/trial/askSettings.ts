import { McproveError } from '../errors.ts';
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

/** As the AI SDK wants it. A choice that forces a call holds for the first request alone, or the model could never answer. */
export interface ToolChoices {
  first: 'auto' | 'none' | 'required' | { type: 'tool'; toolName: string };
  later: 'auto' | 'none';
}

/**
 * @returns null where nothing was said
 * @throws McproveError TRIAL002 when the tool that must be called is not offered, TRIAL001 when several servers offer it
 */
export function toolChoicesFor(choice: ToolChoice | null, tools: ToolOffer): ToolChoices | null {
  if (choice === null) return null;
  if (choice === 'auto' || choice === 'none') return { first: choice, later: choice };
  if (choice === 'required') return { first: choice, later: 'auto' };
  const toolName = tools.nameOf(choice.tool);
  if (tools.byAlias(toolName) === undefined) {
    throw new McproveError(
      'TRIAL002' satisfies TrialCode,
      `the toolChoice "${choice.tool}" is no tool that is offered`,
      {
        hint: tools.noSuchTool(choice.tool),
      },
    );
  }
  return { first: { type: 'tool', toolName }, later: 'auto' };
}
