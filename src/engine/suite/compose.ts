import { Composer, type CST, type Node, type YAMLParseError } from 'yaml';
import type { Problem } from '../errors.ts';
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
  const told = new Set(problems.list().map(lineOf));
  // Keys are texts as written. Equal ones are found when the data is made: Zod-like lists of keys would be quadratic here.
  const composer = new Composer({ stringKeys: true, uniqueKeys: false, resolveKnownTags: false });
  const [document] = composer.compose(tokens, true, lines.text.length);
  let isSound = !problems.list().some(({ code }) => code === 'YAML002' || code === 'YAML013');
  for (const error of document?.errors ?? []) {
    const problem = toProblem(error, lines);
    if (problem === undefined) continue;
    isSound = false;
    if (told.has(lineOf(problem))) continue;
    told.add(lineOf(problem));
    problems.add(problem);
  }
  return { root: document?.contents ?? null, isSound };
}

function lineOf(problem: Problem): number {
  return problem.range.start.line;
}

function toProblem(error: YAMLParseError, lines: Lines): Problem | undefined {
  const [start, end] = error.pos;
  const found = syntaxProblem(error, lines.text);
  return found && { severity: 'error', range: lines.range(start, end), ...found };
}
