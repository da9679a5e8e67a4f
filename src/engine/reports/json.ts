import type { Json, RunEnd, RunHead } from '../record.ts';
import type { OpenRun } from '../runs/read.ts';
import { cellResults } from './cellResults.ts';

/**
 * Runs as one JSON value for machines: of each run its head (without the copy of the suite), its figures, and cell by cell
 * every trial with its checks. Transcripts stay in the run file, which `file` names.
 *
 * @returns `{ format: 1, runs: [{ file, …head, …end, cells: [{ …figures, outcome, trials }] }] }`; `decision` and the
 *   figures are null or absent for a run without an end
 * @throws McproveError RUN002, RUN005 for a run file that is damaged
 */
export async function jsonReport(runs: readonly OpenRun[]): Promise<Json> {
  const reports: object[] = [];
  for (const run of runs) reports.push(await runReport(run));
  // All of it was read from JSON, so there is nothing in it that JSON cannot hold.
  const report: unknown = { format: 1, runs: reports };
  return report as Json;
}

async function runReport(run: OpenRun): Promise<object> {
  const cells = (await cellResults(run)).map(({ figures, ...result }) => ({ ...figures, ...result }));
  return { file: run.file, ...headFacts(run.head), ...endFacts(run.end), cells };
}

function headFacts(head: RunHead): object {
  const { kind: _kind, format: _format, suite, servers: _servers, ...facts } = head;
  const { snapshot: _snapshot, ...suiteFacts } = suite;
  return { ...facts, suite: suiteFacts };
}

function endFacts(end: RunEnd | null): object {
  if (end === null) return { decision: null };
  const { kind: _kind, trials: _trials, cells: _cells, ...facts } = end;
  return facts;
}
