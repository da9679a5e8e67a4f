import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { jsonReport } from '../../../src/engine/reports/index.ts';
import { sampleTrial } from '../runs/samples.ts';
import { sampleRun } from './sampleRun.ts';

test('tells of every run its facts and figures, and of every trial its checks, but not the transcripts', async () => {
  const failed = sampleTrial('b#1', {
    verdict: 'failed',
    reason: { stage: 'toolSelected', cause: 'agent', text: 'why' },
  });
  const run = await sampleRun([sampleTrial('a#2', { number: 2 }), sampleTrial('a#1'), failed], {
    end: { decision: 'failed' },
  });
  const report = await jsonReport([run]);
  expect(report).toMatchObject({
    format: 1,
    runs: [
      {
        file: run.file,
        id: run.head.id,
        suite: { path: 'evals/weather.eval.yaml', name: 'weather' },
        decision: 'failed',
        totals: { planned: 3, passed: 2, failed: 1 },
        cells: [
          { name: 'a', outcome: 'passed', state: 'passed', trials: [{ id: 'a#1' }, { id: 'a#2' }] },
          { name: 'b', outcome: 'failed', trials: [{ id: 'b#1', verdict: 'failed', reason: { text: 'why' } }] },
        ],
      },
    ],
  });
  const text = JSON.stringify(report);
  expect(text).not.toContain('transcript');
  expect(text).not.toContain('snapshot');
  await rm(dirname(run.file), { recursive: true });
});

test('a run without an end has no decision', async () => {
  const run = await sampleRun([sampleTrial('a#1')], { end: null });
  expect(await jsonReport([run])).toMatchObject({
    runs: [{ decision: null, cells: [{ name: 'a', outcome: 'passed' }] }],
  });
  await rm(dirname(run.file), { recursive: true });
});

test('suites without a run stand beside the runs, with what is wrong at its place', async () => {
  const start = { line: 4, column: 5, offset: 9 };
  const range = { file: '/projects/b.eval.yaml', start, end: start };
  const report = await jsonReport(
    [],
    [
      {
        path: 'b.eval.yaml',
        state: 'broken',
        message: 'line 4',
        problems: [{ code: 'SUITE002', severity: 'error', message: 'unknown key', range }],
      },
    ],
  );
  const problems = [{ code: 'SUITE002', severity: 'error', message: 'unknown key', line: 4, column: 5 }];
  expect(report).toEqual({
    format: 1,
    runs: [],
    notRun: [{ suite: { path: 'b.eval.yaml' }, state: 'broken', message: 'line 4', problems }],
  });
});
