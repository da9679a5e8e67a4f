import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** The same model, asked with what `change` makes of each request. */
export function withCalls(
  model: LanguageModelV4,
  change: (call: LanguageModelV4CallOptions) => LanguageModelV4CallOptions,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (call) => model.doGenerate(change(call)),
    doStream: (call) => model.doStream(change(call)),
  };
}
