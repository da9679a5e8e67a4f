import { McproveError } from '../errors.ts';
import type { Json } from '../record.ts';
import type { Redactor } from '../runs/index.ts';
import { type CallOutcome, createServerPool, type Lease, type ServerDefinition, type Tool } from '../servers/index.ts';
import { nearest, readSuite } from '../suite/index.ts';
import type { AuthoringCode } from './codes.ts';
import { expectationFrom, textOf } from './expectation.ts';
import { type PickedTool, pickTools } from './pickTools.ts';
import { suiteText } from './suiteText.ts';

/** Tools that are tried, when the first one's answer to made-up arguments is an error. */
const MOST_TRIES = 4;

export interface FirstSuiteRequest {
  server: ServerDefinition;
  /** Null: the one that fits best. */
  tool: string | null;
  fileName: string;
  env: NodeJS.ProcessEnv;
  /** Told of the server's secrets already. */
  redactor: Redactor;
  /** Aborted: everything is ended. */
  signal: AbortSignal;
  /** Asked before a tool is called that is not annotated as read-only. */
  mayCall(tool: string): Promise<boolean>;
}

type TriedCall =
  | { kind: 'succeeded' }
  /** In the server's words, and the arguments that were most likely wrong. */
  | { kind: 'failed'; text: string; fillIn: readonly string[] }
  /** It may change something, and nobody allowed it. */
  | { kind: 'notMade' };

export interface FirstSuite {
  text: string;
  tool: string;
  /** How many tools the server offers. */
  tools: number;
  call: TriedCall;
}

/**
 * Starts the server, picks a tool, tries it where that is safe or allowed, and writes a suite for it. The server is ended
 * before this returns.
 *
 * @throws ServerStartError
 * @throws McproveError INIT003 for a tool that there is not, INIT004 where there is none to write a case for
 * @throws the signal's reason when it aborts
 */
export async function draftFirstSuite(request: FirstSuiteRequest): Promise<FirstSuite> {
  const { server, env, signal } = request;
  const pool = createServerPool([server], { runId: 'init', env });
  try {
    const lease = await pool.lease(signal);
    const tools = lease.connections[0]?.tools ?? [];
    const picked = choose(tools, request);
    const tried = await tryThem(picked, lease, request);
    signal.throwIfAborted();
    return { tools: tools.length, ...draft(tried, request) };
  } finally {
    await pool.close();
  }
}

function choose(tools: readonly Tool[], { server, tool }: FirstSuiteRequest): PickedTool[] {
  const picked = pickTools(tools);
  if (tool === null) {
    if (picked.length > 0) return picked;
    const message = `server "${server.name}" offers no tool${tools.length === 0 ? '' : ' that a suite can hold'}`;
    throw new McproveError('INIT004' satisfies AuthoringCode, message, {
      hint: 'A suite can only call tools; look at it with `mcprove doctor`.',
    });
  }
  const found = picked.filter(({ tool: { name } }) => name === tool);
  if (found.length > 0) return found;
  if (tools.some(({ name }) => name === tool)) {
    throw new McproveError(
      'INIT004' satisfies AuthoringCode,
      `no suite can hold the tool "${tool}" with its arguments`,
      {
        hint: 'Its name is a pattern to a suite, or an argument has a reserved key.',
      },
    );
  }
  const names = picked.map(({ tool: { name } }) => name);
  const near = nearest(tool, names);
  throw new McproveError('INIT003' satisfies AuthoringCode, `server "${server.name}" has no tool "${tool}"`, {
    hint: near === undefined ? `It has ${names.slice(0, 10).join(', ') || 'none'}.` : `Did you mean "${near}"?`,
  });
}

interface Tried extends PickedTool {
  /** Null: not called. */
  outcome: CallOutcome | null;
}

/** The first tool whose call succeeds; else the best one, with what came of it. */
async function tryThem(picked: readonly PickedTool[], lease: Lease, request: FirstSuiteRequest): Promise<Tried> {
  const [connection] = lease.connections;
  let best: Tried | null = null;
  for (const candidate of picked.slice(0, MOST_TRIES)) {
    const { name, annotations } = candidate.tool;
    const isReadOnly = annotations.readOnlyHint === true;
    // The next ones are only to look for something better, which is no reason to ask again.
    if (!isReadOnly && (best !== null || !(await request.mayCall(name)))) break;
    const outcome = (await connection?.call(name, candidate.sample.arguments, request.signal)) ?? null;
    if (outcome !== null && succeeded(outcome)) return { ...candidate, outcome };
    best ??= { ...candidate, outcome };
  }
  const [first] = picked;
  if (best !== null) return best;
  if (first === undefined) throw new Error('There is no tool to try.');
  return { ...first, outcome: null };
}

function draft(
  { tool, sample, outcome }: Tried,
  request: FirstSuiteRequest,
): Pick<FirstSuite, 'text' | 'tool' | 'call'> {
  const { server, fileName, redactor } = request;
  const call = callOf({ tool, sample, outcome }, redactor);
  const text = suiteText({
    server: server.name,
    fileName,
    tool: tool.name,
    arguments: sample.arguments,
    fillIn: call.kind === 'failed' ? call.fillIn : [],
    expect: expectationFrom(call.kind === 'succeeded' ? outcome : null, tool, sample.arguments),
    hasText: call.kind === 'succeeded' && textOf(outcome) !== '',
  });
  refuseUnreadable(text, server);
  return { text, tool: tool.name, call };
}

/** Names and values come from strangers; what the reader does not take is not worth keeping. */
function refuseUnreadable(text: string, { name }: ServerDefinition): void {
  const read = readSuite(text, { file: '/first.eval.yaml', workspace: '/' });
  if (read.kind === 'suite') return;
  const [problem] = read.kind === 'broken' ? read.problems : [];
  const message = `no suite can be written for server "${name}": ${problem?.message ?? 'it cannot be read'}`;
  throw new McproveError('INIT004' satisfies AuthoringCode, message, { hint: 'Take another tool with --tool.' });
}

function callOf({ sample, outcome }: Tried, redactor: Redactor): TriedCall {
  if (outcome === null) return { kind: 'notMade' };
  if (succeeded(outcome)) return { kind: 'succeeded' };
  const words: Json = outcome.error?.text ?? textOf(outcome);
  const { guessed } = sample;
  const fillIn = guessed.length > 0 ? guessed : Object.keys(sample.arguments);
  return { kind: 'failed', text: String(redactor.redact(words)), fillIn };
}

function succeeded({ result, error }: CallOutcome): boolean {
  return result !== undefined && !result.isError && error === undefined;
}
