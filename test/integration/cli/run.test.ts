/** The built command line against a real server: what it prints, what it leaves behind, how it ends. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { erroring, failing, foreign, passing } from './suites.ts';
import { Workspace } from './workspace.ts';

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

  test.each([
    ['cannot be read', passing.replace('prompt:', 'promt:'), 'SUITE002'],
    ['has no model', passing.replace(/ {4}script:\n(?: {6}.*\n)+/, ''), 'PLAN005'],
    ['names a server that is defined nowhere', passing.replace(/ {2}fault: .*/, '  falt: {}'), 'SUITE006'],
  ])('runs what is sound beside a suite that %s, and tells that at the end', async (_, text, problem) => {
    workspace.write('a.eval.yaml', text);
    workspace.write('b.eval.yaml', passing);
    const reports = ['--reporter', 'list', '--reporter', 'junit=j.xml', '--reporter', 'json=j.json'];
    const { code, out, err } = await workspace.run(['run', ...reports]);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^a\\.eval\\.yaml:\\d+:\\d+ error ${problem} `));
    expect(out).toMatch(
      new RegExp(
        `\npassed  b\\.eval\\.yaml  2 passed\nbroken  a\\.eval\\.yaml\n {8}line \\d+: ${problem} .+\n(?: {8}.+\n)*\nexit {5}2: `,
      ),
    );
    expect(workspace.runs().map(({ head }) => head.suite.path)).toEqual(['b.eval.yaml']);
    expect(workspace.read('j.xml')).toMatch(
      new RegExp(`classname="a\\.eval\\.yaml"[^>]*>\\s*<error message="line \\d+: ${problem} `),
    );
    expect(JSON.parse(workspace.read('j.json')).notRun).toMatchObject([
      { suite: { path: 'a.eval.yaml' }, state: 'broken', problems: [{ code: problem }] },
    ]);
    const validated = await workspace.run(['validate']);
    expect(validated.code).toBe(2);
    expect(validated.out).toMatch(new RegExp(`^a\\.eval\\.yaml:\\d+:\\d+ error ${problem} `, 'm'));
    expect(validated.out).toContain('1 of 2 suites invalid: 1 error');
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
