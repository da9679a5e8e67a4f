import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Call } from '../record.ts';
import type { ModelSettings, ScriptReply } from '../suite/model.ts';
import type { Cost, PricedTokens } from './prices.ts';

/** One model of a run. It holds no state of any trial and may serve many at once. */
export interface ModelFactory {
  /** As cells call it: `provider/model`, `scripted`, or the suite's own id for it. */
  readonly id: string;
  readonly provider: string;
  /** Its name at the provider; empty where that has but one. */
  readonly model: string;
  /** What the suite says of the model itself; a case's own settings lie over it. */
  readonly settings: ModelSettings;
  /** Where it is asked; null for a model that is asked nowhere. */
  readonly endpoint: Endpoint | null;
  /**
   * A model for one trial; the provider's code is loaded when the first trial asks for it.
   *
   * @throws McproveError MODEL002 when the trial has nothing that this model could answer with
   */
  forTrial(trial: ModelTrial): Promise<LanguageModelV4>;
  /** What one reply cost. */
  cost(reply: PricedTokens): Promise<Cost>;
  /** Ends its connections; at the end of a run. Safe to call twice, and when no trial ever asked for it. */
  close(): Promise<void>;
}

export interface Endpoint {
  baseUrl: string;
  /** The provider's own, and not one that the suite or the environment names. */
  isOwn: boolean;
  /** Where the key comes from, in words, for messages: `OPENAI_API_KEY`. Null where none is sent. */
  keyName: string | null;
}

/** What a model may know of the trial it serves. A provider's model needs none of it: it sees the prompt. */
export interface ModelTrial {
  script: readonly ScriptReply[] | null;
  /** The calls made so far, in the order in which they were asked for. */
  calls(): readonly Call[];
  /**
   * The name under which the model is offered the tool that a suite calls `weather::get_weather` or `get_weather`;
   * the name itself where no such tool is offered.
   *
   * @throws McproveError TRIAL001 when several servers offer the tool and the name does not say which
   */
  nameOf(tool: string): string;
}
