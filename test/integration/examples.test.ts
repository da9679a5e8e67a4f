/** Every example through the built command line, against the real servers; then the demo that shows them. */
import { spawn } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Check, RunEnd, Trial } from '../../src/engine/record.ts';

const project = join(dirname(fileURLToPath(import.meta.url)), '../..');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcprove-examples-'));
  mkdirSync(join(folder, '.mcprove'));
  for (const name of ['examples', 'dist']) cpSync(join(project, name), join(folder, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Passed and failed trials by suite. Totals rather than names: a new case must be counted in, not only added. */
const suites: { suite: string; code: number; passed: number; failed: number }[] = [
  { suite: 'examples/everything/everything.eval.yaml', code: 0, passed: 6, failed: 0 },
  { suite: 'examples/failing/wrong-city.eval.yaml', code: 1, passed: 1, failed: 1 },
  { suite: 'examples/notes/notes.eval.yaml', code: 0, passed: 9, failed: 0 },
  { suite: 'examples/orders/orders.eval.yaml', code: 0, passed: 8, failed: 0 },
  { suite: 'examples/traces/traces.eval.yaml', code: 0, passed: 2, failed: 0 },
  { suite: 'examples/weather/first.eval.yaml', code: 0, passed: 1, failed: 0 },
  { suite: 'examples/weather/weather.eval.yaml', code: 0, passed: 13, failed: 0 },
];

describe('the example suites', () => {
  test('are all in the table', () => {
    const found = globSync('examples/**/*.eval.yaml', { cwd: project }).map((file) => file.split('\\').join('/'));
    expect(suites.map(({ suite }) => suite)).toEqual(found.sort());
  });

  test.each(suites)('$suite ends with exit code $code', async ({ suite, code, passed, failed }) => {
    const outcome = await run(['dist/cli.js', 'run', suite]);
    const { end } = readRun();
    expect(end.totals, outcome.output).toMatchObject({ planned: passed + failed, passed, failed, errored: 0 });
    expect(outcome.code, outcome.output).toBe(code);
    expect(end.decision).toBe(code === 0 ? 'passed' : 'failed');
    expect(end.warnings).toEqual([]);
  });
});

describe('what single cases are there to show', () => {
  test('the wrong argument is named by path, with what was expected and what came', async () => {
    const { output } = await run(['dist/cli.js', 'run', 'examples/failing/wrong-city.eval.yaml']);
    const [route, response] = checksOf('takes-berlin-for-bern').filter((check) => check.outcome === 'failed');
    expect(route?.diff).toMatchObject([
      {
        kind: 'argumentMismatch',
        tool: 'get_forecast',
        differences: [{ path: '/city', expected: 'Berlin', actual: 'Bern', matcher: 'equals' }],
      },
    ]);
    expect(response?.kind).toBe('responseContains');
    expect(output).toContain('get_forecast');
    expect(output).toContain('"Berlin"');
    expect(output).toContain('"Bern"');
  });

  test('an advisory assertion fails without failing its trial', async () => {
    await run(['dist/cli.js', 'run', 'examples/notes', '-t', 'slow-thinker']);
    const advice = checksOf('slow-thinker').find((check) => check.role === 'advisory');
    expect(advice).toMatchObject({ kind: 'limits', outcome: 'failed', label: 'Answers within three turns' });
  });

  test('execute: false asks for the deletion and deletes nothing', async () => {
    await run(['dist/cli.js', 'run', 'examples/notes/notes.eval.yaml', '-t', 'asks-to-delete']);
    const { trials } = readRun();
    const calls = trials.flatMap((trial) => trial.transcript.steps).flatMap((step) => step.calls);
    expect(calls).toMatchObject([{ tool: 'delete_note', arguments: { id: 'welcome' } }]);
    expect(calls.map((call) => call.result)).toEqual([undefined]);
  });

  test('a refused call does not count as the expected one', async () => {
    await run(['dist/cli.js', 'run', 'examples/orders', '-t', 'a-wrong-first-try-mended']);
    const [trial] = readRun().trials;
    const calls = trial?.transcript.steps.flatMap((step) => step.calls) ?? [];
    expect(calls.map((call) => [call.argumentsValid, call.result?.isError])).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(trial?.verdict).toBe('passed');
  });
});

test('README shows what the failing suite really prints', async () => {
  const readme = readFileSync(join(project, 'README.md'), 'utf8');
  const [command = '', ...shown] = (/^```console\n([\s\S]*?)\n```$/m.exec(readme)?.[1] ?? '').split('\n');
  expect(command).toBe('$ npx mcprove run examples/failing');
  const { output } = await run(['dist/cli.js', ...command.split(' ').slice(3)]);
  const printed = output.split('\n');
  for (const line of shown.filter((line) => line !== '' && line !== '…')) {
    const at = printed.indexOf(line);
    expect(at, `"${line}" in\n${output}`).not.toBe(-1);
    printed.splice(0, at + 1);
  }
});

describe('scripts/demo.ts', () => {
  beforeEach(() => {
    cpSync(join(project, 'scripts'), join(folder, 'scripts'), { recursive: true });
    for (const name of ['src', 'esbuild.mjs', 'package.json', 'package-lock.json']) {
      symlinkSync(join(project, name), join(folder, name));
    }
  });

  test('tells what was seen and ends with 0', async () => {
    const { code, output } = await run(['scripts/demo.ts']);
    expect(code, output).toBe(0);
    expect(output.replace(/\s+/g, ' ')).toContain(
      'called get_forecast with city "Bern", and the suite expects "Berlin"',
    );
    for (const name of readdirSync(join(folder, '.mcprove/runs'))) expect(output).toContain(name);
  });

  test.each([
    {
      what: 'a suite that should pass fails',
      suite: 'weather/first',
      from: "script:\n      - calls:\n          - get_weather: { city: 'Berlin'",
      to: "script:\n      - calls:\n          - get_weather: { city: 'Paris'",
    },
    {
      what: 'the suite that should fail passes',
      suite: 'failing/wrong-city',
      from: "get_forecast: { city: 'Bern', days: 2 }\n      - say: 'Tomorrow it will be sunny in Bern.'",
      to: "get_forecast: { city: 'Berlin', days: 2 }\n      - say: 'Rain in Berlin.'",
    },
    { what: 'the suite that should fail cannot be read', suite: 'failing/wrong-city', from: 'cases:', to: 'casess:' },
  ])('ends with 1 when $what', async ({ suite, from, to }) => {
    for (const other of ['everything', 'notes', 'orders', 'traces', 'weather/weather.eval.yaml']) {
      rmSync(join(folder, 'examples', other), { recursive: true });
    }
    const file = join(folder, `examples/${suite}.eval.yaml`);
    const before = readFileSync(file, 'utf8');
    const after = before.replace(from, to);
    expect(after).not.toBe(before);
    writeFileSync(file, after);
    const { code, output } = await run(['scripts/demo.ts']);
    expect(code, output).toBe(1);
    expect(output).toContain('The demo did not go as it should.');
  });
});

/** Output is stdout and stderr as they came. */
function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** The only run of this test. */
function readRun(): { trials: Trial[]; end: RunEnd } {
  const runs = join(folder, '.mcprove/runs');
  const names = readdirSync(runs);
  expect(names).toHaveLength(1);
  const lines = readFileSync(join(runs, names[0] ?? ''), 'utf8')
    .trimEnd()
    .split('\n');
  const records = lines.map((line): unknown => JSON.parse(line));
  return { trials: records.slice(1, -1).map((record) => Trial.parse(record)), end: RunEnd.parse(records.at(-1)) };
}

function checksOf(caseId: string): Check[] {
  return readRun()
    .trials.filter((trial) => trial.cell.case === caseId)
    .flatMap((trial) => trial.checks);
}
