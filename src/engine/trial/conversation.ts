import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { Call, CallError, Reply } from '../record.ts';
import { compileSchema } from '../servers/compileSchema.ts';
import { validityOf } from '../servers/validity.ts';
import { readArguments } from './readArguments.ts';
import type { Finish, ReadReply } from './readReply.ts';
import type { AliasedTool, ToolOffer } from './toolOffer.ts';
import { tellResult } from './toolResult.ts';
import type { TrialContext } from './trialContext.ts';

/**
 * What was said and asked for in a trial so far. It alone knows what a model wrote, where each call goes and what the model
 * was told of it; the AI SDK, which drives the loop, only carries the ids.
 */
export interface Conversation {
  readonly replies: readonly Reply[];
  /** How the last reply ended, and whether it asked for calls. */
  last(): { finish: Finish; asks: boolean } | null;
  /**
   * Writes down a reply and the calls it asks for.
   *
   * @param asking when it was asked for, and what went wrong before
   *
   * @returns the ids under which its calls go on, in order; none when no call of it may run, which ends the conversation
   */
  take(reply: ReadReply, asking: Asking): string[];
  /** A call that is to be made, and the tool it goes to. */
  toMake(id: string): { call: Call; to: AliasedTool } | undefined;
  /** Works out what the model is told of a call that ended. */
  tell(call: Call): void;
  told(id: string): LanguageModelV4ToolResultOutput | undefined;
}

interface Asking {
  startMs: number;
  retries: NonNullable<Reply['retries']>;
}

export function startConversation(
  { trialId, clock, log, onEvent }: TrialContext,
  { tools, execute }: { tools: ToolOffer; execute: boolean },
): Conversation {
  const replies: Reply[] = [];
  const told = new Map<string, LanguageModelV4ToolResultOutput>();
  const toMake = new Map<string, { call: Call; to: AliasedTool; reply: Reply }>();
  let last: { finish: Finish; asks: boolean } | null = null;

  function refuse(call: Call, error: CallError, problems: string[] | null): void {
    const checked =
      problems === null ? { argumentsValid: null } : { argumentsValid: false, argumentsProblems: problems };
    log.finish(call, { error, ...checked, resultValid: null });
    told.set(call.id, { type: 'error-text', value: error.text });
  }

  return {
    replies,
    last: () => last,
    take(read, { startMs, retries }) {
      const reply: Reply = {
        text: read.text,
        calls: [],
        finish: read.finish,
        usage: read.usage,
        startMs,
        durationMs: clock.since(startMs),
        warnings: read.warnings,
        ...(retries.length === 0 ? {} : { retries: [...retries] }),
      };
      replies.push(reply);
      last = { finish: read.finish, asks: read.asked.length > 0 };
      onEvent({ type: 'reply', trial: trialId, text: read.text, calls: read.asked.length });

      const idle = whyIdle(read.finish) ?? (execute ? null : {});
      for (const part of read.asked) {
        const to = tools.byAlias(part.toolName);
        const { value, problem } = readArguments(part.input);
        const call = log.add({
          id: part.toolCallId,
          by: 'model',
          server: to?.tool.server ?? null,
          tool: to?.tool.name ?? part.toolName,
          arguments: value,
        });
        reply.calls.push(call.id);
        if (to === undefined) refuse(call, { kind: 'unknownTool', text: tools.noSuchTool(part.toolName) }, null);
        else if (problem !== null) refuse(call, { kind: 'invalidArguments', text: problem }, [problem]);
        else if (idle === null) toMake.set(call.id, { call, to, reply });
        else {
          const checked = validityOf('arguments', compileSchema(to.tool.inputSchema).validate(value));
          log.finish(call, { ...idle, ...checked, resultValid: null });
        }
      }
      return idle === null ? [...reply.calls] : [];
    },
    toMake: (id) => toMake.get(id),
    tell(call) {
      const { output, note } = tellResult(call);
      told.set(call.id, output);
      if (note !== null) toMake.get(call.id)?.reply.warnings.push(`result of ${call.tool} ${note}`);
    },
    told: (id) => told.get(id),
  };
}

/** Why the calls of a reply that ended like this may not run: it was cut off, so they may be half of what was meant. */
function whyIdle(finish: Finish): { error: CallError } | null {
  const text = IDLE[finish];
  return text === undefined ? null : { error: { kind: 'cancelled', text: `not run: ${text}` } };
}

const IDLE: Partial<Record<Finish, string>> = {
  length: 'the reply was cut off at its token limit',
  'content-filter': 'a content filter ended the reply',
  error: 'the provider ended the reply with an error',
  interrupted: 'the reply broke off before its end',
};
