import type { Json } from '../../src/engine/record.ts';
import { type Conversation, callsIn, repliesIn, tokensOf } from './conversation.ts';
import type { Spoil, UsageFault } from './fault.ts';
import { fillResults, fillResultsInText } from './fillResults.ts';
import type { Reply } from './reply.ts';

/** What the model says, ready to be put into a wire format. */
export interface Answer {
  model: string;
  /** The model's how-manieth answer in the conversation, from 0: ids are made of it, so that they never change. */
  turn: number;
  /** '' for none. */
  reasoning: string;
  /** '' for none; null where the format should say so in so many words. */
  text: string | null;
  /** '' for none. */
  refusal: string;
  calls: readonly AnswerCall[];
  finish: Finish;
  /** Null: none is reported. */
  usage: Usage | null;
}

export interface AnswerCall {
  /** '' where the model forgot it. */
  id: string;
  tool: string;
  /** JSON text as the model wrote it, broken or not. */
  arguments: string;
}

/** `raw` is a word that no provider knows. */
export type Finish = 'stop' | 'toolCalls' | 'length' | 'contentFilter' | 'refusal' | { raw: string };

/** Tokens; NaN is written to the wire as the bare word that some servers send, which is no JSON. */
export interface Usage {
  input: number | null;
  /** Of the input. */
  cached: number;
  output: number | null;
  /** Of the output. */
  reasoning: number;
}

/** @throws PlanError where the reply asks for results that are not there */
export function makeAnswer(
  reply: Reply,
  { conversation, results, spoils }: { conversation: Conversation; results: readonly Json[]; spoils: readonly Spoil[] },
): Answer {
  const asked = callsIn(conversation.turns);
  const calls = (reply.calls ?? []).map((call, index) => ({
    id: `call_${asked + index + 1}`,
    tool: call.tool,
    arguments: call.rawArguments ?? JSON.stringify(fillResults(call.arguments ?? {}, results)),
  }));
  let answer: Answer = {
    model: conversation.model,
    turn: repliesIn(conversation.turns),
    reasoning: fillResultsInText(reply.think ?? '', results),
    text: fillResultsInText(reply.say ?? '', results),
    refusal: '',
    calls,
    finish: calls.length > 0 ? 'toolCalls' : 'stop',
    usage: null,
  };
  for (const spoil of spoils) answer = spoilAnswer(answer, spoil);
  const usageFaults = spoils.flatMap((spoil) => (spoil.kind === 'usage' ? [spoil.usage] : []));
  return { ...answer, usage: usageOf(answer, tokensOf(conversation.turns), usageFaults[0]) };
}

function spoilAnswer(answer: Answer, spoil: Spoil): Answer {
  switch (spoil.kind) {
    case 'badJson':
      return withFirstCall(answer, (call) => ({ ...call, arguments: `${call.arguments.slice(0, -1)},` }));
    case 'unknownTool':
      return withFirstCall(answer, (call) => ({ ...call, tool: `${call.tool}_nobody_offers` }));
    case 'wrongCase':
      return withFirstCall(answer, (call) => ({ ...call, tool: swapCase(call.tool) }));
    case 'empty':
      return { ...answer, reasoning: '', text: '', calls: [], finish: 'stop' };
    case 'nullContent':
      return { ...answer, reasoning: '', text: null, calls: [], finish: 'stop' };
    case 'onlyReasoning':
      return { ...answer, reasoning: answer.reasoning || 'Let me think.', text: null, calls: [], finish: 'stop' };
    case 'contentFilter':
      return { ...answer, calls: [], finish: 'contentFilter' };
    case 'refusal':
      return {
        ...answer,
        text: null,
        refusal: answer.text || 'I cannot help with that.',
        calls: [],
        finish: 'refusal',
      };
    case 'maxTokens':
      return { ...withLastCall(answer, cutArguments), finish: 'length' };
    case 'finish':
      return { ...answer, finish: { raw: spoil.word } };
    case 'ids':
      return {
        ...answer,
        calls: answer.calls.map((call) => ({ ...call, id: spoil.ids === 'missing' ? '' : 'call_x' })),
      };
    case 'parallel':
      return { ...answer, calls: multiplied(withCall(answer).calls, spoil.calls), finish: 'toolCalls' };
    case 'usage':
      return answer;
  }
}

/** A reply that makes no call gets one, so that every fault of a call has something to befall. */
function withCall(answer: Answer): Answer {
  if (answer.calls.length > 0) return answer;
  return { ...answer, calls: [{ id: 'call_0', tool: 'tool', arguments: '{}' }], finish: 'toolCalls' };
}

function withFirstCall(answer: Answer, change: (call: AnswerCall) => AnswerCall): Answer {
  const whole = withCall(answer);
  return { ...whole, calls: whole.calls.map((call, index) => (index === 0 ? change(call) : call)) };
}

function withLastCall(answer: Answer, change: (call: AnswerCall) => AnswerCall): Answer {
  const last = answer.calls.length - 1;
  return { ...answer, calls: answer.calls.map((call, index) => (index === last ? change(call) : call)) };
}

function cutArguments(call: AnswerCall): AnswerCall {
  return { ...call, arguments: call.arguments.slice(0, Math.ceil(call.arguments.length / 2)) };
}

function multiplied(calls: readonly AnswerCall[], wanted: number): AnswerCall[] {
  const [first] = calls;
  if (first === undefined) return [];
  return Array.from({ length: wanted }, (_, index) => ({ ...first, id: `${first.id}_${index + 1}` }));
}

function swapCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}

function usageOf(answer: Answer, input: number, fault: UsageFault | undefined): Usage | null {
  const reasoning = Math.ceil(answer.reasoning.length / 4);
  const said = (answer.text ?? '').length + answer.refusal.length;
  const called = answer.calls.reduce((sum, call) => sum + call.tool.length + call.arguments.length, 0);
  const output = Math.ceil((said + called) / 4) + reasoning;
  switch (fault) {
    case undefined:
      return { input, cached: 0, output, reasoning };
    case 'missing':
      return null;
    case 'null':
      return { input: null, cached: 0, output: null, reasoning: 0 };
    case 'negative':
      return { input: -input - 1, cached: 0, output: -output - 1, reasoning: 0 };
    case 'nan':
      return { input: Number.NaN, cached: 0, output: Number.NaN, reasoning: 0 };
    case 'overcached':
      return { input, cached: input + 100, output, reasoning };
  }
}
