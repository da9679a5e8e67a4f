import type { Json } from '../../../src/engine/record.ts';
import type { Answer, AnswerCall, Finish, Usage } from '../answer.ts';
import { BadRequest, isObject, objectsIn, stringOr, type Turn, textOf } from '../conversation.ts';
import { CREATED, type JsonObject, pieces, type SseEvent, type WireFormat } from '../wireFormat.ts';
import { checkTools } from './checkTools.ts';
import { openaiError, openaiKey } from './openaiError.ts';

/** OpenAI's chat completions, and what is compatible with them. Reasoning is written as DeepSeek writes it. */
export const chat: WireFormat = {
  name: 'chat',
  accepts: (path) => path.endsWith('/chat/completions'),
  keyOf: openaiKey,
  requestIdHeader: 'x-request-id',
  keyStatus: () => 401,
  read(body) {
    if (!Array.isArray(body.messages) || body.messages.length === 0) throw new BadRequest('"messages" is missing');
    const tools = objectsIn(body.tools).map((tool) => (isObject(tool.function) ? tool.function : {}));
    return {
      model: stringOr(body.model, ''),
      isStreamed: body.stream === true,
      tools: checkTools(
        tools.map((tool) => ({ name: stringOr(tool.name, ''), schema: tool.parameters ?? null })),
        /^[a-zA-Z0-9_-]{1,64}$/,
      ),
      turns: objectsIn(body.messages).map(turnOf),
    };
  },
  body(answer) {
    return {
      ...head(answer, 'chat.completion'),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: contentOf(answer),
            refusal: answer.refusal || null,
            ...(answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }),
            ...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map(callOf) }),
            annotations: [],
          },
          logprobs: null,
          finish_reason: finishReason(answer.finish),
        },
      ],
      ...(answer.usage === null ? {} : { usage: usageOf(answer.usage) }),
    };
  },
  events(answer, request) {
    const chunk = (delta: Json, finish: string | null = null): SseEvent => ({
      data: {
        ...head(answer, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      },
    });
    const wantsUsage = isObject(request.stream_options) && request.stream_options.include_usage === true;
    return [
      chunk({ role: 'assistant', content: contentOf(answer) === null ? null : '', refusal: null }),
      ...pieces(answer.reasoning).map((text) => chunk({ reasoning_content: text })),
      ...pieces(answer.text ?? '').map((text) => chunk({ content: text })),
      ...pieces(answer.refusal).map((text) => chunk({ refusal: text })),
      ...answer.calls.flatMap((call, index) => [
        chunk({ tool_calls: [{ index, ...callOf({ ...call, arguments: '' }) }] }),
        ...pieces(call.arguments).map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
      ]),
      chunk({}, finishReason(answer.finish)),
      ...(wantsUsage && answer.usage !== null
        ? [{ data: { ...head(answer, 'chat.completion.chunk'), choices: [], usage: usageOf(answer.usage) } }]
        : []),
      { word: '[DONE]' },
    ];
  },
  error: openaiError,
  errorEvent: (problem) => ({ data: openaiError(problem) }),
};

function turnOf(message: JsonObject): Turn {
  const text = textOf(message.content);
  if (message.role === 'user') return { role: 'user', text };
  if (message.role === 'tool') {
    const id = stringOr(message.tool_call_id, undefined);
    return { role: 'results', results: [{ id, tool: undefined, value: text }] };
  }
  if (message.role !== 'assistant') return { role: 'system', text };
  const calls = objectsIn(message.tool_calls).map((call) => {
    const made = isObject(call.function) ? call.function : {};
    return {
      id: stringOr(call.id, undefined),
      tool: stringOr(made.name, ''),
      arguments: stringOr(made.arguments, ''),
    };
  });
  return { role: 'assistant', text, calls };
}

function head(answer: Answer, object: string): JsonObject {
  return { id: `chatcmpl-${answer.turn}`, object, created: CREATED, model: answer.model, system_fingerprint: null };
}

/** A message that only calls has no content. */
function contentOf(answer: Answer): string | null {
  return answer.text === '' && answer.calls.length > 0 ? null : answer.text;
}

function callOf(call: AnswerCall): JsonObject {
  const made = { type: 'function', function: { name: call.tool, arguments: call.arguments } };
  return call.id === '' ? made : { id: call.id, ...made };
}

function finishReason(finish: Finish): string {
  if (typeof finish === 'object') return finish.raw;
  return { stop: 'stop', toolCalls: 'tool_calls', length: 'length', contentFilter: 'content_filter', refusal: 'stop' }[
    finish
  ];
}

function usageOf(usage: Usage): Json {
  const { input, output } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input === null || output === null ? null : input + output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}
