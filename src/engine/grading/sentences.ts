import type { Difference, Discrepancy } from '../record.ts';
import { segments } from '../suite/pointer.ts';
import { inWords } from './inWords.ts';

/** What one discrepancy comes to, in a sentence without a full stop. */
export function discrepancySentence(discrepancy: Discrepancy): string {
  const { tool } = discrepancy;
  switch (discrepancy.kind) {
    case 'missing':
      return missingSentence(discrepancy);
    case 'extra': {
      const unknown =
        discrepancy.hallucinated === true ? `, which no server offers${didYouMean(discrepancy.nearest)}` : '';
      return `${tool} was called and not expected${unknown}`;
    }
    case 'outOfOrder':
      return `${tool} was called out of order: ${discrepancy.text}`;
    case 'argumentMismatch':
      return `${tool} was called with other arguments: ${differencesSentence(discrepancy.differences, 'the whole')}`;
  }
}

function missingSentence({ tool, refused, neverOffered, nearest }: Extract<Discrepancy, { kind: 'missing' }>): string {
  if (refused !== undefined) {
    const why = refused.differences.length === 0 ? '' : `: ${differencesSentence(refused.differences, 'the result')}`;
    return `the call of ${tool} ${refused.text}${why}`;
  }
  if (neverOffered === true) return `${tool} was not called: no server offers it${didYouMean(nearest)}`;
  return `${tool} was not called${didYouMean(nearest)}`;
}

function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : ` (did you mean ${name}?)`;
}

/** @param whole what to call the value where it differs as a whole */
export function differencesSentence(differences: readonly Difference[], whole: string): string {
  const first = differences.slice(0, 2).map((difference) => differenceWords(difference, whole));
  const more = differences.length > 2 ? ` and ${differences.length - 2} more` : '';
  return `${first.join('; ')}${more}`;
}

function differenceWords({ path, expected, actual, matcher }: Difference, whole: string): string {
  const place = path === '' ? whole : dotted(path);
  const is = actual === undefined ? 'is missing' : `is ${inWords(actual)}`;
  if (expected === undefined) return `${place} ${is}, which is not expected`;
  const isOperator = matcher.startsWith('$') && matcher !== expected && matcher !== '$eq';
  return `${place} ${is}, expected ${isOperator ? `${matcher} ` : ''}${expected === matcher ? matcher : inWords(expected)}`;
}

/** `/days/0/name` as `days[0].name`. */
function dotted(pointer: string): string {
  const text = segments(pointer).map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`));
  return text.join('').replace(/^\./, '');
}
