import { createHash } from 'node:crypto';
import type { Call, CallResult, Check, Discrepancy, Json, Trial } from '../record.ts';
import { DEEPEST_RECORD } from './depth.ts';

const MEBIBYTE = 1024 * 1024;
/** Bytes of a result that are written in full. */
const LARGEST_RESULT = MEBIBYTE;
/** Characters of text kept of a larger one. */
const KEPT_TEXT = 64 * 1024;
/** Bytes of results written in full for one trial, all together. */
const LARGEST_TRIAL = 32 * MEBIBYTE;

/**
 * A trial that fits into a run file: results over 1 MiB (and what would bring all results of the trial over 32 MiB) keep
 * their size, their sha256 and the first 64 KiB of their text; values nested too deeply are replaced by a note.
 * Grading happens before, on everything.
 */
export function cutTrial(trial: Trial): Trial {
  const shallow = limitDepth(trial);
  let left = LARGEST_TRIAL;
  const cutCall = (call: Call): Call => {
    if (call.result === undefined) return call;
    const text = JSON.stringify([call.result.content, call.result.structured]);
    const size = Buffer.byteLength(text);
    if (size <= LARGEST_RESULT && size <= left) {
      left -= size;
      return call;
    }
    return { ...call, result: cutResult(call.result, text) };
  };
  return {
    ...shallow,
    checks: shallow.checks.map(cutCheck),
    transcript: {
      ...shallow.transcript,
      steps: shallow.transcript.steps.map((step) => ({ ...step, calls: step.calls.map(cutCall) })),
    },
  };
}

function cutResult(result: CallResult, whole: string): CallResult {
  let left = KEPT_TEXT;
  const content: Json[] = [];
  for (const block of result.content) {
    if (left === 0) break;
    const kept = cutBlock(block, left);
    left -= Math.min(left, JSON.stringify(kept).length);
    content.push(kept);
  }
  const { isError, bytes } = result;
  return { content, isError, bytes, cut: true, sha256: createHash('sha256').update(whole).digest('hex') };
}

/** Text keeps its beginning; of an image or a resource only what it was is kept. */
function cutBlock(block: Json, length: number): Json {
  if (block === null || typeof block !== 'object' || Array.isArray(block)) return { type: 'cut' };
  const { type, text, mimeType } = block;
  return {
    type: textOf(type),
    ...(typeof text === 'string' ? { text: text.slice(0, length).toWellFormed() } : {}),
    ...(typeof mimeType === 'string' ? { mimeType: textOf(mimeType) } : {}),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.slice(0, 200) : '';
}

/** Checks quote results: a copy of a large one would undo its cut. */
function cutCheck(check: Check): Check {
  return {
    ...check,
    ...('actual' in check ? { actual: cutValue(check.actual) } : {}),
    ...(check.diff === undefined ? {} : { diff: check.diff.map(cutDiscrepancy) }),
  };
}

function cutDiscrepancy(discrepancy: Discrepancy): Discrepancy {
  if (discrepancy.kind !== 'missing' || discrepancy.refused === undefined) return discrepancy;
  const differences = discrepancy.refused.differences.map((difference) => ({
    ...difference,
    ...('actual' in difference ? { actual: cutValue(difference.actual) } : {}),
  }));
  return { ...discrepancy, refused: { ...discrepancy.refused, differences } };
}

function cutValue(value: Json | undefined): Json | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text.length <= LARGEST_RESULT
    ? value
    : `${text.slice(0, KEPT_TEXT).toWellFormed()}… (cut)`;
}

/** The trial with a note in place of whatever is nested deeper than a run file may hold. */
export function limitDepth(trial: Trial): Trial {
  return levels(trial, DEEPEST_RECORD) as Trial;
}

function levels(value: unknown, left: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return '(nested too deeply to be kept)';
  if (Array.isArray(value)) return value.map((element) => levels(element, left - 1));
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, levels(child, left - 1)]));
}
