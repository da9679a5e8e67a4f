import { McproveError } from '../errors.ts';
import type { SecretSink } from '../servers/connection.ts';
import type { ModelEntry } from '../suite/model.ts';
import { nearest } from '../suite/nearest.ts';
import type { ModelCode } from './codes.ts';
import type { ModelFactory } from './modelFactory.ts';
import { settingsOf } from './modelSettings.ts';
import { providerModel } from './providers/providerModel.ts';
import { PROVIDERS } from './providers/providers.ts';

const SCRIPTED = 'scripted';

export interface ModelOptions {
  /** Holds the providers' keys. */
  env: NodeJS.ProcessEnv;
  /** Is told every key that is used. */
  secrets: SecretSink;
}

/**
 * The model that a suite or an option names. Nothing is loaded, opened or asked before a trial needs it.
 *
 * @throws McproveError MODEL001 for a provider that is not known, MODEL003 for settings that do not fit it, MODEL004 for a
 *   key that is missing, SUITE013 for another variable that is not set
 */
export function resolveModel(entry: ModelEntry, options: ModelOptions): ModelFactory {
  if (entry.provider === SCRIPTED) return scripted(entry);
  const provider = PROVIDERS.get(entry.provider);
  if (provider === undefined) throw unknownProvider(entry);
  if (entry.model === '') {
    throw new McproveError('MODEL001' satisfies ModelCode, `"${entry.id}" names a provider, but no model`, {
      hint: `Write "${entry.provider}/" and the name of the model.`,
    });
  }
  return providerModel(entry, provider, options);
}

function scripted(entry: ModelEntry): ModelFactory {
  if (entry.model !== '') {
    const message = `the model "${SCRIPTED}" has no variants; found "${entry.id}"`;
    throw new McproveError('MODEL001' satisfies ModelCode, message, { hint: `Write "${SCRIPTED}".` });
  }
  return {
    id: entry.id,
    provider: SCRIPTED,
    model: '',
    settings: settingsOf(entry),
    endpoint: null,
    forTrial: async (trial) => (await import('./scripted.ts')).scriptedModel(trial),
    cost: async () => ({ usd: 0, reason: null }),
    close: async () => undefined,
  };
}

function unknownProvider({ id, provider }: ModelEntry): McproveError {
  const known = [...PROVIDERS.keys(), SCRIPTED];
  const close = nearest(provider, known);
  const named = provider === id ? `"${id}"` : `"${provider}" in "${id}"`;
  const hint = close === undefined ? 'Write "provider/model", with one of these.' : `Did you mean "${close}"?`;
  const message = `unknown model provider ${named}. Available: ${known.join(', ')}`;
  return new McproveError('MODEL001' satisfies ModelCode, message, { hint });
}
