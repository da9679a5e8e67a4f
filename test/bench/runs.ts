/**
 * What running costs beyond models and servers: 10,000 scripted trials of two calls each through plan, schedule, grading
 * and the run file, then reading it back, listing 1,000 run files, and the reports. The servers live in this process.
 *
 *     node test/bench/runs.ts [trials]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonReport } from '../../src/engine/reports/json.ts';
import { junitReport } from '../../src/engine/reports/junit.ts';
import { RunFile, runsFolderOf } from '../../src/engine/runs/file.ts';
import { listRuns } from '../../src/engine/runs/list.ts';
import { planRun } from '../../src/engine/runs/plan.ts';
import { openRun } from '../../src/engine/runs/read.ts';
import { Redactor } from '../../src/engine/runs/redact.ts';
import { runSuite } from '../../src/engine/runs/run.ts';
import { newRunId } from '../../src/engine/runs/runId.ts';
import { memoryPool } from '../unit/runs/memoryPool.ts';
import { sampleCase, sampleEnd, sampleFigures, sampleHead, sampleSuite, sampleTrial } from '../unit/runs/samples.ts';

const trials = Number(process.argv[2] ?? 10_000);
const listed = 1000;
const workspace = mkdtempSync(join(tmpdir(), 'mcprove-bench-'));

function print(what: string, figure: number, unit: string): void {
  console.log(`${what.padEnd(44)} ${figure.toFixed(figure < 10 ? 2 : 0).padStart(8)} ${unit}`);
}

async function median(times: number, act: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    await act();
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}

async function runAll(): Promise<string> {
  const script = [
    { at: '', say: null, calls: [{ tool: 'add', arguments: { a: 1, b: 2 } }], fails: null },
    { at: '', say: null, calls: [{ tool: 'look', arguments: { text: 'x'.repeat(200) } }], fails: null },
    { at: '', say: 'Done.', calls: [], fails: null },
  ];
  const cases = Array.from({ length: trials / 10 }, (_, index) => sampleCase(`case-${index}`, { trials: 10, script }));
  const suite = sampleSuite(cases, { workspace, file: join(workspace, 'bench.eval.yaml') });
  const redactor = new Redactor();
  for (let secret = 0; secret < 5; secret++) redactor.add(`sk-bench-${secret}-0123456789abcdef`);
  const { file } = await runSuite({
    plan: planRun(suite, {}, {}, { env: {}, platform: 'linux' }),
    suite,
    servers: [],
    redactor,
    env: {},
    signal: new AbortController().signal,
    onEvent: () => undefined,
    facts: { toolVersion: '0.1.0', origin: 'cli', note: null, git: null, ci: null },
    createPool: () => memoryPool({ add: () => 3, look: () => ({ rows: Array(20).fill('a row of text') }) }),
  });
  return file;
}

async function makeFiles(folder: string): Promise<void> {
  for (let index = 0; index < listed; index++) {
    const startedAt = new Date(1_700_000_000_000 + index * 1000);
    const head = sampleHead({ id: newRunId(startedAt), startedAt: startedAt.toISOString() });
    const file = await RunFile.create(folder, head, new Redactor());
    const { offset, length } = await file.trial(sampleTrial('a#1'));
    const cells = Array.from({ length: 20 }, (_, cell) => sampleFigures(`cell-${cell}`));
    await file.end(sampleEnd([['a#1', 'passed', offset, length]], { cells }));
    await file.close();
  }
}

try {
  const start = performance.now();
  const file = await runAll();
  print(`${trials} trials, run and written`, performance.now() - start, 'ms');
  print('peak memory (RSS)', process.resourceUsage().maxRSS / 1024, 'MB');
  print('size of the run file', statSync(file).size / 1e6, 'MB');
  print('opening it (median of 9)', await median(9, () => openRun(file)), 'ms');
  const run = await openRun(file);
  print('one trial of it (median of 9)', await median(9, () => run.trial(run.entries[trials / 2]?.id ?? '')), 'ms');
  print('JUnit report of it', await median(1, () => junitReport([run])), 'ms');
  print('JSON report of it', await median(1, () => jsonReport([run])), 'ms');
  print('peak memory (RSS) with both', process.resourceUsage().maxRSS / 1024, 'MB');
  const other = join(workspace, 'list');
  await makeFiles(runsFolderOf(other));
  print(`listing ${listed} runs (median of 9)`, await median(9, () => listRuns(other)), 'ms');
} finally {
  rmSync(workspace, { recursive: true });
}
