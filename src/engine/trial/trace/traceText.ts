import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';
import { formatProblem, McproveError, type Position, type Problem } from '../../errors.ts';

/** A trace file's text, and the places in it. */
export interface TraceText {
  /** Absolute path. */
  file: string;
  text: string;
}

/** Something wrong in a trace: at a key or position of the value that starts at `from`. */
export interface Fault {
  path: JSONPath;
  message: string;
  hint?: string;
}

const MOST_TOLD = 10;
const MOST_PROBLEMS = 50;

/** What is wrong with the shape of a trace (at most 50 problems), each at its place. */
export function shapeError(trace: TraceText, faults: readonly Fault[], from = 0, to = trace.text.length): McproveError {
  const root = parseTree(trace.text.slice(from, to));
  const problems = faults
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message, hint }) =>
      problemAt(trace, 'TRACE004', from + (nodeAt(root, path)?.offset ?? 0), message, hint, pointer(path)),
    );
  return problemsError('TRACE004', trace, problems, faults.length);
}

/** One thing wrong with a trace at an offset. */
export function errorAt(trace: TraceText, code: string, offset: number, message: string, hint?: string): McproveError {
  return problemsError(code, trace, [problemAt(trace, code, offset, message, hint)]);
}

function problemsError(
  code: string,
  trace: TraceText,
  problems: readonly Problem[],
  all = problems.length,
): McproveError {
  const name = trace.file.slice(Math.max(trace.file.lastIndexOf('/'), trace.file.lastIndexOf('\\')) + 1);
  const lines = problems.slice(0, MOST_TOLD).map((problem) => formatProblem(problem, name));
  if (all > lines.length) lines.push(`… and ${all - lines.length} more`);
  return new McproveError(code, lines.join('\n'), { problems });
}

function problemAt(
  trace: TraceText,
  code: string,
  offset: number,
  message: string,
  hint?: string,
  at?: string,
): Problem {
  const position = positionAt(trace.text, offset);
  return {
    code,
    severity: 'error',
    message,
    ...(hint === undefined ? {} : { hint }),
    range: { file: trace.file, start: position, end: position },
    ...(at === undefined ? {} : { pointer: at }),
  };
}

/** The node of a path, or of its nearest parent where it leads nowhere. */
function nodeAt(root: Node | undefined, path: JSONPath): Node | undefined {
  if (root === undefined) return undefined;
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return root;
}

function pointer(path: JSONPath): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n'), offset };
}
