import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './blocks.ts';

const documents = ['README.md', 'CONTRIBUTING.md', 'examples/README.md', ...globSync('docs/*.md', { cwd: root })];

interface Link {
  place: string;
  target: string;
  /** The name that stands right after the link, as in `[a.ts](src/a.ts) `name``. */
  name: string | undefined;
}

function linksOf(document: string): Link[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)(?: `(\w+)`)?/g)].map((found) => ({
    place: `${document}: ${found[1]}`,
    target: found[1] ?? '',
    name: found[2],
  }));
}

/** As GitHub makes them of headings. */
function anchorsOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    );
}

describe.each(documents)('%s', (document) => {
  test.each(linksOf(document))('$place leads somewhere', ({ target, name }) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? join(root, document) : join(root, dirname(document), path);
    expect(existsSync(file)).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(file)).toContain(anchor);
    if (name !== undefined) {
      expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^export (async )?(function|class|const) ${name}\\b`, 'm'));
    }
  });
});

test('examples/README.md lists every example suite', () => {
  const listed = linksOf('examples/README.md').map(({ target }) => `examples/${target}`);
  const suites = globSync('examples/**/*.eval.yaml', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  expect(listed).toEqual(expect.arrayContaining(suites));
});
