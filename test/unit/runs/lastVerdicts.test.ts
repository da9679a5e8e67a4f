import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Cell, CellFigures, RunEnd, Trial, Verdict } from '../../../src/engine/record.ts';
import { RunFile, runsFolderOf } from '../../../src/engine/runs/file.ts';
import { lastVerdicts, needsRun } from '../../../src/engine/runs/lastVerdicts.ts';
import { Redactor } from '../../../src/engine/runs/redact.ts';
import { newRunId } from '../../../src/engine/runs/runId.ts';
import { sampleEnd, sampleFigures, sampleHead, sampleTrial, totalsOf } from './samples.ts';

const path = 'a.eval.yaml';
let workspace = '';
let second = 0;

beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'mcprove-last-'));
  second = 0;
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

async function write(planned: { trials: number; cells: number }, trials: Trial[], end: RunEnd | null): Promise<void> {
  const startedAt = new Date(Date.UTC(2025, 2, 4, 5, 6, second++));
  const head = sampleHead({
    id: newRunId(startedAt),
    suite: { path, name: 'a', hash: '', snapshot: null },
    startedAt: startedAt.toISOString(),
    planned,
  });
  const file = await RunFile.create(runsFolderOf(workspace), head, new Redactor());
  for (const trial of trials) await file.trial(trial);
  if (end !== null) await file.end(end);
  await file.close();
}

/** A run that ended, later than those before. */
function ended(...cells: CellFigures[]): Promise<void> {
  return write({ trials: cells.length, cells: cells.length }, [], sampleEnd([], { cells }));
}

/** A run that was cut off. */
function cutOff(planned: { trials: number; cells: number }, verdicts: Record<string, Verdict>): Promise<void> {
  const trials = Object.entries(verdicts).map(([id, verdict]) => sampleTrial(id, { verdict }));
  return write(planned, trials, null);
}

const cell = (id: string, model = 'scripted'): Cell => ({ case: id, row: null, variant: null, model });

async function selected(...ids: string[]): Promise<string[]> {
  const cells = ids.map((id) => cell(id));
  const verdicts = (await lastVerdicts(workspace, path, cells)) ?? [];
  return cells.filter((each) => needsRun(verdicts, each)).map((each) => each.case);
}

test('every cell that did not pass: failed, errored, cancelled, never begun, undecided', async () => {
  await ended(
    sampleFigures('passed'),
    sampleFigures('failed', { state: 'failed' }),
    sampleFigures('errored', { state: 'undecided', totals: totalsOf({ errored: 1 }) }),
    sampleFigures('cancelled', { state: 'undecided', totals: totalsOf({ cancelled: 1 }) }),
    sampleFigures('pending', { state: 'undecided', totals: totalsOf({ pending: 1 }) }),
    sampleFigures('undecided', { state: 'undecided', totals: totalsOf({ planned: 2, passed: 1, pending: 1 }) }),
  );
  const all = ['passed', 'failed', 'errored', 'cancelled', 'pending', 'undecided'];
  expect(await selected(...all, 'new')).toEqual(all.slice(1));
});

test('a later run of some cells hides nothing of the others', async () => {
  await ended(sampleFigures('a', { state: 'failed' }), sampleFigures('b', { state: 'failed' }), sampleFigures('c'));
  await ended(sampleFigures('a'));
  await ended(sampleFigures('c', { state: 'failed' }));
  expect(await selected('a', 'b', 'c')).toEqual(['b', 'c']);
});

test('of a run that was cut off what it holds whole has passed, and what it lost has not', async () => {
  await ended(sampleFigures('a'), sampleFigures('b'), sampleFigures('c'));
  await cutOff({ trials: 6, cells: 3 }, { 'a#1': 'passed', 'a#2': 'passed', 'b#1': 'passed' });
  expect(await selected('a', 'b', 'c')).toEqual(['b', 'c']);
});

test('a run that only lost its end hides nothing of cells it did not plan', async () => {
  await ended(sampleFigures('a'), sampleFigures('b', { state: 'failed' }), sampleFigures('c'));
  await cutOff({ trials: 1, cells: 1 }, { 'a#1': 'errored' });
  expect(await selected('a', 'b', 'c')).toEqual(['a', 'b']);
});

test('a case counts for each model on its own, and for one it was never run on as for the others', async () => {
  await ended(sampleFigures('a'), sampleFigures('a', { cell: cell('a', 'acme/one'), state: 'failed' }));
  const cells = ['scripted', 'acme/one', 'acme/two'].map((model) => cell('a', model));
  const verdicts = (await lastVerdicts(workspace, path, cells)) ?? [];
  expect(cells.map((each) => needsRun(verdicts, each))).toEqual([false, true, true]);
});

test('no run at all', async () => {
  expect(await lastVerdicts(workspace, path, [cell('a')])).toBeNull();
});
