import type { LanguageModelV4 } from '@ai-sdk/provider';
import { McproveError } from '../errors.ts';
import { nearest } from '../suite/nearest.ts';
import type { ModelCode } from './codes.ts';
import type { ModelFactory, ModelTrial } from './modelFactory.ts';

/** One row of the table: loads the provider's code, and only then. */
type Provider = () => Promise<(trial: ModelTrial) => LanguageModelV4>;

const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  ['scripted', async () => (await import('./scripted.ts')).scriptedModel],
]);

/**
 * The model that an id names.
 *
 * @param id `provider/model`, or `scripted`
 * @throws McproveError MODEL001 when no such model can be had
 */
export function resolveModel(id: string): ModelFactory {
  const slash = id.indexOf('/');
  const name = slash === -1 ? id : id.slice(0, slash);
  const load = PROVIDERS.get(name);
  if (load === undefined) throw unknownProvider(name, id);
  if (slash !== -1) {
    throw new McproveError('MODEL001' satisfies ModelCode, `the model "${name}" has no variants; found "${id}"`, {
      hint: `Write "${name}".`,
    });
  }
  return { id, forTrial: async (trial) => (await load())(trial) };
}

function unknownProvider(name: string, id: string): McproveError {
  const known = [...PROVIDERS.keys()];
  const close = nearest(name, known);
  const named = name === id ? `"${id}"` : `"${name}" in "${id}"`;
  return new McproveError(
    'MODEL001' satisfies ModelCode,
    `unknown model provider ${named}. Available: ${known.join(', ')}`,
    {
      hint: close === undefined ? `Use one of the available ones.` : `Did you mean "${close}"?`,
    },
  );
}
