import type { Json, RunEnd, RunHead } from '../record.ts';
import type { OpenRun } from '../runs/read.ts';
import { cellResults } from './cellResults.ts';
import type { UnrunSuite } from './unrunSuite.ts';

/**
 * Runs as one JSON value for machines: of each run its head (without the copy of the suite), its figures, and cell by cell
 * every trial with its checks. Transcripts stay in the run file, which `file` names.
 *
 * @param unrun suites that were asked for and have no run
 * @returns `{ format: 1, runs: [{ file, …head, …end, cells: [{ …figures, outcome, trials }] }], notRun: [{ suite, state,
 *   message, problems }] }`; `decision` and the figures are null or absent for a run without an end
 * @throws McproveError RUN002, RUN005 for a run file that is damaged
 */
export async function jsonReport(runs: readonly OpenRun[], unrun: readonly UnrunSuite[] = []): Promise<Json> {
  const reports: object[] = [];
  for (const run of runs) reports.push(await runReport(run));
  // All of it was read from JSON, so there is nothing in it that JSON cannot hold.
  const report: unknown = { format: 1, runs: reports, notRun: unrun.map(unrunReport) };
  return report as Json;
}

async function runReport(run: OpenRun): Promise<object> {
  const cells = (await cellResults(run)).map(({ figures, trials, ...result }) => ({
    ...figures,
    ...result,
    trials: trials.map(({ callIds: _callIds, lastWords: _lastWords, ...trial }) => trial),
  }));
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

function unrunReport({ path, state, message, problems }: UnrunSuite): object {
  return {
    suite: { path },
    state,
    message,
    problems: problems.map(({ code, severity, message: text, hint, range }) => {
      const { line, column } = range.start;
      return { code, severity, message: text, ...(hint === undefined ? {} : { hint }), line, column };
    }),
  };
}
