import { basename } from 'node:path';
import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';
import { formatProblem, McproveError, type Problem } from '../../errors.ts';
import type { Lines } from '../../suite/lines.ts';
import { child } from '../../suite/pointer.ts';
import type { TrialCode } from '../codes.ts';

/** Something wrong in the shape of a trace, at a key or position; where that is not there, at what should hold it. */
export interface Fault {
  path: JSONPath;
  message: string;
  hint?: string;
}

const MOST_TOLD = 10;
const MOST_PROBLEMS = 50;

/**
 * What is wrong with the shape of a trace, each fault at its place; at most 50 of them.
 *
 * @param span the part of the text that holds the value, where it is not the whole
 */
export function shapeError(
  trace: Lines,
  faults: readonly Fault[],
  span = { from: 0, to: trace.text.length },
): McproveError {
  const root = parseTree(trace.text.slice(span.from, span.to));
  const problems = faults.slice(0, MOST_PROBLEMS).map(({ path, message, hint }): Problem => {
    const node = nodeAt(root, path);
    const start = span.from + (node?.offset ?? 0);
    return {
      code: 'TRACE004' satisfies TrialCode,
      severity: 'error',
      message,
      ...(hint === undefined ? {} : { hint }),
      range: trace.range(start, start + (node?.length ?? 0)),
      pointer: path.reduce((pointer: string, key) => child(pointer, key), ''),
    };
  });
  return errorOf('TRACE004', trace, problems, faults.length);
}

/** One thing wrong with a trace at an offset. */
export function errorAt(trace: Lines, code: TrialCode, offset: number, message: string, hint?: string): McproveError {
  const more = hint === undefined ? {} : { hint };
  const problem: Problem = { code, severity: 'error', message, ...more, range: trace.range(offset, offset) };
  return errorOf(code, trace, [problem], 1);
}

function errorOf(code: TrialCode, trace: Lines, problems: readonly Problem[], all: number): McproveError {
  const told = problems.slice(0, MOST_TOLD).map((problem) => formatProblem(problem, basename(trace.file)));
  if (all > told.length) told.push(`… and ${all - told.length} more`);
  return new McproveError(code, told.join('\n'), { problems });
}

function nodeAt(root: Node | undefined, path: JSONPath): Node | undefined {
  if (root === undefined) return undefined;
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return root;
}
