import type { Problem } from '../errors.ts';
import type { Json } from '../record.ts';
import { suiteOf } from './build/suite.ts';
import { isMap } from './check.ts';
import { compose } from './compose.ts';
import { convert } from './convert.ts';
import { guard } from './guard.ts';
import { Lines } from './lines.ts';
import type { Suite } from './model.ts';
import { Nodes } from './nodes.ts';
import { foreignHint, looksMarked } from './ownership.ts';
import { Problems } from './problems.ts';
import { Report } from './report.ts';
import { warnOfKeys, warnOfLiterals } from './secrets.ts';

export type ReadResult =
  /** The problems are warnings and hints. */
  | { kind: 'suite'; suite: Suite; problems: Problem[] }
  /** Not ours, and left in peace. The hint goes behind the file's name: `has no "mcprove: 1"`. */
  | { kind: 'foreign'; hint: string }
  | { kind: 'broken'; problems: Problem[] };

export interface ReadOptions {
  /** Absolute path; the text is not read from it. */
  file: string;
  /** See `findWorkspace`. */
  workspace: string;
}

/**
 * The text of a `*.eval.yaml` as a checked suite, or everything that is wrong with it: sorted by place, at most 50.
 * Never throws for what the text holds, and takes time in proportion to it.
 */
export function readSuite(text: string, { file, workspace }: ReadOptions): ReadResult {
  const lines = new Lines(file, text);
  const problems = new Problems();
  const parsed = parse(lines, problems);
  const hint = parsed?.isSound === true ? foreignHint(parsed.data) : foreignUnread(text);
  if (hint !== undefined) return { kind: 'foreign', hint };
  if (parsed?.isSound !== true || !isMap(parsed.data)) return { kind: 'broken', problems: problems.list() };

  const { data, nodes } = parsed;
  const report = new Report(nodes, problems);
  warnOfKeys(lines, problems);
  warnOfLiterals(data, report);
  const suite = suiteOf({ file, workspace, text, data: data as { [key: string]: Json } }, report);
  if (suite === undefined || problems.hasErrors) return { kind: 'broken', problems: problems.list() };
  return { kind: 'suite', suite, problems: problems.list() };
}

/** A file that is not YAML is ours where a line of it looks so. */
function foreignUnread(text: string): string | undefined {
  return looksMarked(text) ? undefined : 'cannot be read as YAML, and has no "mcprove: 1"';
}

/** Undefined where the text must not be walked; not sound where it is no YAML, and what it says is anybody's guess. */
function parse(lines: Lines, problems: Problems): { data: Json; nodes: Nodes; isSound: boolean } | undefined {
  const tokens = guard(lines, problems);
  if (tokens === undefined) return undefined;
  const { root, isSound } = compose(tokens, lines, problems);
  const converted = convert(root, lines, problems);
  if (converted === undefined) return undefined;
  const { data, targets, hasOddNumbers } = converted;
  return { data, nodes: new Nodes(lines, root, targets, hasOddNumbers), isSound };
}
