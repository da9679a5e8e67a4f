import { type Json, Trial } from '../../record.ts';
import { isObject } from '../../servers/isObject.ts';
import type { Lines } from '../../suite/lines.ts';
import { parseJson } from './parseJson.ts';
import { errorAt, shapeError } from './traceError.ts';

const ONE_TRIAL = 'Run the one case alone with one trial, and use that run file.';

/**
 * The only trial of a run file. A torn last line, as an interrupted run leaves it, is not looked at.
 *
 * @throws McproveError TRACE003 to TRACE006, at the line
 */
export function readRunFile(trace: Lines): Trial {
  const lines = linesOf(trace.text);
  let found: { line: Line; value: Json } | undefined;
  for (const [index, line] of lines.entries()) {
    const value = parseJson(trace, line);
    const kind = kindOf(value);
    if (index === 0) checkHead(trace, value);
    if (kind !== 'trial') continue;
    if (found !== undefined) {
      const trials = lines.filter((other) => kindOf(parseJson(trace, other)) === 'trial').length;
      throw errorAt(
        trace,
        'TRACE005',
        line.from,
        `the run file holds ${trials} trials; a trace is exactly one`,
        ONE_TRIAL,
      );
    }
    found = { line, value };
  }
  if (found === undefined) throw errorAt(trace, 'TRACE005', 0, 'the run file holds no trial', ONE_TRIAL);
  const read = Trial.safeParse(found.value);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    return { path, message: `${path.join('.')}: ${issue.message}` };
  });
  throw shapeError(trace, faults, found.line);
}

interface Line {
  from: number;
  to: number;
}

/** The complete lines that hold something. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < text.length; ) {
    const to = text.indexOf('\n', from);
    if (to === -1) break;
    if (text.slice(from, to).trim() !== '') lines.push({ from, to });
    from = to + 1;
  }
  return lines;
}

function kindOf(value: Json): Json | undefined {
  return isObject(value) ? value.kind : undefined;
}

function checkHead(trace: Lines, value: Json): void {
  if (!isObject(value) || value.kind !== 'run') {
    const hint = 'A list of calls belongs into a .json file.';
    throw errorAt(trace, 'TRACE006', 0, 'not a run file: its first line has no "kind": "run"', hint);
  }
  if (value.format !== 1) {
    const found = JSON.stringify(value.format ?? null);
    throw errorAt(trace, 'TRACE006', 0, `the run file has format ${found}; this version reads 1`, 'Update the tool.');
  }
}
