/** Which part of the suites is run, and what is changed for one run. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failing, passing } from './suites.ts';
import { Workspace } from './workspace.ts';

let workspace: Workspace;

beforeEach(() => {
  workspace = new Workspace();
});

afterEach(async () => {
  await workspace.serversGone(3000);
  workspace.remove();
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

  test('--bail counts over all suites, and tells those that were not begun', async () => {
    workspace.write('0.eval.yaml', failing);
    const { code, out } = await workspace.run([
      'run',
      '--bail',
      '1',
      '--concurrency',
      '1',
      '--reporter',
      'list',
      '--reporter',
      'json=report.json',
    ]);
    expect(code).toBe(1);
    expect(workspace.runs().map(({ head }) => head.suite.path)).toEqual(['0.eval.yaml']);
    expect(out).toMatch(/\nnot begun {2}a\.eval\.yaml\n {11}--bail 1\nnot begun {2}b\.eval\.yaml\n {11}--bail 1\n/);
    expect(JSON.parse(workspace.read('report.json')).notRun).toMatchObject([
      { suite: { path: 'a.eval.yaml' }, state: 'notBegun' },
      { suite: { path: 'b.eval.yaml' }, state: 'notBegun' },
    ]);
  });

  test('--failed is not misled by a later run of other cells', async () => {
    expect((await workspace.run(['run', 'b.eval.yaml'])).code).toBe(1);
    expect((await workspace.run(['run', 'b.eval.yaml', '-t', 'fine'])).code).toBe(0);
    const { out } = await workspace.run(['run', '--failed', 'b.eval.yaml']);
    expect(out).toContain('b.eval.yaml  1 cell · 1 trial');
    expect(out).toContain('✗ failed b.eval.yaml › wrong-argument');
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
