import type { Call, Difference, Json } from '../record.ts';
import type { Expect } from '../suite/model.ts';
import { compareValue } from './compare.ts';
import type { Patterns } from './patterns.ts';
import { provesPresence } from './presence.ts';

/** What a server answered to a call: a result, or a JSON-RPC error. */
export interface Answer {
  isError: boolean;
  /** Content was dropped from the record: what is not in it may have been there. */
  cut: boolean;
}

/** Null where the server did not answer: the call timed out, the server died, or the tool never ran. */
export function answerOf({ result, error }: Call): Answer | null {
  if (error !== undefined && !ANSWERS.has(error.kind)) return null;
  if (result !== undefined) return { isError: result.isError, cut: result.cut };
  return error === undefined ? null : { isError: true, cut: false };
}

/** The errors in which a server speaks; the others are silence. */
const ANSWERS: ReadonlySet<string> = new Set(['content', 'protocol', 'invalidArguments']);

/** The text blocks of an answer, one per line; the error's text where there is no result. */
export function answerText(call: Call): string {
  if (call.result !== undefined) return textBlocks(call).join('\n');
  return answerOf(call) === null ? '' : (call.error?.text ?? '');
}

/** True where nothing is known of how the call ended: the tool did not run, or a trace holds no result. */
export function isUnanswered(call: Call): boolean {
  return call.result === undefined && call.error === undefined;
}

/** The structured content, else the first text block read as JSON; undefined where there is neither. */
function answerJson(call: Call): Json | undefined {
  if (call.result?.structured !== undefined) return call.result.structured;
  const [first] = textBlocks(call);
  return first === undefined ? undefined : parseJson(first);
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // no JSON: then there is no value to compare
  }
}

function textBlocks(call: Call): string[] {
  return (call.result?.content ?? []).flatMap((block) => {
    if (block === null || typeof block !== 'object' || Array.isArray(block)) return [];
    return block.type === 'text' && typeof block.text === 'string' ? [block.text] : [];
  });
}

/** `unknown`: the record does not hold what would decide it. */
export interface AnswerVerdict {
  state: 'met' | 'refused' | 'unknown';
  /** Why not, as the end of a sentence about the call. */
  text: string;
  /** Paths begin with `/text` or `/json`. */
  differences: Difference[];
}

export const MET: AnswerVerdict = { state: 'met', text: '', differences: [] };

/**
 * Does what a call came to meet an expectation?
 *
 * @param isError what is wanted where the expectation does not say: success (false), or either (null)
 */
export function judgeAnswer(
  expect: Expect | null,
  call: Call,
  isError: boolean | null,
  patterns: Patterns,
): AnswerVerdict {
  if (isUnanswered(call)) return { state: 'unknown', text: 'has no result in the record', differences: [] };
  const answer = answerOf(call);
  if (answer === null) return { state: 'refused', text: failureText(call), differences: [] };
  const wanted = expect?.isError ?? isError;
  if (wanted !== null && wanted !== answer.isError) {
    const text = wanted ? 'succeeded, where an error is expected' : failureText(call);
    return { state: 'refused', text, differences: [] };
  }
  if (expect === null) return MET;
  return judgeContent(expect, call, answer, patterns);
}

function judgeContent(expect: Expect, call: Call, answer: Answer, patterns: Patterns): AnswerVerdict {
  const differences: Difference[] = [];
  const part = (root: string, expected: Json | undefined, actual: () => Json | undefined): void => {
    if (expected === undefined) return;
    for (const found of compareValue(expected, actual(), 'partial', patterns)) {
      differences.push({ ...found, path: `${root}${found.path}` });
    }
  };
  part('/text', expect.text, () => answerText(call));
  part('/json', expect.json, () => answerJson(call));
  if (answer.cut) {
    const proven =
      differences.length === 0 &&
      expect.json === undefined &&
      (expect.text === undefined || provesPresence(expect.text));
    if (!proven) return { state: 'unknown', text: 'has a result that was cut off in the record', differences: [] };
  }
  return differences.length === 0 ? MET : { state: 'refused', text: 'has another result', differences };
}

/** How a call failed, as the end of a sentence about it. */
export function failureText(call: Call): string {
  const { error } = call;
  if (error === undefined) return call.result?.isError === true ? 'ended in an error' : 'did not run';
  const kind = FAILURES[error.kind] ?? `ended in an error (${error.kind})`;
  const [line = ''] = error.text.trim().replace(/\.+$/, '').split('\n');
  return line === '' || line.length > 200 ? kind : `${kind}: ${line}`;
}

const FAILURES: Readonly<Record<string, string>> = {
  content: 'ended in an error',
  protocol: 'ended in a protocol error',
  timeout: 'timed out',
  unknownTool: 'named a tool that does not exist',
  invalidArguments: 'was refused for its arguments',
  crashed: 'crashed the server',
  cancelled: 'was cancelled',
};
