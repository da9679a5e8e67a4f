/** Odd places, odd files, a disk that is full: what is said is the same everywhere, and nothing is lost. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passing } from './suites.ts';
import { ended, Workspace } from './workspace.ts';

let workspace: Workspace;

beforeEach(() => {
  workspace = new Workspace({ 'a.eval.yaml': passing });
});

afterEach(async () => {
  await workspace.serversGone(3000);
  workspace.remove();
});

/** Under limits or in places that only a shell can make. */
function shell(script: string, args: readonly string[]) {
  const { PATH = '' } = process.env;
  const words = [process.execPath, join(import.meta.dirname, '../../../dist/cli.js'), ...args];
  return ended(spawn('sh', ['-c', script, 'sh', ...words], { cwd: workspace.folder, env: { PATH } }));
}

test('a folder that is gone: a sentence, and 2', async () => {
  mkdirSync(join(workspace.folder, 'gone'));
  const { code, out, err } = await shell('cd gone && rmdir ../gone && exec "$@"', ['run']);
  expect(err).toMatch(/^error The current folder does not exist any more\. .+\n$/);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});

test('a pipe in place of a run file', async () => {
  execFileSync('mkfifo', [join(workspace.folder, 'pipe.run.jsonl')]);
  const { code, err } = await workspace.run(['show', 'pipe.run.jsonl']);
  expect(err).toContain('RUN004');
  expect(code).toBe(2);
});

test('a run file that was cut behind its head breaks neither show nor --failed', async () => {
  await workspace.run(['run']);
  const head = JSON.stringify(workspace.runs()[0]?.head);
  workspace.write('.mcprove/runs/2099-01-01T00-00-00Z-a-0.run.jsonl', head);
  const shown = await workspace.run(['show']);
  expect(shown.out).toContain('INTERRUPTED');
  expect(shown.code).toBe(0);
  expect((await workspace.run(['run', '--failed'])).code).toBe(0);
});

test('NO_COLOR beside FORCE_COLOR: Node does not warn in our output', async () => {
  const { err } = await workspace.run(['list'], { NO_COLOR: '1', FORCE_COLOR: '1' });
  expect(err).toBe('');
});

describe('a report is not to overwrite', () => {
  test.for([
    { what: 'the suite', reporter: 'json=a.eval.yaml', file: 'a.eval.yaml' },
    { what: 'a suite that is not there', reporter: 'junit=new.eval.yml', file: null },
    { what: 'a run file', reporter: 'json=x.run.jsonl', file: null },
    { what: 'the servers', reporter: 'json=.mcp.json', file: null },
    { what: 'any other file', reporter: 'json=package.json', file: 'package.json' },
    { what: 'a page', reporter: 'junit=page.html', file: 'page.html' },
  ])('$what', async ({ reporter, file }) => {
    workspace.write('package.json', '{ "name": "mine" }\n');
    workspace.write('page.html', '<html></html>\n');
    const before = file === null ? '' : workspace.read(file);
    const { code, out, err } = await workspace.run(['run', '--reporter', reporter]);
    expect(err).toMatch(/^error REPORT001 the report \S+ cannot be written: it /);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(file === null ? '' : workspace.read(file)).toBe(before);
    expect(workspace.runs()).toEqual([]);
  });

  test('the other report', async () => {
    const { code, err } = await workspace.run(['run', '--reporter', 'json=r', '--reporter', 'junit=./r']);
    expect(err).toContain('two reporters are to write it');
    expect(code).toBe(2);
  });

  test('but its own from the run before, those of other tools in its place, and empty files', async () => {
    workspace.write('theirs.xml', '<?xml version="1.0"?>\n<testsuite name="x"/>\n');
    workspace.write('empty.json', '');
    const files = ['json=own.json', 'junit=own.xml', 'junit=theirs.xml', 'json=empty.json'];
    const args = ['run', ...files.flatMap((file) => ['--reporter', file])];
    expect((await workspace.run(args)).code).toBe(0);
    expect((await workspace.run(args)).code).toBe(0);
    expect(JSON.parse(workspace.read('empty.json')).runs[0].id).toBe(workspace.runs()[1]?.head.id);
    expect(workspace.read('theirs.xml')).toContain('name="mcprove"');
  });
});

test('Ctrl-C when every trial has been written: the decision stands, in all places', async () => {
  workspace.write('a.eval.yaml', passing.replace('fault.mjs, ok', 'fault.mjs, stubborn'));
  const child = workspace.start(['run', '--reporter', 'list', '--reporter', 'json=r.json']);
  const end = ended(child);
  await expect.poll(() => workspace.runs()[0]?.trials.length ?? 0, { timeout: 10_000, interval: 20 }).toBe(2);
  child.kill('SIGINT');
  const { code, out, err } = await end;
  expect(err).toContain('Cancelling');
  expect(out).toContain('PASSED');
  expect(out).toContain('exit     0: passed');
  expect(code).toBe(0);
  expect(workspace.runs()[0]?.end?.decision).toBe('passed');
  expect(JSON.parse(workspace.read('r.json'))).toMatchObject({ runs: [{ decision: 'passed' }] });
});

test('few files may be open: a sentence, never a stack, and never a decision', async () => {
  let told = 0;
  for (let files = 22; files <= 30; files += 2) {
    const { code, out, err } = await shell(`ulimit -n ${files} && exec "$@"`, ['run']);
    // At some of these Node itself does not start, or breaks off in its own code.
    if (/ERR_INVALID_PACKAGE_CONFIG|Native stack trace/.test(err) || code === null) continue;
    expect(out + err).not.toMatch(/^\s+at |itself failed/m);
    expect([0, 2, 3]).toContain(code);
    if (code === 0) continue;
    expect(out + err).toMatch(/ulimit -n/);
    told += 1;
  }
  expect(told).toBeGreaterThan(0);
});

test('a disk that is full: reports tell the same end as the terminal', async () => {
  const args = ['run', '--trials', '20', '--reporter', 'json'];
  const { code, out, err } = await shell('ulimit -f 16 && exec "$@"', [...args, '--reporter', 'list']);
  expect(err).toContain('INCONCLUSIVE');
  expect(code).toBe(3);
  const { totals, reasons } = JSON.parse(out).runs[0];
  expect(JSON.parse(out).runs[0].decision).toBe('inconclusive');
  expect(totals.planned).toBe(40);
  expect(reasons[0]).toMatch(/^The run file is not whole: /);
  const junit = await shell('ulimit -f 16 && exec "$@"', ['run', '--trials', '20', '--reporter', 'junit']);
  expect(junit.out).toContain('<property name="decision" value="inconclusive"/>');
  expect(junit.out).not.toContain('interrupted');
});
