import type { LanguageModelV4, LanguageModelV4Content, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import { type ModelFactory, resolveModel } from '../../../src/engine/models/index.ts';
import type { Attempt } from '../../../src/engine/record.ts';
import type { ServerPool } from '../../../src/engine/servers/connection.ts';
import type { Case, ScriptReply } from '../../../src/engine/suite/model.ts';
import { modelNamed } from '../../../src/engine/suite/modelId.ts';
import { runTrial, type TrialEvent, type TrialInput } from '../../../src/engine/trial/index.ts';
import { plainCase } from '../../fixtures/plainCase.ts';

export function aCase(more: Partial<Case> = {}): Case {
  const subject = { kind: 'prompt', at: '/cases/0/prompt', prompt: 'Do it.' } as const;
  return plainCase({ subject, timeoutMs: 10_000, ...more });
}

type Line = Partial<Omit<ScriptReply, 'calls'>> & {
  calls?: (string | [tool: string, args: ScriptReply['calls'][number]['arguments']])[];
};

export function script(...lines: Line[]): ScriptReply[] {
  return lines.map((line) => ({
    at: '',
    say: line.say ?? null,
    fails: line.fails ?? null,
    calls: (line.calls ?? []).map((call) =>
      typeof call === 'string' ? { tool: call, arguments: {} } : { tool: call[0], arguments: call[1] },
    ),
  }));
}

export interface Tried extends Attempt {
  events: TrialEvent[];
}

export const scripted = resolveModel(modelNamed('scripted'), { env: {}, secrets: { add: () => undefined } });

/** Runs one trial, on the model `scripted` unless another is given. */
export async function tryCase(
  pool: ServerPool,
  testCase: Partial<Case>,
  more: Partial<Omit<TrialInput, 'pool' | 'testCase'>> = {},
): Promise<Tried> {
  const events: TrialEvent[] = [];
  const attempt = await runTrial({
    testCase: aCase(testCase),
    model: scripted,
    pool,
    signal: new AbortController().signal,
    trialId: 'a-case#1',
    onEvent: (event) => events.push(event),
    ...more,
  });
  return { ...attempt, events };
}

/** A model that gives these replies, one after the other; a reply may be an error. */
export function mockModel(...replies: (Partial<LanguageModelV4GenerateResult> | Error | 'hang')[]): ModelFactory & {
  prompts(): MockLanguageModelV4['doGenerateCalls'];
} {
  let turn = 0;
  const mock = new MockLanguageModelV4({
    doGenerate: async () => {
      const reply = replies[turn] ?? aReply([]);
      turn += 1;
      if (reply === 'hang') return new Promise<never>(() => undefined);
      if (reply instanceof Error) throw reply;
      return reply as LanguageModelV4GenerateResult;
    },
  });
  return factoryOf(mock, () => mock.doGenerateCalls);
}

function factoryOf<T>(model: LanguageModelV4, prompts: () => T): ModelFactory & { prompts(): T } {
  return { ...scripted, id: 'mock/mock', provider: 'mock', model: 'mock', forTrial: async () => model, prompts };
}

export function aReply(
  content: LanguageModelV4Content[],
  more: Partial<LanguageModelV4GenerateResult> = {},
): LanguageModelV4GenerateResult {
  const asks = content.some((part) => part.type === 'tool-call');
  return {
    content,
    finishReason: { unified: asks ? 'tool-calls' : 'stop', raw: undefined },
    usage: tokens(10, 5),
    warnings: [],
    ...more,
  };
}

export function asks(toolName: string, input: string, toolCallId = 'id'): LanguageModelV4Content {
  return { type: 'tool-call', toolCallId, toolName, input };
}

export function speaks(text: string): LanguageModelV4Content {
  return { type: 'text', text };
}

export function tokens(input: number | undefined, output: number | undefined): LanguageModelV4GenerateResult['usage'] {
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  };
}
