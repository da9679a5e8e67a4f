import { ended } from '../sentence.ts';
import type { Assertion, Case } from '../suite/model.ts';
import { isGlob } from '../suite/toolName.ts';
import { neverOffered, type Offer } from './neverOffered.ts';
import { didYouMean } from './sentences.ts';

/** The names and globs of tools in an assertion. */
export function toolsNamedIn(assertion: Assertion): readonly string[] {
  switch (assertion.kind) {
    case 'toolCalled':
    case 'toolNotCalled':
      return assertion.value.tools.flat();
    case 'onlyTools':
    case 'toolOrder':
      return assertion.value;
    case 'firstTool':
    case 'lastTool':
      return [assertion.value];
    case 'result':
      return assertion.value.tool === null ? [] : [assertion.value.tool];
    case 'limits':
      return Object.keys(assertion.value.toolDurationMs ?? {});
    default:
      return [];
  }
}

/** Of the names those that mean no tool of any server: `no server offers get_wether (did you mean get_weather?)`. */
export function unknownAmong(names: readonly string[], offer: Offer): string[] {
  return [...new Set(names)].flatMap((name) => {
    const { neverOffered: isUnknown, nearest } = neverOffered(name, offer);
    if (isUnknown !== true && nearest === undefined) return [];
    if (isGlob(name)) return [`no tool of any server fits ${name}`];
    return [`no server offers ${name}${didYouMean(nearest)}`];
  });
}

/** What a case says of tools that do not exist, outside of its checks: a misspelt one would be kept from nobody. */
export function caseWarnings({ tools, match, route }: Case, offer: Offer): string[] {
  const named: [string, readonly string[]][] = [
    ['tools.allow', tools.allow ?? []],
    ['tools.deny', tools.deny],
    ['match.ignoreTools', route === null ? [] : match.ignoreTools],
  ];
  return named.flatMap(([key, names]) => unknownAmong(names, offer).map((unknown) => unknownWarning(key, unknown)));
}

/** @param unknown of `unknownAmong` */
export function unknownWarning(key: string, unknown: string): string {
  return ended(`${key}: ${unknown}`);
}
