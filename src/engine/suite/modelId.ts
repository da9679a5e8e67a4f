import type { ModelEntry, Suite } from './model.ts';

/** What a model is called: its id, or provider and model. */
export function modelId(model: string | { id?: string | undefined; provider: string; model: string }): string {
  return typeof model === 'string' ? model : (model.id ?? `${model.provider}/${model.model}`);
}

/**
 * The model that `provider/model` names. A word without a slash names a provider that needs no more, as `scripted`.
 *
 * @param at the place of the text in the suite; that of all models where it comes from elsewhere
 */
export function modelNamed(id: string, at = '/models'): ModelEntry {
  const slash = id.indexOf('/');
  return slash === -1
    ? { at, id, provider: id, model: '' }
    : { at, id, provider: id.slice(0, slash), model: id.slice(slash + 1) };
}

/** The model that a run means by an id: one of the suite's, else the one that the id itself names. */
export function modelOf({ models }: Pick<Suite, 'models'>, id: string): ModelEntry {
  return models?.find((model) => model.id === id) ?? modelNamed(id);
}
