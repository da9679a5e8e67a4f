import type { z } from 'zod';
import type { Problem } from '../errors.ts';
import { RunEnd, RunHead, Trial } from '../record.ts';
import type { RunCode } from './codes.ts';
import { DEEPEST_RECORD, depthOf } from './depth.ts';

/** The version of the run file that this code writes, and the newest that it reads. */
const FORMAT = 1;

/** Where a record stands. */
export interface RecordPlace {
  file: string;
  /** From 1. */
  line: number;
  /** In bytes. */
  offset: number;
}

export type Parsed<T> = { ok: true; record: T } | { ok: false; problem: Problem };

/** The first record. RUN003 for a newer format, RUN004 for a file that is none of ours. */
export function parseHead(text: string, file: string): Parsed<RunHead> {
  const place = { file, line: 1, offset: 0 };
  const json = parseJson(text, place);
  if (!json.ok || !isMap(json.record) || json.record.kind !== 'run') {
    return failed('RUN004', 'not a run file', place, 'A run file ends in .run.jsonl and begins with {"kind":"run".');
  }
  const found = json.record.format;
  if (typeof found === 'number' && found > FORMAT) {
    return failed('RUN003', `written in format ${found}; this version reads up to ${FORMAT}`, place, 'Update mcprove.');
  }
  return validated(RunHead, json.record, place);
}

/** A record behind the first. RUN002 when it is damaged. */
export function parseRecord(text: string, place: RecordPlace): Parsed<Trial | RunEnd> {
  const json = parseJson(text, place);
  if (!json.ok) return json;
  const kind = isMap(json.record) ? json.record.kind : undefined;
  if (kind === 'trial') return validated(Trial, json.record, place);
  if (kind === 'end') return validated(RunEnd, json.record, place);
  return failed('RUN002', 'the record is neither a trial nor the end', place, 'It is left out.');
}

const EndFigures = RunEnd.pick({
  kind: true,
  decision: true,
  totals: true,
  passRate: true,
  usage: true,
  costUsd: true,
  endedAt: true,
  durationMs: true,
});
export type EndFigures = z.infer<typeof EndFigures>;

/**
 * The figures of an end record without its cells and trials, which may be millions of bytes. They stand last, and their key
 * cannot be mistaken for text: inside a string its quotes would be escaped.
 *
 * @returns null where they do not stand there, or the line is no end record
 */
export function parseEndFigures(text: string): EndFigures | null {
  const cut = text.indexOf(',"cells":[');
  if (cut === -1 || depthOf(text.slice(0, cut), DEEPEST_RECORD) > DEEPEST_RECORD) return null;
  try {
    return EndFigures.safeParse(JSON.parse(`${text.slice(0, cut)}}`)).data ?? null;
  } catch {
    return null;
  }
}

export function recordProblem(code: RunCode, message: string, place: RecordPlace, hint: string): Problem {
  const position = { line: place.line, column: 1, offset: place.offset };
  return { code, severity: 'error', message, hint, range: { file: place.file, start: position, end: position } };
}

function parseJson(text: string, place: RecordPlace): Parsed<unknown> {
  if (depthOf(text, DEEPEST_RECORD) > DEEPEST_RECORD) {
    return failed('RUN002', `the record is nested deeper than ${DEEPEST_RECORD} levels`, place, 'It is left out.');
  }
  try {
    return { ok: true, record: JSON.parse(text) };
  } catch {
    return failed('RUN002', 'the record is damaged: it is not JSON', place, 'It is left out.');
  }
}

function validated<T>(schema: z.ZodType<T>, value: unknown, place: RecordPlace): Parsed<T> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, record: result.data };
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at /${issue.path.join('/')}`;
  return failed(
    'RUN002',
    `the record is damaged${where}: ${issue?.message ?? 'it does not fit'}`,
    place,
    'It is left out.',
  );
}

function failed(code: RunCode, message: string, place: RecordPlace, hint: string): { ok: false; problem: Problem } {
  return { ok: false, problem: recordProblem(code, message, place, hint) };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
