import type { ModelInput } from '../keys/models.ts';
import type { ModelEntry } from '../model.ts';
import { modelId, modelNamed } from '../modelId.ts';
import { defined } from './defined.ts';

export function modelEntry(input: ModelInput, at: string): ModelEntry {
  if (typeof input === 'string') return modelNamed(input, at);
  const { price, ...rest } = input;
  return { at, ...defined(rest), id: modelId(input), ...(price !== undefined && { price: defined(price) }) };
}
