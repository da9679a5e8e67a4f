import type { JSONSchema7, LanguageModelV4 } from '@ai-sdk/provider';
import { dynamicTool, generateText, isStepCount, jsonSchema, type ToolSet } from 'ai';
import { McproveError } from '../errors.ts';
import type { ModelFactory } from '../models/index.ts';
import type { Call, OfferedTool, TrialEnd } from '../record.ts';
import type { Connection } from '../servers/connection.ts';
import type { Case, ModelSettings } from '../suite/model.ts';
import { saidSettings, settingsFor, withToolChoice } from './askSettings.ts';
import { type Conversation, startConversation } from './conversation.ts';
import { costOfReplies } from './costOfReplies.ts';
import { observeModel } from './observedModel.ts';
import { performCall } from './performCall.ts';
import { providerFailure } from './providerFailure.ts';
import { offerTools, type ToolOffer } from './toolOffer.ts';
import type { Acted, TrialContext } from './trialContext.ts';
import { sumUsage } from './usage.ts';

/** Whether the calls made so far are all that a case's route asks for. */
export type RouteMet = (
  calls: readonly Call[],
  seen: { offered: readonly OfferedTool[]; toolListChanged: boolean },
) => boolean;

/** Lets a model answer a prompt and call tools until it is done, or its case says that this is enough. */
export async function converse(
  options: {
    testCase: Case;
    prompt: string;
    model: ModelFactory;
    connections: readonly Connection[];
    routeMet: RouteMet | undefined;
  },
  context: TrialContext,
): Promise<Acted> {
  const { testCase, prompt, connections, routeMet } = options;
  const { clock, log, stopper } = context;
  const startMs = clock.now();
  const tools = offerTools(connections, testCase.tools);
  const conversation = startConversation(context, { tools, execute: testCase.execute !== false });

  let arrived = false;
  /** Asked by the SDK after every reply whose calls were all made. */
  function isEnough(): boolean {
    if (testCase.execute !== 'untilExpected' || routeMet === undefined) return false;
    const toolListChanged = connections.some((connection) => connection.toolListChanged);
    arrived = routeMet(log.calls, { offered: tools.ever, toolListChanged });
    return arrived;
  }

  const settings = settingsFor(testCase, options.model.settings);
  const { temperature, maxOutputTokens, seed } = settings;
  const model = await takeModel(options.model, { testCase, settings, tools }, context);
  if (model !== null) {
    const generating = generateText({
      model: observeModel(model, options.model, conversation, context),
      ...(testCase.system === null ? {} : { instructions: testCase.system }),
      prompt,
      ...(temperature === null ? {} : { temperature }),
      ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
      ...(seed === null ? {} : { seed }),
      ...loopTools(tools, conversation, context),
      stopWhen: [isStepCount(testCase.maxTurns), isEnough],
      maxRetries: 0,
      abortSignal: stopper.signal,
      telemetry: { isEnabled: false },
    });
    try {
      await stopper.race(generating);
    } catch (error) {
      if (!stopper.signal.aborted) throw error;
    }
  }

  const { replies } = conversation;
  return {
    offered: [...tools.ever],
    withheld: [...tools.withheld],
    step: {
      kind: 'prompt',
      phase: 'steps',
      input: {
        prompt,
        ...(testCase.system === null ? {} : { system: testCase.system }),
        ...saidSettings(settings),
      },
      replies: [...replies],
      calls: [...log.calls],
      durationMs: clock.since(startMs),
    },
    end: stopper.end() ?? endOf(conversation, testCase, arrived),
    usage: sumUsage(replies.map((reply) => reply.usage)),
    ...(await costOfReplies(options.model, replies)),
  };
}

/** Null when the model cannot be had, which ends the trial. */
async function takeModel(
  factory: ModelFactory,
  { testCase, settings, tools }: { testCase: Case; settings: ModelSettings; tools: ToolOffer },
  { log, stopper }: TrialContext,
): Promise<LanguageModelV4 | null> {
  const trial = { script: testCase.script, calls: () => log.calls, nameOf: tools.nameOf };
  try {
    return withToolChoice(await stopper.race(factory.forTrial(trial)), settings.toolChoice, tools);
  } catch (error) {
    if (!stopper.signal.aborted && !(error instanceof McproveError)) throw error;
    stopper.stop(providerFailure(error, factory));
    return null;
  }
}

/** The tools of the loop: one set for the whole trial, in which tools come and go as the servers' lists do. */
function loopTools(offer: ToolOffer, conversation: Conversation, context: TrialContext) {
  const tools: ToolSet = {};
  function fill(): void {
    for (const alias of Object.keys(tools)) delete tools[alias];
    for (const { alias, tool } of offer.now()) {
      tools[alias] = dynamicTool({
        ...(tool.description === '' ? {} : { description: tool.description }),
        // Without `validate` it checks nothing: wrong arguments reach the server, as they do in a real host.
        inputSchema: jsonSchema(tool.inputSchema as JSONSchema7),
        execute,
      });
    }
  }
  async function execute(_: unknown, { toolCallId }: { toolCallId: string }): Promise<string> {
    const made = conversation.toMake(toolCallId);
    if (made === undefined) return toolCallId;
    try {
      await performCall(made.call, made.to.connection, context);
      conversation.tell(made.call);
    } catch (bug) {
      // The SDK would tell the model of it and go on.
      context.stopper.crash(bug);
    }
    return toolCallId;
  }
  fill();
  return {
    tools,
    prepareStep: () => {
      if (offer.refresh()) fill();
      return undefined;
    },
  };
}

function endOf(conversation: Conversation, testCase: Case, arrived: boolean): TrialEnd {
  const last = conversation.last();
  if (last === null) throw new Error('the loop ended without a reply and without a reason');
  if (arrived) return { kind: 'stoppedEarly' };
  switch (last.finish) {
    case 'length':
      return { kind: 'limit', limit: 'maxOutputTokens', text: 'the reply was cut off at its token limit' };
    case 'content-filter':
      return { kind: 'completed' };
    case 'error':
      return brokenOff('the provider ended the reply with an error');
    case 'interrupted':
      return brokenOff('the reply broke off before its end');
    default:
      if (!last.asks) return { kind: 'completed' };
      if (testCase.execute === false) return { kind: 'stoppedEarly' };
      return {
        kind: 'limit',
        limit: 'maxTurns',
        text: `the model still called tools in reply ${conversation.replies.length}, the last that maxTurns allows`,
      };
  }
}

function brokenOff(text: string): TrialEnd {
  return { kind: 'errored', reason: { stage: 'model', cause: 'provider', text } };
}
