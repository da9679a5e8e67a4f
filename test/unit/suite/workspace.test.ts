import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWorkspace, resolveInside } from '../../../src/engine/suite/index.ts';

let top: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'mcprove-')));
  for (const folder of ['ws/.git', 'ws/a/.mcprove', 'ws/a/b', 'ws/c', 'ws-evil', 'lone/d']) {
    mkdirSync(join(top, folder), { recursive: true });
  }
  writeFileSync(join(top, 'ws-evil/x.json'), '');
  writeFileSync(join(top, 'ws/c/x.json'), '');
});

afterEach(() => rmSync(top, { recursive: true }));

describe('findWorkspace', () => {
  test.each<[name: string, file: string, fallback: string, workspace: string]>([
    ['the nearest folder with .mcprove', 'ws/a/b/x.eval.yaml', 'ws/a/b', 'ws/a'],
    ['else the nearest with .git', 'ws/c/x.eval.yaml', 'ws/c', 'ws'],
    ['else the fallback, where it holds the file', 'lone/d/x.eval.yaml', 'lone', 'lone'],
    ["else the file's folder", 'lone/d/x.eval.yaml', 'ws', 'lone/d'],
    ['a folder with a longer name does not hold it', 'ws-evil/x.eval.yaml', 'ws', 'ws-evil'],
  ])('%s', (_, file, fallback, workspace) => {
    expect(findWorkspace(join(top, file), join(top, fallback))).toBe(join(top, workspace));
  });
});

describe('resolveInside', () => {
  const resolved = (written: string, from = 'ws/c') => resolveInside(join(top, 'ws'), join(top, from), written);

  test.each([
    ['x.json', 'ws/c/x.json'],
    ['./y/z.json', 'ws/c/y/z.json'],
    ['../a/x.json', 'ws/a/x.json'],
    ['..x', 'ws/c/..x'],
  ])('%s', (written, path) => {
    expect(resolved(written)).toBe(join(top, path));
  });

  test('an absolute path inside is one', () => {
    expect(resolved(join(top, 'ws/c/x.json'))).toBe(join(top, 'ws/c/x.json'));
  });

  test.each([
    ['../../ws-evil/x.json', 'path "../../ws-evil/x.json" is outside the workspace folder'],
    ['../../../../../../../etc/passwd', 'path "../../../../../../../etc/passwd" is outside the workspace folder'],
    ['/etc/passwd', 'path "/etc/passwd" is outside the workspace folder'],
    ['a\0b', 'path "a\\u0000b" holds a NUL character'],
  ])('%j is refused', (written, message) => {
    expect(() => resolved(written)).toThrowError(expect.objectContaining({ code: 'SUITE012', message }));
  });

  test.each([
    ['to a folder', 'ws-evil', 'link/x.json'],
    ['to a folder, and a file that is not there yet', 'ws-evil', 'link/new.json'],
    ['to a file', 'ws-evil/x.json', 'link'],
    ['that leads nowhere yet', 'ws-evil/new', 'link'],
  ])('a link %s outside is refused', (_, target, written) => {
    symlinkSync(join(top, target), join(top, 'ws/c/link'));
    expect(() => resolved(written)).toThrowError(
      expect.objectContaining({
        code: 'SUITE012',
        message: `path ${JSON.stringify(written)} leads through a link out of the workspace folder`,
      }),
    );
  });

  test('a link inside is followed, and so is one that holds the workspace', () => {
    symlinkSync(join(top, 'ws/c'), join(top, 'ws/link'));
    expect(resolved('link/x.json', 'ws')).toBe(join(top, 'ws/c/x.json'));
    symlinkSync(join(top, 'ws'), join(top, 'alias'));
    expect(resolveInside(join(top, 'alias'), join(top, 'alias/c'), 'x.json')).toBe(join(top, 'ws/c/x.json'));
  });
});
