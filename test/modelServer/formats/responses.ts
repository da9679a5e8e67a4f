import type { Json } from '../../../src/engine/record.ts';
import type { Answer, AnswerCall, Usage } from '../answer.ts';
import { type AskedCall, BadRequest, objectsIn, stringOr, type Turn, textOf } from '../conversation.ts';
import { CREATED, type JsonObject, pieces, type SseEvent, type WireFormat } from '../wireFormat.ts';
import { checkTools } from './checkTools.ts';
import { openaiError, openaiKey } from './openaiError.ts';

/** OpenAI's Responses API. */
export const responses: WireFormat = {
  name: 'responses',
  accepts: (path) => path.endsWith('/responses'),
  keyOf: openaiKey,
  requestIdHeader: 'x-request-id',
  keyStatus: () => 401,
  read(body) {
    const input: Json = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? null);
    if (!Array.isArray(input) || input.length === 0) throw new BadRequest('"input" is missing');
    return {
      model: stringOr(body.model, ''),
      isStreamed: body.stream === true,
      tools: checkTools(
        objectsIn(body.tools)
          .filter((tool) => tool.type === 'function')
          .map((tool) => ({ name: stringOr(tool.name, ''), schema: tool.parameters ?? null })),
        /^[a-zA-Z0-9_-]{1,64}$/,
      ),
      turns: [
        ...(typeof body.instructions === 'string' ? [{ role: 'system' as const, text: body.instructions }] : []),
        ...turnsOf(objectsIn(input)),
      ],
    };
  },
  body: (answer) => responseOf(answer, itemsOf(answer)),
  events(answer) {
    const items = itemsOf(answer);
    const begun = { ...responseOf(answer, []), status: 'in_progress', incomplete_details: null, usage: null };
    const ended = responseOf(answer, items);
    const events: [type: string, rest: JsonObject][] = [
      ['response.created', { response: begun }],
      ['response.in_progress', { response: begun }],
      ...items.flatMap((item, index) => itemEvents(item, index)),
      [ended.status === 'incomplete' ? 'response.incomplete' : 'response.completed', { response: ended }],
    ];
    return events.map(([type, rest], index) => ({ event: type, data: { type, sequence_number: index, ...rest } }));
  },
  error: openaiError,
  errorEvent(problem): SseEvent {
    const { error } = openaiError(problem) as { error: JsonObject };
    const { code = null, message = '', param = null } = error;
    return {
      event: 'error',
      data: { type: 'error', sequence_number: 0, code: code ?? 'server_error', message, param },
    };
  },
};

/** What the model said stands in single items: those between two of the user's or the tools' make one turn. */
function turnsOf(items: readonly JsonObject[]): Turn[] {
  const turns: Turn[] = [];
  for (const item of items) {
    const turn = turnOf(item);
    const last = turns.at(-1);
    if (last?.role === 'assistant' && turn.role === 'assistant') {
      turns[turns.length - 1] = said(last.text + turn.text, [...last.calls, ...turn.calls]);
    } else turns.push(turn);
  }
  return turns;
}

function turnOf(item: JsonObject): Turn {
  const text = textOf(item.content);
  if (item.role === 'user') return { role: 'user', text };
  if (item.role === 'system' || item.role === 'developer') return { role: 'system', text };
  const id = stringOr(item.call_id, undefined);
  switch (item.type) {
    case 'function_call_output':
      return { role: 'results', results: [{ id, tool: undefined, value: textOf(item.output) }] };
    case 'function_call':
      return said('', [{ id, tool: stringOr(item.name, ''), arguments: stringOr(item.arguments, '') }]);
    case 'item_reference':
      return said(referredText(item), []);
    default:
      return said(text, []);
  }
}

function said(text: string, calls: readonly AskedCall[]): Turn & { role: 'assistant' } {
  return { role: 'assistant', text, calls };
}

/** The server keeps nothing, but the id of a message says how long its text is, which is what its tokens follow from. */
function referredText({ id }: JsonObject): string {
  return ' '.repeat(Number(/^msg_\d+_(\d+)$/.exec(stringOr(id, ''))?.[1] ?? 0));
}

/** Ids of items are unique in the whole conversation, as the API's are. */
function itemsOf(answer: Answer): JsonObject[] {
  const { turn, reasoning, text, refusal, calls } = answer;
  const content = [
    ...(text === null || text === '' ? [] : [{ type: 'output_text', text, annotations: [], logprobs: [] }]),
    ...(refusal === '' ? [] : [{ type: 'refusal', refusal }]),
  ];
  const summary = [{ type: 'summary_text', text: reasoning }];
  const messageId = `msg_${turn}_${(text ?? '').length}`;
  // A null text is said in so many words: a message without any content.
  const hasMessage = content.length > 0 || (text === null && reasoning === '');
  return [
    ...(reasoning === '' ? [] : [{ id: `rs_${turn}`, type: 'reasoning', summary, encrypted_content: null }]),
    ...(hasMessage ? [{ id: messageId, type: 'message', role: 'assistant', status: 'completed', content }] : []),
    ...calls.map((call, index) => callItem(call, `fc_${turn}_${index}`, answer.finish === 'length')),
  ];
}

function callItem(call: AnswerCall, id: string, isCut: boolean): JsonObject {
  return {
    id,
    type: 'function_call',
    status: isCut ? 'incomplete' : 'completed',
    ...(call.id === '' ? {} : { call_id: call.id }),
    name: call.tool,
    arguments: call.arguments,
  };
}

function responseOf(answer: Answer, output: JsonObject[]): JsonObject {
  const reason = incompleteReason(answer);
  return {
    id: `resp_${answer.turn}`,
    object: 'response',
    created_at: CREATED,
    status: reason === null ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === null ? null : { reason },
    instructions: null,
    model: answer.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: true,
    tools: [],
    ...(answer.usage === null ? {} : { usage: usageOf(answer.usage) }),
  };
}

function incompleteReason({ finish }: Answer): string | null {
  if (typeof finish === 'object') return finish.raw;
  if (finish === 'length') return 'max_output_tokens';
  return finish === 'contentFilter' ? 'content_filter' : null;
}

function itemEvents(item: JsonObject, output_index: number): [type: string, rest: JsonObject][] {
  const added = { ...item, ...(item.type === 'function_call' ? { arguments: '' } : {}), status: 'in_progress' };
  if (item.type === 'message') Object.assign(added, { content: [] });
  if (item.type === 'reasoning') Object.assign(added, { summary: [] });
  const at = { item_id: item.id ?? null, output_index };
  return [
    ['response.output_item.added', { output_index, item: added }],
    ...innerEvents(item, at),
    ['response.output_item.done', { output_index, item }],
  ];
}

function innerEvents(item: JsonObject, at: JsonObject): [type: string, rest: JsonObject][] {
  if (item.type === 'function_call') {
    const text = stringOr(item.arguments, '');
    return [
      ...deltas('response.function_call_arguments.delta', text, at),
      ['response.function_call_arguments.done', { ...at, arguments: text }],
    ];
  }
  if (item.type === 'reasoning') {
    return objectsIn(item.summary).flatMap((part, summary_index) => {
      const place = { ...at, summary_index };
      const text = stringOr(part.text, '');
      return [
        ['response.reasoning_summary_part.added', { ...place, part: { ...part, text: '' } }],
        ...deltas('response.reasoning_summary_text.delta', text, place),
        ['response.reasoning_summary_text.done', { ...place, text }],
        ['response.reasoning_summary_part.done', { ...place, part }],
      ];
    });
  }
  return objectsIn(item.content).flatMap((part, content_index) => {
    const place = { ...at, content_index };
    const [kind, key] = part.type === 'refusal' ? ['refusal', 'refusal'] : ['output_text', 'text'];
    const text = stringOr(part[key], '');
    return [
      ['response.content_part.added', { ...place, part: { ...part, [key]: '' } }],
      ...deltas(`response.${kind}.delta`, text, place),
      [`response.${kind}.done`, { ...place, [key]: text }],
      ['response.content_part.done', { ...place, part }],
    ];
  });
}

function deltas(type: string, text: string, at: JsonObject): [type: string, rest: JsonObject][] {
  return pieces(text).map((delta) => [type, { ...at, delta }]);
}

function usageOf({ input, cached, output, reasoning }: Usage): Json {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input === null || output === null ? null : input + output,
  };
}
