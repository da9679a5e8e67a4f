import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import { McproveError } from '../errors.ts';
import type { ScriptReply } from '../suite/model.ts';
import { asStream } from './asStream.ts';
import { fillFromCalls, fillText } from './callPlaceholders.ts';
import type { ModelCode } from './codes.ts';
import type { ModelTrial } from './modelFactory.ts';

/**
 * Plays a case's script: one entry per reply, whatever the prompt says. The same script over the same calls gives the same
 * replies. After the last entry it answers with an empty text and asks for nothing.
 *
 * @throws McproveError MODEL002 when the case has no script; from a reply also for a placeholder that cannot be read
 */
export function scriptedModel(trial: ModelTrial): LanguageModelV4 {
  const { script } = trial;
  if (script === null) {
    throw new McproveError(
      'MODEL002' satisfies ModelCode,
      'the model "scripted" has nothing to say: the case has no script',
      {
        hint: 'Give the case a `script`, or run it on another model.',
      },
    );
  }
  let turn = 0;
  let asked = 0;

  function next(): LanguageModelV4GenerateResult {
    const entry = script?.[turn];
    turn += 1;
    if (entry === undefined) return answer([], []);
    if (entry.fails !== null) throw playedError(entry.fails);
    const missing: string[] = [];
    return answer(
      contentOf(entry, (placeholder) => missing.push(placeholder)),
      missing,
    );
  }

  function contentOf(entry: ScriptReply, onMissing: (placeholder: string) => void): LanguageModelV4Content[] {
    const content: LanguageModelV4Content[] = [];
    if (entry.say !== null) content.push({ type: 'text', text: fillText(entry.say, trial.calls(), onMissing) });
    for (const call of entry.calls) {
      asked += 1;
      content.push({
        type: 'tool-call',
        toolCallId: `call-${asked}`,
        toolName: trial.nameOf(call.tool),
        input: JSON.stringify(fillFromCalls(call.arguments, trial.calls(), onMissing)),
      });
    }
    return content;
  }

  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async () => next(),
    doStream: async () => ({ stream: asStream(next()) }),
  };
}

/** A script knows no tokens, so it reports none. */
const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function answer(content: LanguageModelV4Content[], missing: readonly string[]): LanguageModelV4GenerateResult {
  const callsTools = content.some((part) => part.type === 'tool-call');
  return {
    content,
    finishReason: { unified: callsTools ? 'tool-calls' : 'stop', raw: undefined },
    usage: NO_USAGE,
    warnings: missing.map((placeholder) => ({
      type: 'other',
      message: `script: nothing at ${placeholder}; played as empty`,
    })),
  };
}

function playedError(text: string): APICallError {
  return new APICallError({ message: text, url: 'scripted:', requestBodyValues: {}, isRetryable: false });
}
