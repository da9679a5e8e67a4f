import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Call } from '../record.ts';
import type { ScriptReply } from '../suite/model.ts';

/** One model of a run. It holds no state of any trial and may serve many at once. */
export interface ModelFactory {
  /** As written in the suite: `provider/model`, or `scripted`. */
  readonly id: string;
  /**
   * A model for one trial; the provider's code is loaded when the first trial asks for it.
   *
   * @throws McproveError MODEL002 when the trial has nothing that this model could answer with
   */
  forTrial(trial: ModelTrial): Promise<LanguageModelV4>;
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
