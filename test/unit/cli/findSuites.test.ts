import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSuites, McproveError } from '../../../src/engine/index.ts';

let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'mcprove-find-'));
  for (const file of [
    'b.eval.yaml',
    'a.eval.yml',
    'deep/er/c.eval.yaml',
    '.hidden/d.eval.yaml',
    'with [brackets]/e.eval.yaml',
    'plain.yaml',
    'node_modules/x/f.eval.yaml',
    'deep/node_modules/g.eval.yaml',
    'dist/h.eval.yaml',
    '.git/i.eval.yaml',
    '.mcprove/j.eval.yaml',
  ]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), 'mcprove: 1\n');
  }
  mkdirSync(join(root, 'empty'));
});

afterAll(() => rmSync(root, { recursive: true }));

/** `path`, and `path!` where it was named. */
async function found(words: readonly string[], cwd = root): Promise<string[]> {
  const suites = await findSuites(words, cwd);
  return suites.map(({ file, named }) => `${relative(root, file).replaceAll('\\', '/')}${named ? '!' : ''}`);
}

describe('findSuites', () => {
  it.each<[string, string[], string[]]>([
    [
      'everything below the current folder, sorted',
      [],
      ['.hidden/d.eval.yaml', 'a.eval.yml', 'b.eval.yaml', 'deep/er/c.eval.yaml', 'with [brackets]/e.eval.yaml'],
    ],
    ['a folder', ['deep'], ['deep/er/c.eval.yaml']],
    ['a folder whose name looks like a glob', ['with [brackets]'], ['with [brackets]/e.eval.yaml']],
    ['a named file', ['./b.eval.yaml'], ['b.eval.yaml!']],
    ['a named file of any name', ['plain.yaml'], ['plain.yaml!']],
    ['a named file in a folder that is not searched', ['dist/h.eval.yaml'], ['dist/h.eval.yaml!']],
    ['a glob', ['*.eval.y*ml'], ['a.eval.yml', 'b.eval.yaml']],
    ['each file once, named wins', ['*.eval.yaml', 'b.eval.yaml', 'b.eval.yaml'], ['b.eval.yaml!']],
  ])('%s', async (_, words, expected) => {
    expect(await found(words)).toEqual(expected);
  });

  it.each<[string[], string]>([
    [['nowhere.eval.yaml'], 'FIND001'],
    [['b.eval.yaml', 'no*where.eval.yaml'], 'FIND001'],
    [['empty'], 'FIND002'],
  ])('%j is %s', async (words, code) => {
    await expect(found(words)).rejects.toSatisfy((error) => error instanceof McproveError && error.code === code);
  });
});
