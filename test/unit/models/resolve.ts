import { type ModelFactory, resolveModel } from '../../../src/engine/models/index.ts';
import type { ModelEntry } from '../../../src/engine/suite/model.ts';
import { modelNamed } from '../../../src/engine/suite/modelId.ts';

export interface Resolved {
  model: ModelFactory;
  /** What the place of writing was told. */
  secrets: string[];
}

/** The model of an id or an entry, in an environment of its own. */
export function resolve(entry: string | Partial<ModelEntry>, env: NodeJS.ProcessEnv = {}): Resolved {
  const secrets: string[] = [];
  const whole: ModelEntry =
    typeof entry === 'string'
      ? modelNamed(entry)
      : { at: '/models/0', id: 'local', provider: 'openai', model: 'm', ...entry };
  return { model: resolveModel(whole, { env, secrets: { add: (value) => secrets.push(value) } }), secrets };
}
