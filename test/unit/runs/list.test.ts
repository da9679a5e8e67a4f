import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunFile, runsFolderOf } from '../../../src/engine/runs/file.ts';
import { lastVerdicts } from '../../../src/engine/runs/lastVerdicts.ts';
import { listRuns, runsOf } from '../../../src/engine/runs/list.ts';
import { Redactor } from '../../../src/engine/runs/redact.ts';
import { newRunId } from '../../../src/engine/runs/runId.ts';
import { sampleEnd, sampleHead, sampleTrial } from './samples.ts';

/** For tests that read many files, on a machine that is busy with others. */
const patient = { timeout: 30_000 };

let workspace = '';
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'mcprove-list-'));
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

async function run(path: string, second: number, options: { end?: boolean } = {}): Promise<string> {
  const startedAt = new Date(Date.UTC(2025, 2, 4, 5, 6, second));
  const head = sampleHead({
    id: newRunId(startedAt),
    suite: { path, name: path, hash: '', snapshot: { large: true } },
    startedAt: startedAt.toISOString(),
  });
  const file = await RunFile.create(runsFolderOf(workspace), head, new Redactor());
  if (options.end !== false) await file.end(sampleEnd([]));
  await file.close();
  return file.path;
}

async function filesOf(path: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { file } of runsOf(workspace, path)) files.push(file);
  return files;
}

test('a workspace without runs has none', async () => {
  expect(await listRuns(workspace)).toEqual({ runs: [], errors: [] });
  expect(await filesOf('a.eval.yaml')).toEqual([]);
});

test('runs are listed newest first, with what cannot be read beside them', async () => {
  const files: string[] = [];
  for (let second = 0; second < 20; second++) {
    files.unshift(await run(`s${second % 2}.eval.yaml`, second, { end: second !== 7 }));
  }
  const folder = runsFolderOf(workspace);
  await writeFile(join(folder, '2025-01-01T00-00-00Z-x-1.run.jsonl'), 'no run\n');
  await writeFile(join(folder, 'notes.txt'), 'not looked at');
  await mkdir(join(folder, 'folder.run.jsonl'));
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe.run.jsonl')]);
  const { runs, errors } = await listRuns(workspace);
  expect(runs.map(({ file }) => file)).toEqual(files);
  expect(runs.map(({ end }) => end?.decision ?? null).indexOf(null)).toBe(12);
  expect(runs[0]?.head.suite).toEqual({ path: 's1.eval.yaml', name: 's1.eval.yaml', hash: '' });
  expect(errors.map(({ code }) => code)).toEqual(['RUN004']);
});

test('one bad file, cut or spoilt anywhere, hides no other run', patient, async () => {
  const path = 'a.eval.yaml';
  const good = await run(path, 1);
  const bad = join(runsFolderOf(workspace), '2099-01-01T00-00-00Z-a-1.run.jsonl');
  const whole = await readFile(await run(path, 2));
  await rm((await filesOf(path))[0] ?? '');
  const headLength = whole.indexOf('\n');
  const cuts = [0, 1, headLength - 1, headLength, headLength + 1, headLength + 2, whole.length - 2, whole.length - 1];
  const spoilt = [
    ...cuts.map((length) => whole.subarray(0, length)),
    Buffer.concat([whole.subarray(0, headLength), whole.subarray(headLength + 1)]),
    Buffer.concat([whole.subarray(0, headLength), Buffer.alloc(100_000)]),
    Buffer.concat([whole, Buffer.from('\n\n')]),
    Buffer.alloc(100_000, '\n'),
  ];
  for (const bytes of spoilt) {
    await writeFile(bad, bytes);
    const { runs, errors } = await listRuns(workspace);
    expect(runs.at(-1)?.file).toBe(good);
    expect(runs.length + errors.length).toBe(2);
    expect((await filesOf(path)).at(-1)).toBe(good);
    expect(await lastVerdicts(workspace, path, [])).not.toBeNull();
  }
});

test('a folder of runs that is none is told', async () => {
  await writeFile(join(workspace, '.mcprove'), '');
  await expect(listRuns(workspace)).rejects.toMatchObject({ code: 'RUN008' });
});

test.each([
  ['short', 1, 1],
  ['a long head', 100_000, 1],
  ['a long end', 1, 100_000],
  ['both long', 300_000, 300_000],
])('%s: the figures are found', async (_, headLength, endLength) => {
  const head = sampleHead({ note: 'n'.repeat(headLength) });
  const file = await RunFile.create(runsFolderOf(workspace), head, new Redactor());
  const { offset, length } = await file.trial(sampleTrial('a#1'));
  const end = sampleEnd([['a#1', 'passed', offset, length]], { warnings: ['w'.repeat(endLength)] });
  await file.end(end);
  await file.close();
  const { decision, totals, passRate, usage, costUsd, endedAt, durationMs } = end;
  const { runs } = await listRuns(workspace);
  expect(runs[0]?.end).toEqual({ decision, totals, passRate, usage, costUsd, endedAt, durationMs });
  expect(runs[0]?.head.note).toBe(head.note);
});

test('a run whose last trial mentions cells, or whose keys stand in another order, is read all the same', async () => {
  const folder = runsFolderOf(workspace);
  await mkdir(folder, { recursive: true });
  const { kind, cells, ...end } = sampleEnd([], { reasons: [',"cells":[', ',\\"cells":['] });
  const lines = [sampleHead(), { kind, cells, ...end }].map((record) => JSON.stringify(record));
  await writeFile(join(folder, 'x.run.jsonl'), `${lines.join('\n')}\n`);
  await writeFile(join(folder, 'y.run.jsonl'), `${lines[0]}\n${JSON.stringify({ kind, ...end, cells })}\n`);
  const { runs, errors } = await listRuns(workspace);
  expect(errors).toEqual([]);
  expect(runs.map((run) => run.end?.decision)).toEqual(['passed', 'passed']);
});

test('the runs of a suite are those with its path, newest first', async () => {
  const oldest = await run('a/sums.eval.yaml', 1);
  const newest = await run('a/sums.eval.yaml', 3, { end: false });
  await run('b/sums.eval.yaml', 5);
  await run('a/my-sums-2.eval.yaml', 6);
  await writeFile(join(runsFolderOf(workspace), '2099-01-01T00-00-00Z-sums-1.run.jsonl'), '');
  expect(await filesOf('a/sums.eval.yaml')).toEqual([newest, oldest]);
  expect(await filesOf('sums.eval.yaml')).toEqual([]);
});

test('ids sort by time and do not repeat', () => {
  const times = [0, 1, 31, 32, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1];
  const ids = times.map((time) => newRunId(new Date(time)));
  expect(ids).toEqual(ids.toSorted());
  for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(ids.at(-1)?.slice(0, 10)).toBe('7ZZZZZZZZZ');
  expect(new Set(Array.from({ length: 1000 }, () => newRunId(new Date(0)))).size).toBe(1000);
});
