import { Composer, type CST, type Node } from 'yaml';
import type { Lines } from './lines.ts';
import type { Problems } from './problems.ts';
import { syntaxProblem } from './syntax.ts';

export interface Composed {
  root: Node | null;
  /** False where the text is not YAML, and the nodes are only what the parser made of it. */
  isSound: boolean;
}

/** Nodes from tokens that the guard let through. Each line that is not YAML gives one problem, the first on it. */
export function compose(tokens: readonly CST.Token[], lines: Lines, problems: Problems): Composed {
  // Keys are texts as written. That they differ is checked later, as comparing each with each takes too long here.
  const composer = new Composer({ stringKeys: true, uniqueKeys: false, resolveKnownTags: false });
  const [document] = composer.compose(tokens, true, lines.text.length);
  let isSound = !problems.has('YAML002');
  for (const error of document?.errors ?? []) {
    const found = syntaxProblem(error, lines.text);
    if (found === undefined) continue;
    const { isLocal = false, ...problem } = found;
    const range = lines.range(...error.pos);
    if (!isLocal) isSound = false;
    if (problems.isGarbled(range.start.line)) continue;
    problems.add({ severity: 'error', range, ...problem });
    problems.garble(range.start.line);
  }
  return { root: document?.contents ?? null, isSound };
}
