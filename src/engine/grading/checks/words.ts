import type { Json } from '../../record.ts';
import type { Words } from '../../suite/model.ts';
import { foldCase } from '../foldCase.ts';

/** What a text lacks of the words, in whatever case; alternatives are joined with `or`. [] when it holds them all. */
export function missingWords(words: Words, text: string): string[] {
  const folded = foldCase(text);
  return missingOf(words, (word) => folded.includes(foldCase(word)));
}

/** The groups of which no alternative holds. */
export function missingOf(words: Words, holds: (word: string) => boolean): string[] {
  return words
    .filter((alternatives) => !alternatives.some(holds))
    .map((alternatives) => alternatives.map((word) => JSON.stringify(word)).join(' or '));
}

/** As a person would write it: one word, a list of them, `anyOf` for alternatives. */
export function wordsAsJson(words: Words): Json {
  const groups = words.map((group): Json => (group.length === 1 ? (group[0] ?? '') : { anyOf: [...group] }));
  const [only] = groups;
  return groups.length === 1 && only !== undefined ? only : groups;
}
