import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** A fenced YAML block of a document, written out to a whole suite. */
export interface Block {
  /** `docs/format.md:27` */
  place: string;
  text: string;
}

/** What stands around a fragment: ```` ```yaml calls ```` is a list of expected calls, and so on. */
const frames: Record<string, { before: string; indent: string }> = {
  suite: { before: '', indent: '' },
  cases: { before: 'mcprove: 1\ncases:\n', indent: '  ' },
  calls: { before: "mcprove: 1\ncases:\n  - prompt: 'x'\n    calls:\n", indent: '      ' },
  assert: { before: "mcprove: 1\ncases:\n  - prompt: 'x'\n    assert:\n", indent: '      ' },
};

/**
 * All YAML blocks of a document. A block without a second word is a whole suite.
 *
 * @param document relative to the project
 * @throws Error where the second word is none of `cases`, `calls`, `assert`
 */
export function yamlBlocks(document: string): Block[] {
  const lines = readFileSync(join(root, document), 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index++) {
    const fence = /^```yaml ?(\w*)$/.exec(lines[index] ?? '');
    if (fence === null) continue;
    const place = `${document}:${index + 1}`;
    const frame = frames[fence[1] || 'suite'];
    if (frame === undefined) throw new Error(`${place}: no frame for "yaml ${fence[1]}"`);
    const end = lines.indexOf('```', index);
    const body = lines.slice(index + 1, end).map((line) => (line === '' ? '' : frame.indent + line));
    blocks.push({ place, text: `${frame.before}${body.join('\n')}\n` });
    index = end;
  }
  return blocks;
}
