import type { IncomingMessage } from 'node:http';
import type { Json } from '../../src/engine/record.ts';
import { BadRequest, type Conversation, isObject } from './conversation.ts';
import { type Fault, NO_FAULT, type UsageFault } from './fault.ts';
import { formatFor } from './formats/index.ts';
import { PlanError } from './planText.ts';
import { Attempts, answerDue, findDue, type ModelPlan } from './prepare.ts';
import type { Outgoing } from './send.ts';
import type { ApiProblem, WireFormat } from './wireFormat.ts';
import { writeJson } from './writeJson.ts';

interface Settings {
  apiKey: string | undefined;
  usage: UsageFault | undefined;
  planOf(model: string): ModelPlan | undefined;
}

/** From a request to the answer that would go out if nothing went wrong on the way, and what does go wrong. */
export class Responder {
  readonly #settings: Settings;
  readonly #attempts = new Attempts();
  #answered = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * @param body undefined when it is no JSON
   * @param chooseFault the fault that the server's own settings choose, told only of requests a model would answer
   */
  respond(
    request: IncomingMessage,
    body: Json | undefined,
    chooseFault: (conversation: Conversation) => Fault | undefined,
  ): { outgoing: Outgoing; fault: Fault } {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const format = formatFor(url.pathname);
    if (format === undefined || request.method !== 'POST') {
      const text = `nothing at ${request.method} ${url.pathname}`;
      return { outgoing: { status: 404, headers: {}, content: { text } }, fault: NO_FAULT };
    }
    this.#answered += 1;
    const reply = new ReplyTo(format, `req_${this.#answered}`, `${url.pathname}${url.search}`);
    const refusal = this.#refuseKey(format, request, url);
    if (refusal !== undefined) return { outgoing: reply.problem(refusal), fault: NO_FAULT };
    try {
      if (!isObject(body)) throw new BadRequest('the body of the request is no JSON object');
      const conversation = format.read(body, url.pathname);
      let fault = chooseFault(conversation);
      if (fault !== undefined && isInstead(fault)) return { outgoing: reply.instead(fault), fault };
      if (conversation.model === '') throw new BadRequest('you must provide a model');
      const due = findDue(conversation, this.#settings.planOf(conversation.model));
      fault ??= this.#attempts.faultOf(due.reply, conversation);
      if (isInstead(fault)) return { outgoing: reply.instead(fault), fault };
      const { usage } = this.#settings;
      const answer = answerDue(due, conversation, [
        ...fault.spoils,
        ...(usage === undefined ? [] : [{ kind: 'usage' as const, usage }]),
      ]);
      const isError = fault.errorEvent !== undefined && !conversation.isStreamed;
      if (isError) return { outgoing: reply.problem(OVERLOADED), fault };
      const content = conversation.isStreamed
        ? { events: format.events(answer, body), errorEvent: format.errorEvent(reply.complete(OVERLOADED)) }
        : { text: writeJson(format.body(answer)) };
      return { outgoing: { ...reply.head(), content }, fault };
    } catch (error) {
      if (!(error instanceof BadRequest || error instanceof PlanError)) throw error;
      return { outgoing: reply.problem({ kind: 'status', status: 400, message: error.message }), fault: NO_FAULT };
    }
  }

  reset(): void {
    this.#attempts.clear();
    this.#answered = 0;
  }

  #refuseKey(format: WireFormat, request: IncomingMessage, url: URL): Problem | undefined {
    const { apiKey } = this.#settings;
    if (apiKey === undefined) return undefined;
    const key = format.keyOf(request.headers, url.searchParams);
    if (key === apiKey) return undefined;
    const kind = key === undefined ? 'missingKey' : 'badKey';
    const message = key === undefined ? 'No API key was given.' : 'The API key is not valid.';
    return { kind, status: format.keyStatus(kind), message };
  }
}

type Problem = Omit<ApiProblem, 'requestId'>;

const OVERLOADED: Problem = { kind: 'status', status: 500, message: 'The model server failed as it was told to.' };

/** Whether the fault takes the place of any reply, so that none need be due. */
function isInstead(fault: Fault): boolean {
  return fault.status !== undefined || fault.redirect !== undefined || fault.hang === true || fault.reset === 0;
}

/** What the answers to one request have in common. */
class ReplyTo {
  readonly #format: WireFormat;
  readonly #requestId: string;
  readonly #path: string;

  constructor(format: WireFormat, requestId: string, path: string) {
    this.#format = format;
    this.#requestId = requestId;
    this.#path = path;
  }

  head(status = 200): Omit<Outgoing, 'content'> {
    return {
      status,
      headers: { 'content-type': 'application/json', [this.#format.requestIdHeader]: this.#requestId },
    };
  }

  complete(problem: Problem): ApiProblem {
    return { ...problem, requestId: this.#requestId };
  }

  problem(problem: Problem): Outgoing {
    return { ...this.head(problem.status), content: { text: writeJson(this.#format.error(this.complete(problem))) } };
  }

  instead(fault: Fault): Outgoing {
    const status = fault.status ?? (fault.redirect === undefined ? 500 : 307);
    const outgoing = this.problem({
      status,
      kind: fault.contextOverflow === true ? 'contextOverflow' : 'status',
      message: fault.contextOverflow === true ? OVERFLOW[this.#format.name] : `The model server answers ${status}.`,
      ...(fault.code === undefined ? {} : { code: fault.code }),
      ...(fault.retryAfter?.as === 'body' ? { retryAfterSeconds: fault.retryAfter.seconds } : {}),
    });
    const headers = { ...outgoing.headers, ...retryAfterHeader(fault) };
    if (fault.redirect !== undefined) headers.location = `${fault.redirect.replace(/\/$/, '')}${this.#path}`;
    if (fault.body === undefined) return { ...outgoing, headers };
    if (fault.body === 'empty') return { ...outgoing, headers, content: { text: '' } };
    const text = `<html><head><title>${status}</title></head><body>A proxy says ${status}.</body></html>`;
    return { ...outgoing, headers: { ...headers, 'content-type': 'text/html' }, content: { text } };
  }
}

function retryAfterHeader({ retryAfter }: Fault): Record<string, string> {
  if (retryAfter === undefined || retryAfter.as === 'body') return {};
  const { seconds, as } = retryAfter;
  if (as === 'ms') return { 'retry-after-ms': String(Math.round(seconds * 1000)) };
  return { 'retry-after': as === 'seconds' ? String(seconds) : new Date(Date.now() + seconds * 1000).toUTCString() };
}

/** Clients know the error by its words where the provider gives it no code. */
const OVERFLOW: Record<WireFormat['name'], string> = {
  chat: "This model's maximum context length is 8192 tokens, but the messages hold 9000 tokens.",
  responses: "Your input exceeds the context window: this model's maximum context length is 8192 tokens.",
  messages: 'prompt is too long: 9000 tokens > 8192 maximum',
  google: 'The input token count (9000) exceeds the maximum number of tokens allowed (8192).',
};
