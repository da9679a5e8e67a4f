import type { Json } from '../../record.ts';
import type { Words } from '../../suite/model.ts';
import { parseJson } from '../answer.ts';
import { compareValue } from '../compare.ts';
import type { Evidence } from '../evidence.ts';
import { listed } from '../inWords.ts';
import { patternProvesPresence, provesPresence } from '../presence.ts';
import { differencesSentence } from '../sentences.ts';
import { type Evaluation, failed, onTheWhole, passed } from './evaluation.ts';
import { missingOf, missingWords, wordsAsJson } from './words.ts';

export function response(expected: Json, evidence: Evidence): Evaluation {
  const text = answerText(evidence);
  const differences = compareValue(expected, text, 'partial', evidence.patterns);
  const found = { expected, ...whole(text) };
  if (differences.length > 0) {
    return onTheWhole(evidence, failed(`${differencesSentence(differences, 'The answer')}.`, found));
  }
  return settled(evidence, passed('The answer matches.'), provesPresence(expected));
}

export function responseJson(expected: Json, evidence: Evidence): Evaluation {
  const text = answerText(evidence);
  const json = jsonIn(text);
  if (json === undefined) {
    return onTheWhole(evidence, failed('The answer is not JSON.', { expected, ...whole(text) }));
  }
  const differences = compareValue(expected, json, 'partial', evidence.patterns);
  const found = { expected, actual: json };
  if (differences.length > 0) {
    return onTheWhole(evidence, failed(`${differencesSentence(differences, 'the JSON')}.`, found));
  }
  return onTheWhole(evidence, passed('The JSON in the answer matches.'));
}

export function responseContains(words: Words, evidence: Evidence): Evaluation {
  const text = answerText(evidence);
  const missing = missingWords(words, text);
  const found = { expected: wordsAsJson(words), ...whole(text) };
  if (missing.length === 0) return passed('The answer contains it.');
  return onTheWhole(evidence, failed(`The answer does not contain ${listed(missing)}.`, found));
}

export function responseMatches(patterns: Words, evidence: Evidence): Evaluation {
  const text = answerText(evidence);
  const missing = missingOf(patterns, (pattern) => evidence.patterns.test(pattern, text));
  const found = { expected: wordsAsJson(patterns), ...whole(text) };
  if (missing.length > 0) {
    return onTheWhole(evidence, failed(`Nothing in the answer matches ${listed(missing)}.`, found));
  }
  return settled(evidence, passed('The answer matches.'), patterns.flat().every(patternProvesPresence));
}

export function responseNotEmpty(evidence: Evidence): Evaluation {
  const text = answerText(evidence);
  if (text.trim() !== '') return passed('There is an answer.');
  return onTheWhole(evidence, failed('The answer is empty.', { actual: text }));
}

/** Only asked where there is an answer; see `obstacle`. */
function answerText({ answer }: Evidence): string {
  return 'text' in answer ? answer.text : '';
}

/** What the beginning of an answer proves, the whole would too; for the rest the whole is needed. */
function settled(evidence: Evidence, evaluation: Evaluation, provenByBeginning: boolean): Evaluation {
  return provenByBeginning ? evaluation : onTheWhole(evidence, evaluation);
}

/** A text whole or not at all: half a secret is one that nobody recognises any more. */
function whole(text: string): { actual?: Json } {
  return text.length > 20_000 ? {} : { actual: text };
}

/** The whole text as JSON, else the first fenced block that is. */
function jsonIn(text: string): Json | undefined {
  const direct = parseJson(text);
  if (direct !== undefined) return direct;
  for (const block of fencedBlocks(text)) {
    const json = parseJson(block);
    if (json !== undefined) return json;
  }
  return undefined;
}

/** Line by line, as CommonMark has it: closed by a line of at least as many of the same marks. One pass, whatever the text. */
function* fencedBlocks(text: string): Generator<string> {
  let fence = '';
  let lines: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, marks = '', rest = ''] = /^ *(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === '') {
      fence = marks;
      lines = [];
    } else if (marks.startsWith(fence) && rest.trim() === '') {
      yield lines.join('\n');
      fence = '';
    } else {
      lines.push(line);
    }
  }
}
