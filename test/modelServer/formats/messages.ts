import type { Json } from '../../../src/engine/record.ts';
import type { Answer, Finish, Usage } from '../answer.ts';
import { BadRequest, objectsIn, stringOr, type ToolResult, type Turn, textOf } from '../conversation.ts';
import { type ApiProblem, type JsonObject, pieces, type SseEvent, type WireFormat } from '../wireFormat.ts';
import { checkTools } from './checkTools.ts';

/** Anthropic's Messages API. */
export const messages: WireFormat = {
  name: 'messages',
  accepts: (path) => path.endsWith('/messages'),
  keyOf(headers) {
    const key = headers['x-api-key'];
    return typeof key === 'string' ? key : /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
  },
  requestIdHeader: 'request-id',
  keyStatus: () => 401,
  read(body) {
    if (!Array.isArray(body.messages) || body.messages.length === 0) throw new BadRequest('messages: field required');
    if (typeof body.max_tokens !== 'number') throw new BadRequest('max_tokens: field required');
    const turns = objectsIn(body.messages).flatMap(turnsOf);
    refuseSharedIds(turns);
    return {
      model: stringOr(body.model, ''),
      isStreamed: body.stream === true,
      tools: checkTools(
        objectsIn(body.tools).map((tool) => ({ name: stringOr(tool.name, ''), schema: tool.input_schema ?? null })),
        /^[a-zA-Z0-9_-]{1,128}$/,
      ),
      turns: [...(body.system === undefined ? [] : [{ role: 'system' as const, text: textOf(body.system) }]), ...turns],
    };
  },
  body(answer) {
    const ended = { stop_reason: stopReason(answer.finish), stop_sequence: null };
    const usage = answer.usage === null ? {} : { usage: usageOf(answer.usage) };
    return { ...head(answer), content: blocksOf(answer), ...ended, ...usage };
  },
  events(answer) {
    const usage = answer.usage === null ? null : usageOf(answer.usage);
    const begun = usage === null ? {} : { usage: { ...usage, output_tokens: 1 } };
    const start = { ...head(answer), content: [], stop_reason: null, stop_sequence: null, ...begun };
    const delta = { stop_reason: stopReason(answer.finish), stop_sequence: null };
    const blocks = blocksOf(answer);
    const firstCall = blocks.length - answer.calls.length;
    return [
      event('message_start', { message: start }),
      event('ping', {}),
      ...blocks.flatMap((block, index) => blockEvents(block, index, answer.calls[index - firstCall]?.arguments ?? '')),
      event('message_delta', {
        delta,
        ...(usage === null ? {} : { usage: { output_tokens: usage.output_tokens ?? null } }),
      }),
      event('message_stop', {}),
    ];
  },
  error: errorOf,
  errorEvent: (problem) => ({ event: 'error', data: errorOf(problem) }),
};

/** One message of a user may hold results of tools and, behind them, what the user says next. */
function turnsOf(message: JsonObject): Turn[] {
  const text = textOf(message.content);
  const blocks = objectsIn(message.content);
  if (message.role === 'assistant') {
    const calls = blocks.flatMap((block) =>
      block.type === 'tool_use'
        ? [
            {
              id: stringOr(block.id, undefined),
              tool: stringOr(block.name, ''),
              arguments: JSON.stringify(block.input ?? {}),
            },
          ]
        : [],
    );
    return [{ role: 'assistant', text, calls }];
  }
  const results: ToolResult[] = blocks.flatMap((block) =>
    block.type === 'tool_result'
      ? [{ id: stringOr(block.tool_use_id, undefined), tool: undefined, value: textOf(block.content) }]
      : [],
  );
  const hasText = typeof message.content === 'string' || blocks.some((block) => block.type === 'text');
  return [
    ...(results.length === 0 ? [] : [{ role: 'results' as const, results }]),
    ...(hasText ? [{ role: 'user' as const, text }] : []),
  ];
}

function refuseSharedIds(turns: readonly Turn[]): void {
  const ids = new Set<string>();
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue;
    for (const { id } of turn.calls) {
      if (id === undefined || !/^[a-zA-Z0-9_-]+$/.test(id)) throw new BadRequest(`tool_use.id: "${id}" is not valid`);
      if (ids.has(id)) throw new BadRequest('messages: `tool_use` ids must be unique');
      ids.add(id);
    }
  }
}

function head(answer: Answer): JsonObject {
  return { id: `msg_${answer.turn}`, type: 'message', role: 'assistant', model: answer.model };
}

function blocksOf({ reasoning, text, refusal, calls, finish }: Answer): JsonObject[] {
  const said = text === null ? refusal : text + refusal;
  const isNull = text === null && refusal === '' && reasoning === '';
  return [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: 'c2lnbmVk' }]),
    ...(said === '' && !isNull ? [] : [{ type: 'text', text: said }]),
    ...calls.map((call) => ({
      type: 'tool_use',
      ...(call.id === '' ? {} : { id: call.id }),
      name: call.tool,
      input: inputOf(call.arguments, finish),
    })),
  ];
}

/** What was cut off is left out, as the API does; what else is no JSON stands there as the text it is. */
function inputOf(text: string, finish: Finish): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return finish === 'length' ? {} : text;
  }
}

function blockEvents(block: JsonObject, index: number, input: string): SseEvent[] {
  const delta = (inner: JsonObject) => event('content_block_delta', { index, delta: inner });
  const start = (empty: JsonObject) => event('content_block_start', { index, content_block: { ...block, ...empty } });
  const stop = event('content_block_stop', { index });
  if (block.type === 'thinking') {
    const parts = pieces(stringOr(block.thinking, '')).map((thinking) => delta({ type: 'thinking_delta', thinking }));
    const signed = delta({ type: 'signature_delta', signature: block.signature ?? '' });
    return [start({ thinking: '', signature: '' }), ...parts, signed, stop];
  }
  if (block.type === 'text') {
    const parts = pieces(stringOr(block.text, '')).map((text) => delta({ type: 'text_delta', text }));
    return [start({ text: '' }), ...parts, stop];
  }
  const parts = pieces(input).map((json) => delta({ type: 'input_json_delta', partial_json: json }));
  return [start({ input: {} }), ...parts, stop];
}

function event(type: string, rest: JsonObject): SseEvent {
  return { event: type, data: { type, ...rest } };
}

function stopReason(finish: Finish): string {
  if (typeof finish === 'object') return finish.raw;
  // It knows no filter besides the refusal.
  return {
    stop: 'end_turn',
    toolCalls: 'tool_use',
    length: 'max_tokens',
    contentFilter: 'refusal',
    refusal: 'refusal',
  }[finish];
}

/** Its input excludes what came from the cache. */
function usageOf({ input, cached, output }: Usage): JsonObject {
  return {
    input_tokens: input === null ? null : input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

function errorOf(problem: ApiProblem): Json {
  const type = problem.code ?? TYPES[problem.status] ?? (problem.status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message: problem.message }, request_id: problem.requestId };
}

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
