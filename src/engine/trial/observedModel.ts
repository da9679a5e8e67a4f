import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import type { ModelFactory } from '../models/index.ts';
import { limited, type Retry } from '../models/limits/index.ts';
import { isObject } from '../servers/isObject.ts';
import type { Conversation } from './conversation.ts';
import { providerFailure } from './providerFailure.ts';
import { readReply } from './readReply.ts';
import type { TrialContext } from './trialContext.ts';

/**
 * A model as the AI SDK is given it: each reply is written down before the SDK sees it, and each prompt is made true before
 * the model sees it. So ids are unique, odd replies are tame, no warning reaches the SDK's global log, and the model is told
 * of a call exactly what the conversation says. A model that throws ends the trial. Where its provider has a gate, requests
 * pass it and are tried again.
 */
export function observeModel(
  model: LanguageModelV4,
  factory: ModelFactory,
  conversation: Conversation,
  context: TrialContext,
): LanguageModelV4 {
  const { clock, log, stopper, gates } = context;
  /** Of the reply that is being asked for. */
  let startMs = 0;
  let retries: Retry[] = [];
  const asked =
    gates.model === undefined
      ? model
      : limited(model, gates.model, {
          signal: stopper.signal,
          onWaiting: context.onWaiting,
          onTry: () => {
            startMs = clock.now();
          },
          onRetry: (retry) => retries.push(retry),
          random: gates.random,
        });

  async function ask(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    try {
      return await stopper.race(asked.doGenerate({ ...options, prompt: makeTrue(options.prompt) }));
    } catch (error) {
      stopper.stop(providerFailure(error, factory, retries.length + 1));
      throw error;
    }
  }

  function makeTrue(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
    return prompt.map((message) => {
      if (message.role === 'assistant') {
        const content = message.content.map((part) =>
          part.type === 'tool-call' ? { ...part, input: writtenArguments(part.toolCallId) } : part,
        );
        return { ...message, content };
      }
      if (message.role !== 'tool') return message;
      const content = message.content.map((part) =>
        part.type === 'tool-result' ? { ...part, output: conversation.told(part.toolCallId) ?? part.output } : part,
      );
      return { ...message, content };
    });
  }

  /** No provider takes anything but an object back, so arguments that are none stand as an empty one. */
  function writtenArguments(id: string): unknown {
    const value = log.get(id)?.arguments;
    return isObject(value) ? value : {};
  }

  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      startMs = clock.now();
      retries = [];
      const reply = readReply(await ask(options));
      const ids = conversation.take(reply, { startMs, retries });
      return {
        content: withIds(reply.content, ids),
        finishReason: { unified: ids.length > 0 ? 'tool-calls' : reply.finish, raw: undefined },
        usage: UNCOUNTED,
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error('the loop of a trial does not stream')),
  };
}

/** Usage is counted in the conversation. */
const UNCOUNTED: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** The content with each call under its new id, or without its calls where none goes on. */
function withIds(content: readonly LanguageModelV4Content[], ids: readonly string[]): LanguageModelV4Content[] {
  const left = [...ids];
  return content.flatMap((part): LanguageModelV4Content[] => {
    if (part.type !== 'tool-call') return [part];
    const id = left.shift();
    return id === undefined ? [] : [{ ...part, toolCallId: id, input: '{}' }];
  });
}
