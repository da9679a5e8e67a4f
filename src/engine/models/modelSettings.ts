import type { ModelSettings } from '../suite/model.ts';

/** What a model's entry says, null where it says nothing. */
export function settingsOf(entry: Partial<ModelSettings>): ModelSettings {
  const { temperature = null, maxOutputTokens = null, toolChoice = null, seed = null } = entry;
  return { temperature, maxOutputTokens, toolChoice, seed };
}
