/** The commands that start nothing, and the shim, as built. */

import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failing, foreign, passing } from './suites.ts';
import { Workspace } from './workspace.ts';

const shim = join(import.meta.dirname, '../../../dist/cli.js');
let workspace: Workspace;

beforeEach(() => {
  workspace = new Workspace({ 'a.eval.yaml': passing });
});

afterEach(() => workspace.remove());

describe('the shim', () => {
  test('answers --version without the rest of the bundle', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mcprove-shim-'));
    try {
      copyFileSync(shim, join(folder, 'cli.mjs'));
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'cli.mjs'), '--version']);
      expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('tells an old Node what is needed', async () => {
    const older =
      "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.14.9'}})";
    const run = promisify(execFile)(process.execPath, ['--import', older, shim, 'list']);
    await expect(run).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^mcprove needs Node\.js 22\.15 or newer; this is 22\.14\.9 \(.+\)\. Install .+\n$/,
      ),
    });
  });

  test('comes with the licences of what is bundled', async () => {
    const { stdout } = await promisify(execFile)('cat', [join(shim, '../LICENSES.txt')]);
    for (const name of ['zod', 'yaml', 'commander', '@modelcontextprotocol/sdk', 'ai']) {
      expect(stdout).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    }
    expect(stdout).not.toMatch(/^(vitest|typescript|esbuild) /m);
  });
});

describe('validate', () => {
  test('says that all is well', async () => {
    expect(await workspace.run(['validate'])).toMatchObject({
      code: 0,
      out: '✓ a.eval.yaml  2 cases · 2 trials\n1 suite valid\n',
      err: '',
    });
  });

  test('tells everything that is wrong, at its place, on stdout', async () => {
    workspace.write('b.eval.yaml', `${passing}extra: 1\n`.replace('prompt:', 'promt:'));
    workspace.write('c.eval.yaml', foreign);
    workspace.write('d.eval.yaml', passing.replace('command: node', "command: 'node fault.mjs'"));
    const { code, out, err } = await workspace.run(['validate']);
    expect(code).toBe(2);
    expect(out).toMatch(/^b\.eval\.yaml:7:5 error SUITE002 .+\n/m);
    expect(out).toMatch(/^b\.eval\.yaml:\d+:1 error SUITE002 .*"extra"/m);
    expect(out).toMatch(/^d\.eval\.yaml:3:\d+ error SUITE027 /m);
    expect(out).toMatch(/\n2 of 3 suites invalid: \d+ errors/);
    expect(err).toMatch(/^c\.eval\.yaml is passed over/);
    expect(workspace.servers).toBe(0);
  });
});

describe('list', () => {
  test('shows cells with trials, tags and reasons for skipping', async () => {
    workspace.write(
      'a.eval.yaml',
      passing
        .replace('    tool: add', '    skip: not yet\n    tool: add')
        .replace('tags: [smoke]', 'tags: [smoke, slow]\n    trials: 4'),
    );
    workspace.write('b.eval.yaml', failing);
    const { code, out, err } = await workspace.run(['list']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'a.eval.yaml  1 cell · 4 trials · scripted',
        '  echoes  ×4  #smoke #slow',
        '– adds        skipped: not yet',
        '',
        'b.eval.yaml  2 cells · 2 trials · scripted',
        '  wrong-argument',
        '  fine',
        '',
        '2 suites, 3 cells, 6 trials',
        '',
      ].join('\n'),
    );
  });

  test('narrows down like run', async () => {
    const { code, out } = await workspace.run(['list', '-t', 'a*']);
    expect(code).toBe(0);
    expect(out).toContain('adds');
    expect(out).not.toContain('echoes');
    expect((await workspace.run(['list', '-t', 'zzz'])).code).toBe(2);
  });
});

describe('show', () => {
  test('tells a trial of the last run in full, with places in the suite as long as it is the same', async () => {
    workspace.write('b.eval.yaml', failing);
    await workspace.run(['run', 'b.eval.yaml']);
    const { code, out, err } = await workspace.run(['show', 'last', 'wrong-argument']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const words of ['call fault::echo', '{ text: "hullo" }', 'b.eval.yaml:8:23', '✗ tool called'])
      expect(out).toContain(words);
    workspace.write('b.eval.yaml', `${failing}# later\n`);
    const later = await workspace.run(['show', 'last', 'wrong-argument']);
    expect(later.err).toContain('b.eval.yaml has changed since');
    expect(later.out).toContain('/cases/0/calls/0');
  });
});
