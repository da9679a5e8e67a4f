import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ciName, gitFacts, isCi } from '../../../src/engine/runs/facts.ts';

describe('gitFacts', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcprove-git-'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  function git(...args: string[]): string {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' }).trim();
  }

  test('the commit, and whether tracked files differ from it', async () => {
    git('init', '-q');
    expect(await gitFacts(folder)).toBeNull();
    await writeFile(join(folder, 'a.txt'), '1');
    git('add', 'a.txt');
    git('commit', '-q', '-m', 'one');
    const commit = git('rev-parse', 'HEAD');
    expect(await gitFacts(folder)).toEqual({ commit, dirty: false });
    await writeFile(join(folder, 'untracked.txt'), '1');
    expect(await gitFacts(folder)).toEqual({ commit, dirty: false });
    await writeFile(join(folder, 'a.txt'), '2');
    expect(await gitFacts(folder)).toEqual({ commit, dirty: true });
  });

  test('a command that the repository itself names is not run', async () => {
    git('init', '-q');
    git('config', 'core.fsmonitor', `touch ${join(folder, 'ran')} #`);
    await writeFile(join(folder, 'a.txt'), '1');
    git('-c', 'core.fsmonitor=false', 'add', 'a.txt');
    git('-c', 'core.fsmonitor=false', 'commit', '-q', '-m', 'one');
    await writeFile(join(folder, 'a.txt'), '2');
    expect(await gitFacts(folder)).toMatchObject({ dirty: true });
    await expect(import('node:fs/promises').then(({ stat }) => stat(join(folder, 'ran')))).rejects.toThrow('ENOENT');
  });

  test('none outside of a repository, without git, without the folder, or when asked to stop', async () => {
    expect(await gitFacts(folder)).toBeNull();
    expect(await gitFacts(join(folder, 'none'))).toBeNull();
    expect(await gitFacts(process.cwd(), AbortSignal.abort())).toBeNull();
    vi.stubEnv('PATH', folder);
    expect(await gitFacts(process.cwd())).toBeNull();
  });
});

test.each([
  [{}, null, false],
  [{ CI: 'true' }, 'CI', true],
  [{ CI: '1', GITHUB_ACTIONS: 'true' }, 'GitHub Actions', true],
  [{ JENKINS_URL: 'http://ci.example.com/' }, 'Jenkins', false],
  [{ CI: 'false' }, null, false],
  [{ CI: '0' }, null, false],
  [{ CI: '' }, null, false],
])('%j runs on %s', (env, name, ci) => {
  expect(ciName(env)).toBe(name);
  expect(isCi(env)).toBe(ci);
});
