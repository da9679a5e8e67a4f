/** Which suite files are meant. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { convertPathToPattern, glob, isDynamicPattern } from 'tinyglobby';
import { McproveError } from './errors.ts';

const SUITES = '**/*.eval.{yaml,yml}';
const NEVER = ['**/node_modules/**', '**/dist/**', '**/.git/**', '**/.mcprove/**'];

export interface FoundSuite {
  /** Absolute path. */
  file: string;
  /** It was asked for by its own name; else it was found in a folder or by a glob. */
  named: boolean;
}

/**
 * Files as they were asked for: each word names a file, a folder (every `*.eval.yaml` and `*.eval.yml` below it) or is a
 * glob. `node_modules`, `dist`, `.git` and `.mcprove` are never searched, and links to folders are not followed.
 *
 * @param words what was asked for; [] is the current folder
 * @returns sorted, each once; never empty
 * @throws McproveError FIND001 for a word that names nothing, FIND002 where no suite is found at all
 */
export async function findSuites(words: readonly string[], cwd: string): Promise<FoundSuite[]> {
  const found = new Map<string, FoundSuite>();
  for (const word of words.length === 0 ? ['.'] : words) {
    for (const suite of await filesOf(word, cwd)) {
      if (suite.named || !found.has(suite.file)) found.set(suite.file, suite);
    }
  }
  if (found.size === 0) {
    throw new McproveError('FIND002', `no suite found in ${words.length === 0 ? 'this folder' : words.join(', ')}`, {
      hint: 'A suite is a file that ends in .eval.yaml.',
    });
  }
  return [...found.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
}

async function filesOf(word: string, cwd: string): Promise<FoundSuite[]> {
  const path = resolve(cwd, word);
  const stats = await stat(path).catch(() => null);
  if (stats?.isDirectory()) return search(`${convertPathToPattern(path)}/${SUITES}`, cwd);
  if (stats !== null) return [{ file: path, named: true }];
  const files = isDynamicPattern(word) ? await search(word, cwd) : [];
  if (files.length > 0) return files;
  throw new McproveError('FIND001', `there is no file or folder "${word}"`, {
    hint: isDynamicPattern(word) ? 'As a glob it fits nothing either.' : 'Paths are relative to the current folder.',
  });
}

async function search(pattern: string, cwd: string): Promise<FoundSuite[]> {
  const files = await glob(pattern, {
    cwd,
    absolute: true,
    dot: true,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: NEVER,
  });
  return files.map((file) => ({ file: resolve(file), named: false }));
}
