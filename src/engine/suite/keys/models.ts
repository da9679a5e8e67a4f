/** The models that a suite names. */
import { z } from 'zod';
import { isMap } from '../check.ts';
import { checkDistinct } from '../distinct.ts';
import { modelId } from '../modelId.ts';
import { reads } from '../readings.ts';
import { key, Text } from './scalars.ts';
import { settings } from './settings.ts';

const ModelId = reads(z.string().regex(/^(?:scripted|[^\s/]+\/\S+)$/), {
  expects: 'scripted, or "provider/model"',
});

const Name = reads(z.string().regex(/^\S+$/), { expects: 'text without white space' });

const Usd = reads(z.number().min(0), { expects: 'US dollars per million tokens', isBounded: true });

const Price = z.strictObject({
  input: Usd.meta({ description: 'US dollars per million tokens in.', examples: [0.15] }),
  output: Usd.meta({ description: 'US dollars per million tokens out.', examples: [0.6] }),
  cachedInput: key(Usd, 'US dollars per million tokens read from the cache. Default: as input.', 0.02),
});

const BaseUrl = reads(z.string().regex(/^(?:https?:\/\/|\$\{env:)\S+$/), {
  expects: 'an address that begins with http:// or https://',
});

const Model = reads(
  z.strictObject({
    id: key(Name, 'What it is called in runs and with --model. Default: provider/model.', 'local'),
    provider: Name.meta({ description: 'Who answers.', examples: ['openai', 'openai-compatible'] }),
    model: Name.meta({ description: "The model's name at its provider.", examples: ['gpt-5.4-mini', 'qwen3:8b'] }),
    baseUrl: key(BaseUrl, 'Where its API is. Default: where its provider is.', 'http://localhost:8000/v1'),
    apiKey: key(
      Text,
      "Its key. With a baseUrl no other key is sent; else default: the provider's variable.",
      `\${env:LOCAL_KEY}`,
    ),
    ...settings,
    price: key(Price, 'What its tokens cost. Default: as the price list says.', { input: 0.15, output: 0.6 }),
  }),
  {
    title: () => 'a model',
    check: (value, pointer, report) => {
      const { id, provider } = value as { id?: string; provider: string };
      if (id !== 'scripted' || provider === 'scripted') return true;
      return report.add('SUITE003', `${pointer}/id`, '"scripted" is the model that plays scripts; take another id');
    },
  },
);

export const Models = reads(
  z.array(reads(z.union([ModelId, Model]), { choose: (value) => (isMap(value) ? Model : ModelId) })).min(1),
  {
    expects: 'a list of models',
    remedy: (value) => (typeof value === 'string' ? { hint: `Write a list: [${value}].` } : undefined),
    check: (value, pointer, report) => checkDistinct((value as ModelsInput).map(modelId), pointer, 'model', report),
  },
);

export type ModelInput = z.infer<typeof ModelId> | z.infer<typeof Model>;
export type ModelsInput = readonly ModelInput[];
