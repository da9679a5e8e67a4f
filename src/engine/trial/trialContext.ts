import type { Attempt, OfferedTool, RunEvent, Step, TrialEnd, Usage } from '../record.ts';
import type { CallLog } from './callLog.ts';
import type { Clock } from './clock.ts';
import type { Stopper } from './stopper.ts';

/** What a trial tells of while it runs. */
export type TrialEvent = Extract<RunEvent, { type: 'reply' | 'callStarted' | 'callEnded' }>;

/** What everything that acts in one trial shares. */
export interface TrialContext {
  trialId: string;
  clock: Clock;
  log: CallLog;
  stopper: Stopper;
  onEvent(event: TrialEvent): void;
}

/** What a subject comes to. */
export interface Acted extends Pick<Attempt, 'costUsd' | 'unpriced'> {
  offered: OfferedTool[];
  step: Step;
  end: TrialEnd;
  usage: Usage;
}
