import type { Json } from '../../../src/engine/record.ts';
import type { Answer, AnswerCall, Finish, Usage } from '../answer.ts';
import {
  type AskedCall,
  BadRequest,
  isObject,
  objectsIn,
  stringOr,
  type ToolResult,
  type Turn,
} from '../conversation.ts';
import { type ApiProblem, type JsonObject, pieces, type SseEvent, type WireFormat } from '../wireFormat.ts';
import { checkTools } from './checkTools.ts';

const PATH = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** Google's generateContent and streamGenerateContent (as `alt=sse`). */
export const google: WireFormat = {
  name: 'google',
  accepts: (path) => PATH.test(path),
  keyOf(headers, query) {
    const key = headers['x-goog-api-key'];
    return typeof key === 'string' ? key : (query.get('key') ?? undefined);
  },
  requestIdHeader: 'x-request-id',
  // A wrong key is a bad argument to this API, and a request without one lacks permission.
  keyStatus: (kind) => (kind === 'badKey' ? 400 : 403),
  read(body, path) {
    const [, model = '', method] = PATH.exec(path) ?? [];
    if (!Array.isArray(body.contents) || body.contents.length === 0) throw new BadRequest('contents is not specified');
    const system = isObject(body.systemInstruction) ? [{ ...body.systemInstruction, role: 'system' }] : [];
    return {
      model: decodeURIComponent(model),
      isStreamed: method === 'streamGenerateContent',
      tools: checkTools(
        objectsIn(body.tools)
          .flatMap((tool) => objectsIn(tool.functionDeclarations))
          .map((tool) => ({
            name: stringOr(tool.name, ''),
            schema: tool.parameters ?? tool.parametersJsonSchema ?? null,
          })),
        /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
      ),
      turns: [...system, ...objectsIn(body.contents)].flatMap(turnsOf),
    };
  },
  body: (answer) => ({ ...candidate(answer, partsOf(answer), true), ...tail(answer) }),
  events(answer) {
    const parts = partsOf(answer).flatMap((part) => {
      if (typeof part.text !== 'string') return [part];
      return pieces(part.text).map((text) => ({ ...part, text }));
    });
    const last = { data: { ...candidate(answer, null, true), ...tail(answer) } };
    return [...parts.map((part) => ({ data: { ...candidate(answer, [part], false), ...names(answer) } })), last];
  },
  error: errorOf,
  errorEvent: (problem): SseEvent => ({ data: errorOf(problem) }),
};

function turnsOf(content: JsonObject): Turn[] {
  const parts = objectsIn(content.parts);
  const text = parts.flatMap((part) => (typeof part.text === 'string' && part.thought !== true ? [part.text] : []));
  const said = text.join('\n');
  if (content.role === 'system') return [{ role: 'system', text: said }];
  if (content.role === 'model') return [{ role: 'assistant', text: said, calls: parts.flatMap(callIn) }];
  const results = parts.flatMap(resultIn);
  return [
    ...(results.length === 0 ? [] : [{ role: 'results' as const, results }]),
    ...(text.length === 0 ? [] : [{ role: 'user' as const, text: said }]),
  ];
}

function callIn({ functionCall }: JsonObject): AskedCall[] {
  if (!isObject(functionCall)) return [];
  const { id, name, args = {} } = functionCall;
  return [{ id: stringOr(id, undefined), tool: stringOr(name, ''), arguments: JSON.stringify(args) }];
}

function resultIn({ functionResponse }: JsonObject): ToolResult[] {
  if (!isObject(functionResponse)) return [];
  const { id, name, response = null } = functionResponse;
  const value = isObject(response) ? (response.content ?? response.error ?? response) : response;
  return [{ id: stringOr(id, undefined), tool: stringOr(name, undefined), value }];
}

/** Arguments are an object here: a call that was cut off or broken is never sent. */
function partsOf(answer: Answer): JsonObject[] {
  const { reasoning, text, calls } = answer;
  const isBroken = finishReason(answer) === 'MALFORMED_FUNCTION_CALL';
  return [
    ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
    ...(text === null || text === '' ? [] : [{ text }]),
    ...(isBroken ? [] : calls.flatMap(callPart)),
  ];
}

function callPart(call: AnswerCall): JsonObject[] {
  const args = argumentsOf(call);
  if (args === undefined) return [];
  return [{ functionCall: { ...(call.id === '' ? {} : { id: call.id }), name: call.tool, args } }];
}

function argumentsOf(call: AnswerCall): JsonObject | undefined {
  try {
    const args = JSON.parse(call.arguments) as Json;
    return isObject(args) ? args : undefined;
  } catch {
    return undefined; // broken by a fault
  }
}

function candidate(answer: Answer, parts: JsonObject[] | null, isLast: boolean): JsonObject {
  if (answer.finish === 'refusal') return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT', safetyRatings: [] } };
  // The content itself is missing where a null text is to be said.
  const hasContent = parts !== null && !(parts.length === 0 && answer.text === null);
  return {
    candidates: [
      {
        ...(hasContent ? { content: { role: 'model', parts } } : {}),
        ...(isLast ? { finishReason: finishReason(answer) } : {}),
        index: 0,
      },
    ],
  };
}

function finishReason(answer: Answer): string {
  const { finish, calls } = answer;
  if (typeof finish === 'object') return finish.raw;
  if (finish === 'toolCalls' && calls.some((call) => argumentsOf(call) === undefined)) return 'MALFORMED_FUNCTION_CALL';
  return FINISH[finish];
}

const FINISH: Record<Extract<Finish, string>, string> = {
  stop: 'STOP',
  toolCalls: 'STOP',
  length: 'MAX_TOKENS',
  contentFilter: 'SAFETY',
  refusal: 'STOP',
};

function names(answer: Answer): JsonObject {
  return { modelVersion: answer.model, responseId: `response_${answer.turn}` };
}

function tail(answer: Answer): JsonObject {
  return { ...(answer.usage === null ? {} : { usageMetadata: usageOf(answer.usage) }), ...names(answer) };
}

/** Its candidates' tokens exclude the thoughts'. */
function usageOf({ input, cached, output, reasoning }: Usage): Json {
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output === null ? null : output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input === null || output === null ? null : input + output,
  };
}

function errorOf(problem: ApiProblem): Json {
  const { status: code } = problem;
  const details: Json[] = [];
  if (problem.kind === 'badKey') {
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'googleapis.com' };
    details.push({ ...info, reason: 'API_KEY_INVALID', metadata: { service: 'generativelanguage.googleapis.com' } });
  }
  if (problem.retryAfterSeconds !== undefined) {
    details.push({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${problem.retryAfterSeconds}s` });
  }
  const status = problem.code ?? STATUSES[code] ?? (code >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
  return { error: { code, message: problem.message, status, ...(details.length === 0 ? {} : { details }) } };
}

const STATUSES: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'CANCELLED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};
