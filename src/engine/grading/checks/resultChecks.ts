import type { Call, Json } from '../../record.ts';
import type { Expect, Words } from '../../suite/model.ts';
import { matchesTool } from '../../suite/toolName.ts';
import { answerOf, answerText, isUnanswered, judgeAnswer } from '../answer.ts';
import type { Evidence } from '../evidence.ts';
import { listed } from '../inWords.ts';
import { differencesSentence } from '../sentences.ts';
import { type Evaluation, failed, notApplicable, notMeasured, onTheWhole, passed } from './evaluation.ts';
import { missingOf, missingWords, wordsAsJson } from './words.ts';

/** Some result matches; whether it is an error counts only where `isError` says so. */
export function result({ tool, expect }: { tool: string | null; expect: Expect }, evidence: Evidence): Evaluation {
  const calls = callsOf(tool, evidence);
  const verdicts = calls.map((call) => judgeAnswer(expect, call, null, evidence.patterns));
  const met = calls.filter((_, index) => verdicts[index]?.state === 'met');
  const [first] = met;
  if (first !== undefined) {
    const wantedErrors = expect.isError === true ? met.map((call) => call.id) : [];
    return passed(`The result of ${first.tool} matches.`, { wantedErrors });
  }
  const found = { expected: expectAsJson(expect), ...actualTexts(calls) };
  const unknown = calls.filter((_, index) => verdicts[index]?.state === 'unknown');
  if (unknown.length > 0) return unsettled(unknown, evidence, found);
  const [only] = verdicts;
  const details = only !== undefined && only.differences.length > 0 && verdicts.length === 1;
  const why = details ? `: ${differencesSentence(only.differences, 'the result')}` : '';
  return onTheWhole(evidence, failed(`${noResult(tool, calls)} matches${why}.`, found));
}

/** One result holds all the words, in whatever case. */
export function resultContains(words: Words, evidence: Evidence): Evaluation {
  const calls = evidence.judged;
  const lacking = calls.map((call) => missingWords(words, searchable(call)));
  const first = calls.find((_, index) => lacking[index]?.length === 0);
  if (first !== undefined) return passed(`The result of ${first.tool} contains it.`);
  const found = { expected: wordsAsJson(words), ...actualTexts(calls) };
  const unknown = calls.filter((call) => isUnanswered(call) || call.result?.cut === true);
  if (unknown.length > 0) return unsettled(unknown, evidence, found);
  return onTheWhole(evidence, failed(`${notFound(words, calls, lacking)}.`, found));
}

/** What no result holds; or, where each word is somewhere, that no single one holds them all. */
function notFound(words: Words, calls: readonly Call[], lacking: readonly string[][]): string {
  const [first] = lacking;
  if (first === undefined) return `${noResult(null, calls)} contains ${listed(missingOf(words, () => false))}`;
  const nowhere = first.filter((word) => lacking.every((each) => each.includes(word)));
  if (nowhere.length > 0) return `${noResult(null, calls)} contains ${listed(nowhere)}`;
  const all = listed(missingOf(words, () => false));
  const nearest = lacking.reduce((best, each) => (each.length < best.length ? each : best), first);
  const call = calls[lacking.indexOf(nearest)];
  return `No single result holds all of ${all}; that of ${call?.tool ?? ''} lacks ${listed(nearest)}`;
}

function callsOf(tool: string | null, { judged }: Evidence): readonly Call[] {
  return tool === null ? judged : judged.filter((call) => matchesTool(tool, call.server, call.tool));
}

/** The text, and the structured content of a result that has no text. */
function searchable(call: Call): string {
  const text = answerText(call);
  const structured = call.result?.structured;
  return text === '' && structured !== undefined ? JSON.stringify(structured) : text;
}

function noResult(tool: string | null, calls: readonly Call[]): string {
  if (calls.length === 0) return `${tool ?? 'No tool'} was${tool === null ? '' : ' not'} called: no result`;
  return tool === null ? 'No result' : `No result of ${tool}`;
}

/** What was not found may be in a result that is not there, or not whole. */
function unsettled(unknown: readonly Call[], evidence: Evidence, found: { expected: Json; actual?: Json }): Evaluation {
  const names = listed([...new Set(unknown.map((call) => call.tool))]);
  if (unknown.every(isUnanswered) && evidence.testCase.subject.kind !== 'trace') {
    return notApplicable(`${names} did not run before the trial was stopped.`);
  }
  return notMeasured(`The result of ${names} is missing or cut off in the record.`, found);
}

/** A text whole or not at all: half a secret is one that nobody recognises any more. */
const LONGEST = 2000;

export function actualTexts(calls: readonly Call[]): { actual?: Json } {
  const texts = calls.flatMap((call) => {
    const text = searchable(call);
    return answerOf(call) === null || text.length > LONGEST ? [] : [text];
  });
  const [only] = texts;
  if (only === undefined) return {};
  return { actual: texts.length === 1 ? only : texts.slice(0, 5) };
}

export function expectAsJson({ text, json, isError }: Expect): Json {
  return {
    ...(text === undefined ? {} : { text }),
    ...(json === undefined ? {} : { json }),
    ...(isError === undefined ? {} : { isError }),
  };
}
