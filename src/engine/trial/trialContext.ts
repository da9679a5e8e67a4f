import type { Gate } from '../models/limits/index.ts';
import type { Attempt, OfferedTool, RunEvent, Step, Transcript, TrialEnd, Usage } from '../record.ts';
import type { CallLog } from './callLog.ts';
import type { Clock } from './clock.ts';
import type { Stopper } from './stopper.ts';

/** What a trial tells of while it runs. */
export type TrialEvent = Extract<RunEvent, { type: 'reply' | 'callStarted' | 'callEnded' | 'waiting' }>;

/** What limits requests and calls, for all trials of a run together. */
export interface Gates {
  /** Before the model's provider. */
  model?: Gate | undefined;
  /** Before each server, by its name. */
  servers?: ReadonlyMap<string, Gate>;
  /** In [0, 1), for the jitter of waits. */
  random?: (() => number) | undefined;
}

/** What everything that acts in one trial shares. */
export interface TrialContext {
  trialId: string;
  clock: Clock;
  log: CallLog;
  stopper: Stopper;
  gates: Gates;
  /** Tells that the trial waits, or goes on (null): meanwhile neither its clock nor its timeout runs. */
  onWaiting(text: string | null): void;
  onEvent(event: TrialEvent): void;
}

/** What a subject comes to. */
export interface Acted extends Pick<Attempt, 'costUsd' | 'unpriced'> {
  offered: OfferedTool[];
  withheld?: Transcript['withheld'];
  step: Step;
  end: TrialEnd;
  usage: Usage;
}
