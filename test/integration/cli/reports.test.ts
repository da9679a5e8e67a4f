/** What is written where, for persons and for machines. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failing, passing } from './suites.ts';
import { ended, printed, Workspace } from './workspace.ts';

let workspace: Workspace;

beforeEach(() => {
  workspace = new Workspace();
});

afterEach(async () => {
  await workspace.serversGone(3000);
  workspace.remove();
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
    expect(workspace.read('reports/junit.xml')).toMatch(/ {4}argument mismatch: echo: .+\n {4}at b\.eval\.yaml:7:5</);
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
