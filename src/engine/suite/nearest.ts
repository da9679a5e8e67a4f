/** "Did you mean …?" */
import { distance } from 'fastest-levenshtein';

/** Nobody misspells a longer word into a shorter list; the cap keeps hostile input cheap. */
const LONGEST = 64;

/** Among more names than these nobody looks for one. */
const MOST_CANDIDATES = 2000;

/**
 * The candidate that a misspelt word most likely means: the same letters in another spelling (`max_turns` for
 * `maxTurns`) or in another order (`cuont`), else the one at the smallest edit distance, up to a third of the word's
 * length and at least 1.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word === '' || word.length > LONGEST) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  let looked = 0;
  for (const candidate of candidates) {
    looked += 1;
    if (looked > MOST_CANDIDATES) break;
    if (candidate.length > LONGEST || candidate === word) continue;
    const found = distanceBetween(word, candidate);
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}

function distanceBetween(word: string, candidate: string): number {
  if (bare(word) === bare(candidate)) return 0;
  const edits = distance(word, candidate);
  return edits === 2 && sorted(word) === sorted(candidate) ? 1 : edits;
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[_\-\s]/g, '');
}
