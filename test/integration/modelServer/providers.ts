import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { dynamicTool, generateText, isStepCount, jsonSchema, type LanguageModelUsage, streamText } from 'ai';
import type { ModelServer } from '../../modelServer/index.ts';

/** For `expect.poll`: what is waited for comes at once, but the machine may be busy. */
export const PATIENTLY = { interval: 1, timeout: 10_000 };

export const API_KEY = 'key-of-the-test';

type MakeModel = (server: ModelServer, model: string, apiKey: string) => LanguageModelV4;

/** Every wire format as its real provider package speaks it. */
const MODELS = {
  chat: ({ baseUrls }, model, apiKey) => createOpenAI({ baseURL: baseUrls.openai, apiKey }).chat(model),
  compatible: ({ baseUrls }, model, apiKey) => createOpenAI({ baseURL: baseUrls.compatible, apiKey }).chat(model),
  responses: ({ baseUrls }, model, apiKey) => createOpenAI({ baseURL: baseUrls.openai, apiKey }).responses(model),
  messages: ({ baseUrls }, model, apiKey) => createAnthropic({ baseURL: baseUrls.anthropic, apiKey })(model),
  google: ({ baseUrls }, model, apiKey) => createGoogle({ baseURL: baseUrls.google, apiKey })(model),
} satisfies Record<string, MakeModel>;

export type Provider = keyof typeof MODELS;

/** All wire formats, each under its own base path. */
export const FORMATS = ['chat', 'responses', 'messages', 'google'] as const satisfies readonly Provider[];
export const WAYS = FORMATS.flatMap((provider) => [
  { provider, isStreamed: false, way: `${provider}, whole` },
  { provider, isStreamed: true, way: `${provider}, streamed` },
]);

export interface Told {
  text: string;
  steps: {
    text: string;
    reasoning: string;
    calls: { id: string; tool: string; input: unknown; isInvalid: boolean }[];
    finish: string;
    rawFinish: string | undefined;
    usage: LanguageModelUsage;
  }[];
  /** What the tools were really called with. */
  made: { tool: string; input: unknown }[];
  /** The first thing that was thrown or reported. */
  error: unknown;
}

/** Lets a real provider package run a tool loop: `add {a, b}` gives `{sum}`, `shout {text}` gives the text in capitals. */
export async function ask(
  server: ModelServer,
  {
    provider,
    prompt,
    isStreamed = false,
    model = 'model-1',
    apiKey = API_KEY,
    system = 'Use the tools.',
    signal,
  }: {
    provider: Provider;
    prompt: string;
    isStreamed?: boolean;
    model?: string;
    apiKey?: string;
    system?: string;
    signal?: AbortSignal;
  },
): Promise<Told> {
  const made: Told['made'] = [];
  const told: Told = { text: '', steps: [], made, error: undefined };
  const options = {
    model: MODELS[provider](server, model, apiKey),
    instructions: system,
    prompt,
    tools: toolsInto(made),
    stopWhen: isStepCount(6),
    maxRetries: 0,
    // Given, so that no provider warns of having to guess it.
    maxOutputTokens: 1000,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  };
  try {
    if (isStreamed) {
      const stream = streamText({
        ...options,
        onError: ({ error }) => {
          told.error ??= error;
        },
      });
      await stream.consumeStream({ onError: (error) => (told.error ??= error) });
      told.steps = (await stream.steps).map(stepOf);
      told.text = await stream.text;
    } else {
      const result = await generateText(options);
      told.steps = result.steps.map(stepOf);
      told.text = result.text;
    }
  } catch (error) {
    told.error ??= error;
  }
  return told;
}

function toolsInto(made: Told['made']) {
  const object = (keys: readonly string[]) =>
    jsonSchema({ type: 'object', properties: Object.fromEntries(keys.map((key) => [key, {}])) });
  return {
    add: dynamicTool({
      description: 'Adds.',
      inputSchema: object(['a', 'b']),
      execute: (input) => {
        made.push({ tool: 'add', input });
        const { a, b } = input as { a: number; b: number };
        return Promise.resolve({ sum: a + b });
      },
    }),
    shout: dynamicTool({
      description: 'Shouts.',
      inputSchema: object(['text']),
      execute: (input) => {
        made.push({ tool: 'shout', input });
        return Promise.resolve(String((input as { text: unknown }).text).toUpperCase());
      },
    }),
  };
}

type Step = Awaited<ReturnType<typeof generateText<ReturnType<typeof toolsInto>>>>['steps'][number];

function stepOf(step: Step): Told['steps'][number] {
  return {
    text: step.text,
    reasoning: step.reasoningText ?? '',
    calls: step.toolCalls.map((call) => ({
      id: call.toolCallId,
      tool: call.toolName,
      input: call.input,
      isInvalid: call.invalid === true,
    })),
    finish: step.finishReason,
    rawFinish: step.rawFinishReason,
    usage: step.usage,
  };
}
