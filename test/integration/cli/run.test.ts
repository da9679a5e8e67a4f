/** The built command line against a real server: what it prints, what it leaves behind, how it ends. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { erroring, failing, foreign, passing } from './suites.ts';
import { ended, printed, Workspace } from './workspace.ts';

let workspace: Workspace;

beforeEach(() => {
  workspace = new Workspace();
});

afterEach(async () => {
  await workspace.serversGone(3000);
  workspace.remove();
});

describe('a run', () => {
  test('that passes', async () => {
    workspace.write('good.eval.yaml', passing);
    const { code, out, err } = await workspace.run(['run', 'good.eval.yaml', '--note', 'first try']);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual(
      expect.arrayContaining([
        'good.eval.yaml  2 cells · 2 trials · scripted',
        expect.stringMatching(/^✓ passed good\.eval\.yaml › echoes \(\d+ ms\)$/),
        expect.stringMatching(/^PASSED {2}2 cells · 2 trials · \d+ ms$/),
        'note     first try',
        'exit     0: passed',
      ]),
    );
    expect(out).not.toContain('\u001b');
    const [run] = workspace.runs();
    expect(run?.head).toMatchObject({
      note: 'first try',
      origin: 'cli',
      suite: { path: 'good.eval.yaml' },
      toolVersion: '0.1.0',
    });
    expect(run?.end).toMatchObject({ decision: 'passed', totals: { passed: 2 } });
    expect(out).toContain(join('.mcprove', 'runs', readdirSync(join(workspace.folder, '.mcprove/runs'))[0] ?? ''));
  });

  test('that fails explains the argument, at its place', async () => {
    workspace.write('bad.eval.yaml', failing);
    const { code, out, err } = await workspace.run(['run']);
    expect(err).toBe('');
    expect(code).toBe(1);
    for (const words of [
      /✗ failed bad\.eval\.yaml › wrong-argument \(\d+ ms\): tool called: echo .*"hullo".*"hello"/,
      '  prompt: Say hello.',
      '  connected ✓  discovered ✓  selected ✓  called ✗',
      '    bad.eval.yaml:8:23\n    8 │       - echo: { text: hello }\n      │                       ^^^^^',
      '          expected  actual\n    text  "hello"   "hullo"',
      '    ~ 1 echo { text: "hullo" }  argument mismatch',
      'FAILED\n  · wrong-argument: 0 of 1 trial passed (0%), the bar is 100%.',
      /look {5}mcprove show \S{12} wrong-argument#1/,
      'exit     1: a cell failed',
    ]) {
      expect(out).toMatch(words);
    }
  });

  test('whose server does not start is inconclusive, and tells the cause once', async () => {
    workspace.write('errors.eval.yaml', erroring);
    const { code, out } = await workspace.run(['run']);
    expect(code).toBe(3);
    expect(out).toContain('! 2 trials errored, all for one cause\n  first, second\n  connected ✗\n');
    expect(out).toContain('stderr line 30');
    expect(out).toContain('INCONCLUSIVE');
    expect(out).toContain('exit     3: inconclusive');
  });

  test('of several suites ends with the worst of their codes, one run file each', async () => {
    workspace.write('a.eval.yaml', passing);
    workspace.write('b.eval.yaml', erroring);
    workspace.write('c.eval.yml', failing);
    const { code, out } = await workspace.run(['run']);
    expect(code).toBe(1);
    expect(
      workspace
        .runs()
        .map(({ head }) => head.suite.path)
        .sort(),
    ).toEqual(['a.eval.yaml', 'b.eval.yaml', 'c.eval.yml']);
    expect(out).toMatch(
      /\npassed {8}a\.eval\.yaml {2}2 passed\ninconclusive {2}b\.eval\.yaml {2}2 errored\n {14}mcprove show \S{12}\nfailed {8}c\.eval\.yml {3}1 passed, 1 failed\n/,
    );
  });

  test('with a broken suite runs the others, and ends with 2', async () => {
    workspace.write('a.eval.yaml', passing);
    workspace.write('b.eval.yaml', passing.replace('prompt:', 'promt:'));
    const { code, err } = await workspace.run(['run']);
    expect(code).toBe(2);
    expect(err).toMatch(/^b\.eval\.yaml:7:5 error SUITE002 .*promt.*prompt/m);
    expect(err).not.toContain('│');
    expect(workspace.runs()).toHaveLength(1);
  });

  test('says in a terminal and in a log the same, without a stack trace', async () => {
    workspace.write('good.eval.yaml', passing);
    const { out } = await workspace.run(['run'], { FORCE_COLOR: '1', CI: 'true' });
    expect(out).toContain('\u001b[32m');
    expect(workspace.runs()[0]?.head).toMatchObject({ origin: 'ci', ci: 'CI' });
  });
});

describe('what cannot be run', () => {
  const rows: { what: string; files: Record<string, string>; args: string[]; err: RegExp }[] = [
    { what: 'no suite at all', files: {}, args: ['run'], err: /^error FIND002 no suite found in this folder\./ },
    {
      what: 'a file that is not there',
      files: {},
      args: ['run', 'x.eval.yaml'],
      err: /^error FIND001 .*"x\.eval\.yaml"/,
    },
    {
      what: 'a foreign file that was named',
      files: { 'their.eval.yaml': foreign },
      args: ['run', 'their.eval.yaml'],
      err: /^error FIND003 their\.eval\.yaml is not a suite of MCProve: it looks like a suite of promptfoo, .+/,
    },
    {
      what: 'only foreign files',
      files: { 'their.eval.yaml': foreign },
      args: ['run'],
      err: /error FIND002 no suite found/,
    },
    {
      what: 'a cell that does not exist',
      files: { 'a.eval.yaml': passing },
      args: ['run', '-t', 'echos'],
      err: /^error PLAN001 .*Did you mean "echoes"\?/,
    },
    {
      what: 'a tag that does not exist',
      files: { 'a.eval.yaml': passing },
      args: ['run', '--tag', 'x'],
      err: /^error PLAN002/,
    },
    {
      what: 'a suite of which everything is skipped',
      files: { 'a.eval.yaml': passing.replaceAll('  - id:', '  - skip: later\n    id:') },
      args: ['run'],
      err: /^error PLAN007 .*2 × later/,
    },
    {
      what: 'an unknown model',
      files: { 'a.eval.yaml': passing },
      args: ['run', '--model', 'scriptd'],
      err: /error MODEL001 .*Did you mean "scripted"\?/,
    },
    {
      what: 'a server that is defined nowhere',
      files: { 'a.eval.yaml': passing.replace(/ {2}fault: .*/, '  falt: {}') },
      args: ['run'],
      err: /^a\.eval\.yaml:3:3 error SUITE006/,
    },
    {
      what: 'a misspelt option',
      files: {},
      args: ['run', '--tags', 'x'],
      err: /unknown option '--tags'\n\(Did you mean --tag\?\)/,
    },
    {
      what: 'a report in a place where none can be',
      files: { 'a.eval.yaml': passing, file: '' },
      args: ['run', '--reporter', 'json=file/report.json'],
      err: /^error REPORT001/,
    },
  ];

  test.for(rows)('$what: exit 2, told on stderr', async ({ files, args, err: expected }) => {
    for (const [name, text] of Object.entries(files)) workspace.write(name, text);
    const { code, out, err } = await workspace.run(args);
    expect(err).toMatch(expected);
    expect(err).not.toMatch(/^\s+at /m);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('a foreign file among others is passed over in one line', async () => {
    workspace.write('a.eval.yaml', passing);
    workspace.write('their.eval.yaml', foreign);
    const { code, err } = await workspace.run(['run']);
    expect(code).toBe(0);
    expect(err).toMatch(/^their\.eval\.yaml is passed over: .+\n$/);
  });
});

describe('a selection', () => {
  beforeEach(() => {
    workspace.write('a.eval.yaml', passing);
    workspace.write('b.eval.yaml', failing);
  });

  /** `suite › trial` of every trial in the run files. */
  const trials = () =>
    workspace
      .runs()
      .flatMap(({ head, trials: all }) => all.map(({ id }) => `${head.suite.path} › ${id}`))
      .sort();

  test('by cell takes what fits, in whichever suite', async () => {
    const { code, err } = await workspace.run(['run', '-t', 'echoes', '-t', 'f*']);
    expect(code).toBe(0);
    expect(err).toBe('');
    expect(trials()).toEqual(['a.eval.yaml › echoes#1', 'b.eval.yaml › fine#1']);
  });

  test('that one of the suites has nothing of is no mistake', async () => {
    const { code, err } = await workspace.run(['run', 'a.eval.yaml', 'b.eval.yaml', '--tag', 'smoke']);
    expect(code).toBe(0);
    expect(err).toMatch(/^b\.eval\.yaml has nothing to run: .+\n$/);
    expect(trials()).toEqual(['a.eval.yaml › echoes#1']);
  });

  test('with a pattern that fits nothing anywhere runs nothing', async () => {
    const { code, err } = await workspace.run(['run', '-t', 'echoes', '-t', 'typo']);
    expect(code).toBe(2);
    expect(err).toContain('no cell of any suite fits "typo"');
    expect(trials()).toEqual([]);
  });

  test('--trials, --model and --match override', async () => {
    const { code, out } = await workspace.run([
      'run',
      'b.eval.yaml',
      '--trials',
      '3',
      '--model',
      'scripted',
      '--match',
      'arguments=ignore',
    ]);
    expect(code).toBe(0);
    expect(trials()).toHaveLength(6);
    expect(out).toContain('✓ wrong-argument  3/3  100%  (44%–100%)');
    expect(out).toContain('rate     100% of trials passed, 95% interval 61%–100%');
  });

  test('--bail stops after as many failed cells', async () => {
    const { code, out } = await workspace.run(['run', 'b.eval.yaml', '--bail', '1', '--concurrency', '1']);
    expect(code).toBe(1);
    expect(out).toContain('1 never begun');
  });

  test('--failed runs again what did not pass', async () => {
    expect((await workspace.run(['run'])).code).toBe(1);
    const again = await workspace.run(['run', '--failed']);
    expect(again.code).toBe(1);
    expect(again.err).toMatch(/^a\.eval\.yaml has nothing to run: .+\n$/);
    expect(
      workspace
        .runs()
        .at(-1)
        ?.trials.map(({ id }) => id),
    ).toEqual(['wrong-argument#1']);
  });
});

describe('reports', () => {
  test('json on stdout is nothing but JSON', async () => {
    workspace.write('a.eval.yaml', failing);
    const { code, out, err } = await workspace.run(['run', '--reporter', 'json=-']);
    expect(code).toBe(1);
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      format: 1,
      runs: [{ decision: 'failed', suite: { path: 'a.eval.yaml' } }],
    });
  });

  test('list goes to stderr where another has stdout', async () => {
    workspace.write('a.eval.yaml', passing);
    const { out, err } = await workspace.run(['run', '--reporter', 'json', '--reporter', 'list']);
    expect(JSON.parse(out)).toMatchObject({ runs: [{ decision: 'passed' }] });
    expect(err).toContain('PASSED');
  });

  test('files get all runs, in folders that are made for them', async () => {
    workspace.write('a.eval.yaml', passing);
    workspace.write('b.eval.yaml', failing);
    const { code, out } = await workspace.run([
      'run',
      '--reporter',
      'junit=reports/junit.xml',
      '--reporter',
      'json=reports/run.json',
    ]);
    expect(code).toBe(1);
    expect(out).toContain('PASSED');
    expect(workspace.read('reports/junit.xml')).toMatch(/<testsuites name="mcprove" tests="4" failures="1" errors="0"/);
    expect(JSON.parse(workspace.read('reports/run.json')).runs).toHaveLength(2);
  });

  test('a reader that has seen enough is no error', async () => {
    workspace.write('a.eval.yaml', failing);
    const child = workspace.start(['run', '--trials', '20']);
    const end = ended(child);
    await printed(child, 'cells');
    child.stdout?.destroy();
    const { code, err } = await end;
    expect(err).toBe('');
    expect(code).toBe(1);
    expect(workspace.runs()[0]?.end?.totals.planned).toBe(40);
  });

  test('a report that cannot be written any more makes the end 2', async () => {
    workspace.write(
      'a.eval.yaml',
      passing
        .replace('tool: add', 'tool: sleep')
        .replace('{ a: 1, b: 2 }', '{ ms: 500 }')
        .replace('    expect: { json: { sum: 3 } }\n', ''),
    );
    const child = workspace.start(['run', '--reporter', 'json=out/report.json']);
    const end = ended(child);
    await printed(child, 'cells');
    mkdirSync(join(workspace.folder, 'out/report.json'));
    const { code, err } = await end;
    expect(err).toMatch(/^error REPORT001 the report out\/report\.json cannot be written/);
    expect(code).toBe(2);
  });
});
