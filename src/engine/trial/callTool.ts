import { McproveError } from '../errors.ts';
import type { TrialEnd } from '../record.ts';
import type { Connection } from '../servers/connection.ts';
import type { Subject } from '../suite/model.ts';
import { errorText } from './errorText.ts';
import { performCall } from './performCall.ts';
import { allTools, noSuchTool, type Offer, toolNamed } from './toolNames.ts';
import type { Acted, TrialContext } from './trialContext.ts';
import { NO_USAGE } from './usage.ts';

type ToolSubject = Extract<Subject, { kind: 'tool' }>;

/**
 * Makes the one call of a `tool` case. A tool that no server offers is evidence, graded like any failed call; a name that
 * several servers offer is a mistake of the suite, for nobody can say which of them was to be tested.
 */
export async function callTool(
  subject: ToolSubject,
  connections: readonly Connection[],
  context: TrialContext,
): Promise<Acted> {
  const { clock, log, stopper } = context;
  const startMs = clock.now();
  const offers = allTools(connections);
  const end = await makeCall(subject, offers, context);
  return {
    offered: offers.map(({ tool }) => ({ server: tool.server, tool: tool.name, hash: tool.hash })),
    step: {
      kind: 'tool',
      phase: 'steps',
      input: { tool: subject.tool, arguments: subject.arguments },
      replies: [],
      calls: [...log.calls],
      durationMs: clock.since(startMs),
    },
    end: stopper.end() ?? end,
    usage: NO_USAGE,
    costUsd: null,
  };
}

async function makeCall(subject: ToolSubject, offers: readonly Offer[], context: TrialContext): Promise<TrialEnd> {
  let found: Offer | undefined;
  try {
    found = toolNamed(subject.tool, offers);
  } catch (error) {
    if (!(error instanceof McproveError)) throw error;
    return { kind: 'errored', reason: { stage: 'config', cause: 'config', text: errorText(error) } };
  }
  const { log } = context;
  const call = log.add({
    id: 'call-1',
    by: 'runner',
    server: found?.tool.server ?? null,
    tool: found?.tool.name ?? subject.tool,
    arguments: subject.arguments,
  });
  if (found === undefined) {
    const isQualified = subject.tool.includes('::');
    const known = new Set(offers.map(({ tool }) => (isQualified ? `${tool.server}::${tool.name}` : tool.name)));
    const text = noSuchTool(subject.tool, [...known]);
    log.finish(call, { error: { kind: 'unknownTool', text }, argumentsValid: null, resultValid: null });
  } else {
    await performCall(call, found.connection, context);
  }
  return { kind: 'completed' };
}
