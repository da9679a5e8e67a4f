import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../src/engine/record.ts';
import type { Conversation } from './conversation.ts';
import { type Fault, NO_FAULT, readFault, readFaults, type UsageFault } from './fault.ts';
import { formatFor } from './formats/index.ts';
import { readPlan } from './planText.ts';
import type { ModelPlan } from './prepare.ts';
import type { Reply } from './reply.ts';
import { createRequestLog, type LoggedRequest } from './requestLog.ts';
import { Responder } from './respond.ts';
import { pause, send } from './send.ts';

export interface ModelServerOptions {
  /** 0, the default: a free one. */
  port?: number;
  /** Requests without this key are refused as the provider would. Left out: every key will do, and none. */
  apiKey?: string;
  /** Before each answer, and before each event of a stream. */
  latencyMs?: number;
  chunkLatencyMs?: number;
  /** Usage of every answer, instead of the true one. */
  usage?: UsageFault;
  faults?: Faults;
  /** False keeps no requests. */
  log?: boolean;
  /** Names of the headers that are logged, in lower case. */
  logHeaders?: readonly string[];
}

/** One text of fault words per request, in the order of arrival; after the last one all is well. Or a choice for each. */
type Faults = readonly string[] | ((request: FaultedRequest) => string | undefined);

interface FaultedRequest {
  index: number;
  conversation: Conversation;
  /** Requests that are being answered, this one among them. */
  inFlight: number;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** What each provider's client takes as its base URL. */
  readonly baseUrls: Readonly<Record<'openai' | 'anthropic' | 'google' | 'compatible', string>>;
  readonly requests: readonly LoggedRequest[];
  /** Requests to a model that are being answered now, and the most there ever were at once. */
  readonly inFlight: number;
  readonly maxInFlight: number;
  /**
   * What a model of this name says, whatever the prompt; counted from the beginning of the conversation.
   *
   * @param plan a text in the plan language, the replies, or a function that answers each request
   * @throws PlanError for a text that cannot be read
   */
  plan(model: string, plan: string | readonly Reply[] | ((conversation: Conversation) => Reply)): void;
  /** Other faults from the next request on, which counts as the first. */
  setFaults(faults: Faults): void;
  /** Forgets requests, counts, faults and models' plans. */
  reset(): void;
  /** Cuts what is open and frees the port. */
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1. index.ts says what it understands. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { log: keep = true, logHeaders, apiKey, latencyMs } = options;
  const log = createRequestLog({ keep, ...(logHeaders === undefined ? {} : { headers: logHeaders }) });
  const plans = new Map<string, ModelPlan>();
  const responder = new Responder({ apiKey, usage: options.usage, planOf: (model) => plans.get(model) });
  let chooseFault = chooser(options.faults ?? []);
  let faultsFrom = 0;
  let count = 0;
  let inFlight = 0;
  let maxInFlight = 0;

  function nextFault(entry: LoggedRequest, conversation: Conversation): Fault | undefined {
    const index = count;
    count += 1;
    entry.index = index;
    entry.model = conversation.model;
    entry.isStreamed = conversation.isStreamed;
    return chooseFault({ index: index - faultsFrom, conversation, inFlight });
  }

  async function answer(request: IncomingMessage, response: ServerResponse, entry: LoggedRequest): Promise<void> {
    const gone = goneSignal(response);
    const body = await readBody(request, gone);
    if (body === undefined) return;
    entry.body = body.json ?? body.text;
    const { outgoing, fault } = responder.respond(request, body.json, (conversation) => nextFault(entry, conversation));
    entry.fault = fault.words === '' ? null : fault.words;
    await pause(fault.latencyMs ?? latencyMs, gone);
    if (gone.aborted) return;
    if (fault.hang !== true && fault.reset !== 0) entry.status = outgoing.status;
    const chunkLatencyMs = fault.chunkLatencyMs ?? options.chunkLatencyMs ?? 0;
    await send(response, outgoing, { fault: { ...fault, chunkLatencyMs }, gone, onEvent: () => (entry.events += 1) });
    if (!response.writableEnded && !gone.aborted) entry.outcome = 'cut';
  }

  const server = createServer((request, response) => {
    const format = formatFor(pathOf(request));
    const entry = log.add(request, format);
    const counts = format === undefined ? 0 : 1;
    inFlight += counts;
    maxInFlight = Math.max(maxInFlight, inFlight);
    response.once('close', () => {
      inFlight -= counts;
      if (entry.outcome === 'open') entry.outcome = response.writableFinished ? 'sent' : 'gone';
    });
    // A throw here is a bug of the server: the client must not wait for an answer, and the process must hear of it.
    answer(request, response, entry).catch((error: unknown) => {
      response.destroy();
      throw error;
    });
  });
  // Longer than any test: a client must never meet a connection that is just being closed.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    baseUrls: {
      openai: `${url}/v1`,
      anthropic: `${url}/v1`,
      google: `${url}/v1beta`,
      compatible: `${url}/compatible/v1`,
    },
    get requests() {
      return log.requests;
    },
    get inFlight() {
      return inFlight;
    },
    get maxInFlight() {
      return maxInFlight;
    },
    plan(model, plan) {
      if (typeof plan === 'function') plans.set(model, plan);
      else plans.set(model, typeof plan === 'string' ? readPlan(plan) : { replies: plan, loops: false });
    },
    setFaults(faults) {
      chooseFault = chooser(faults);
      faultsFrom = count;
    },
    reset() {
      log.clear();
      plans.clear();
      responder.reset();
      chooseFault = chooser([]);
      faultsFrom = 0;
      count = 0;
      maxInFlight = inFlight;
    },
    close() {
      const closed = new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      });
      server.closeAllConnections();
      return closed;
    },
  };
}

/** Undefined: no fault was chosen, so the reply's own may befall the request. */
function chooser(faults: Faults): (request: FaultedRequest) => Fault | undefined {
  if (typeof faults === 'function') return (request) => unlessOk(readFault(faults(request) ?? 'ok'));
  const list = readFaults(faults);
  return ({ index }) => unlessOk(list[index] ?? NO_FAULT);
}

function unlessOk(fault: Fault): Fault | undefined {
  return fault.words === '' ? undefined : fault;
}

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

/** Undefined when the client goes before it has said all. */
async function readBody(
  request: IncomingMessage,
  gone: AbortSignal,
): Promise<{ text: string; json: Json | undefined } | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch (error) {
    if (gone.aborted) return undefined;
    throw error;
  }
  const text = Buffer.concat(chunks).toString();
  try {
    return { text, json: JSON.parse(text) as Json };
  } catch {
    return { text, json: undefined };
  }
}

function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
}
