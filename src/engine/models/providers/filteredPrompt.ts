import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider';

/**
 * The same model, for which a prompt that a content filter stops has an answer: an empty one that says so, as a filtered
 * reply is. Azure reports it as a bad request, which it is not: the next prompt may pass.
 */
export function answerFilteredPrompts(model: LanguageModelV4): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(call) {
      try {
        return await model.doGenerate(call);
      } catch (error) {
        if (!isFiltered(error)) throw error;
        return {
          content: [],
          finishReason: { unified: 'content-filter', raw: 'content_filter' },
          usage: {
            inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
            outputTokens: { total: undefined, text: undefined, reasoning: undefined },
          },
          warnings: [{ type: 'other', message: `the prompt was stopped by a content filter: ${error.message}` }],
        };
      }
    },
    doStream: (call) => model.doStream(call),
  };
}

function isFiltered(error: unknown): error is APICallError {
  if (!APICallError.isInstance(error) || error.statusCode !== 400) return false;
  return /"code"\s*:\s*"(?:content_filter|ResponsibleAIPolicyViolation)"/.test(error.responseBody ?? '');
}
