import type { Difference, Discrepancy } from '../record.ts';
import { segments } from '../suite/pointer.ts';
import { counted, expectedInWords, inWords } from './inWords.ts';
import { matcherWords, type Write } from './matcherWords.ts';

/** What one discrepancy comes to, in a sentence without a full stop. */
export function discrepancySentence(discrepancy: Discrepancy): string {
  const { tool } = discrepancy;
  switch (discrepancy.kind) {
    case 'missing':
      return missingSentence(discrepancy);
    case 'extra': {
      const unknown = discrepancy.hallucinated === true ? ', which no server offers' : '';
      return `${tool} was called and not expected${unknown}${didYouMean(discrepancy.nearest)}`;
    }
    case 'outOfOrder':
      return `${tool} was called out of order: ${discrepancy.text}`;
    case 'argumentMismatch':
      return `${tool} was called with other arguments: ${differencesSentence(discrepancy.differences, 'the whole')}`;
  }
}

function missingSentence({ tool, refused, neverOffered, nearest }: Extract<Discrepancy, { kind: 'missing' }>): string {
  if (neverOffered === true) return `${tool} was not called: ${noServerOffers(nearest)}`;
  if (refused !== undefined) {
    const why = refused.differences.length === 0 ? '' : `: ${differencesSentence(refused.differences, 'the result')}`;
    return `the call of ${tool} ${refused.text}${why}${didYouMean(nearest)}`;
  }
  return `${tool} was not called${didYouMean(nearest)}`;
}

/** `no server offers it (did you mean get_weather?)` */
export function noServerOffers(nearest: string | undefined): string {
  return `no server offers it${didYouMean(nearest)}`;
}

/** Behind the name of a tool; empty where no other name is near. */
export function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}

/** How values are written, and how many differences are told one by one. */
export interface Wording extends Write {
  shown: number;
}

const USUAL: Wording = { plain: inWords, expected: expectedInWords, shown: 2 };

/** @param whole what to call the value where it differs as a whole */
export function differencesSentence(
  differences: readonly Difference[],
  whole: string,
  wording: Wording = USUAL,
): string {
  const first = differences.slice(0, wording.shown).map((difference) => differenceSentence(difference, whole, wording));
  const left = differences.length - first.length;
  return `${first.join('; ')}${left > 0 ? ` (and ${counted(left, 'more difference')})` : ''}`;
}

/** `city is "Paris", expected "Berlin"` */
function differenceSentence(
  { path, expected, actual, matcher }: Difference,
  whole: string,
  wording: Wording = USUAL,
): string {
  const place = path === '' ? whole : dotted(path);
  const is = actual === undefined ? 'is missing' : `is ${wording.plain(actual)}`;
  if (expected !== undefined) return `${place} ${is}, expected ${matcherWords(matcher, expected, wording)}`;
  return actual === undefined ? `${place} ${is}` : `${place} ${is}, which is not expected`;
}

/** `/days/0/name` as `days[0].name`. */
function dotted(pointer: string): string {
  const text = segments(pointer).map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`));
  return text.join('').replace(/^\./, '');
}
