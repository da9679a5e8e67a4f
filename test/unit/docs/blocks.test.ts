import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../../src/engine/errors.ts';
import { readSuite } from '../../../src/engine/suite/index.ts';
import { root, yamlBlocks } from './blocks.ts';

const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root })];
const examples = globSync('examples/**/*.eval.yaml', { cwd: root });

describe('every YAML block of the documents is a suite without a problem', () => {
  const blocks = documents.flatMap(yamlBlocks);

  test('blocks are found', () => {
    expect(blocks.length).toBeGreaterThan(10);
  });

  test.each(blocks)('$place', ({ text }) => {
    expect(problemsOf(text, join(root, 'examples/block.eval.yaml'))).toEqual([]);
  });
});

describe('every example is a suite without a problem', () => {
  test('examples are found', () => {
    expect(examples.length).toBeGreaterThan(5);
  });

  test.each(examples)('%s', (file) => {
    expect(problemsOf(readFileSync(join(root, file), 'utf8'), join(root, file))).toEqual([]);
  });
});

test('a block with a misspelt key is noticed', () => {
  expect(problemsOf('mcprove: 1\ncasess: []\n', join(root, 'examples/block.eval.yaml'))).not.toEqual([]);
});

function problemsOf(text: string, file: string): string[] {
  const read = readSuite(text, { file, workspace: root });
  if (read.kind === 'foreign') return [read.hint];
  return read.problems.map((problem) => formatProblem(problem));
}
