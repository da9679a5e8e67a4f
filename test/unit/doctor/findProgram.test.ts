import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findProgram } from '../../../src/engine/doctor/findProgram.ts';

const root = mkdtempSync(join(tmpdir(), 'mcprove-path-'));
const [first, second] = [join(root, 'first'), join(root, 'second')];
for (const folder of [first, second]) mkdirSync(folder);
writeFileSync(join(first, 'tool'), '');
mkdirSync(join(first, 'folder'));
for (const name of ['tool', 'other', 'npx.cmd']) {
  writeFileSync(join(second, name), '');
  chmodSync(join(second, name), 0o755);
}
afterAll(() => rmSync(root, { recursive: true }));

const path = ['', first, second].join(delimiter);

test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, string | null]>([
  ['other', { PATH: path }, 'linux', join(second, 'other')],
  ['tool', { PATH: path }, 'linux', join(second, 'tool')],
  ['folder', { PATH: path }, 'linux', null],
  ['none', { PATH: path }, 'linux', null],
  ['other', {}, 'linux', null],
  ['npx', { Path: path, PATHEXT: '.exe;.cmd' }, 'win32', join(second, 'npx.cmd')],
])('%s', (name, env, platform, file) => {
  expect(findProgram(name, env, platform)).toBe(file);
});
