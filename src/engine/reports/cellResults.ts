import type { Cell, CellFigures, Check, Trial, Verdict } from '../record.ts';
import { cellName } from '../runs/cellName.ts';
import type { OpenRun } from '../runs/read.ts';
import { quotation } from '../sentence.ts';

/** What reports tell of one cell. */
export interface CellResult {
  cell: Cell;
  name: string;
  /** Null in a run without an end. */
  figures: CellFigures | null;
  outcome: CellOutcome;
  /** By number. Those that never began are not there. */
  trials: readonly TrialResult[];
}

/** `notRun`: cancelled, or never begun. */
type CellOutcome = 'passed' | 'failed' | 'errored' | 'notRun';

export type TrialResult = Omit<Trial, 'kind' | 'cell' | 'transcript'> & Pick<TrialEvidence, 'callIds' | 'lastWords'>;

/** What reports need of a transcript. */
interface TrialEvidence {
  /** In the order in which the calls were made. */
  callIds: readonly string[];
  /** What servers that died during a call said last on stderr, by the number of the call. */
  lastWords: readonly { call: number; lines: readonly string[] }[];
}

/**
 * Reads a run cell by cell, in the order of the plan. Transcripts are left in the file: with them a large run would not
 * fit into memory.
 *
 * @throws McproveError RUN002, RUN005 for a file that is damaged
 */
export async function cellResults(run: OpenRun): Promise<CellResult[]> {
  const results = new Map<string, { cell: Cell; figures: CellFigures | null; trials: TrialResult[] }>();
  for (const figures of run.end?.cells ?? []) results.set(figures.name, { cell: figures.cell, figures, trials: [] });
  for await (const trial of run.trials()) {
    const name = cellName(trial.cell, run.head.models.length > 1);
    const result = results.get(name) ?? { cell: trial.cell, figures: null, trials: [] };
    results.set(name, result);
    const { kind: _kind, cell: _cell, transcript, ...rest } = trial;
    result.trials.push({ ...rest, ...evidenceOf(transcript) });
  }
  return [...results].map(([name, { cell, figures, trials }]) => ({
    cell,
    name,
    figures,
    outcome: figures === null ? outcomeOf(trials) : stateOf(figures),
    trials: trials.sort((a, b) => a.number - b.number),
  }));
}

function evidenceOf({ steps }: Trial['transcript']): TrialEvidence {
  const calls = steps.filter(({ phase }) => phase === 'steps').flatMap((step) => step.calls);
  const lastWords = calls.flatMap(({ error }, index) => {
    const { quoted } = quotation(error?.kind === 'crashed' ? error.text : '');
    return quoted.length === 0 ? [] : [{ call: index + 1, lines: quoted }];
  });
  return { callIds: calls.map(({ id }) => id), lastWords };
}

function stateOf({ state, totals }: CellFigures): CellOutcome {
  if (state !== 'undecided') return state;
  return totals.errored > 0 ? 'errored' : 'notRun';
}

/** Without an end nothing was decided: the worst that was seen counts. */
function outcomeOf(trials: readonly TrialResult[]): CellOutcome {
  const has = (verdict: Verdict) => trials.some((trial) => trial.verdict === verdict);
  if (has('failed')) return 'failed';
  if (has('errored')) return 'errored';
  return has('passed') ? 'passed' : 'notRun';
}

/** The checks that made a trial what it is: the required ones that did not pass and were not left out. */
export function decidingChecks(trial: TrialResult): Check[] {
  return trial.checks.filter(
    ({ role, outcome }) => role === 'required' && (outcome === 'failed' || outcome === 'notMeasured'),
  );
}
