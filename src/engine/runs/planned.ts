import type { Cell, PlannedTrial } from '../record.ts';
import type { Case } from '../suite/model.ts';

/** What planning has to know of the machine. */
export interface PlanEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
}

export interface PlannedCell {
  cell: Cell;
  name: string;
  /** With the overrides laid over it. */
  case: Case;
  /** How many. */
  trials: number;
  /** The share of its gradeable trials that must pass, in [0, 1]. */
  bar: number;
}

export interface Plan {
  /** In the order in which they were named. */
  models: readonly string[];
  cells: readonly PlannedCell[];
  /** By cell. */
  trials: readonly PlannedTrial[];
  /** Selected, but not to be run. They are in no other figure. */
  skipped: readonly { cell: string; reason: string }[];
  /** Patterns of the selection that no cell of this suite fits; an error only where no other suite has one that does. */
  unmatched: readonly string[];
}
