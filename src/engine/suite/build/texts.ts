import { checkPlaceholders, type Scope } from '../checkPlaceholders.ts';
import { type CaseInput, caseName, type DefaultsInput } from '../keys/case.ts';
import type { Case } from '../model.ts';
import { child } from '../pointer.ts';
import { measureVariables } from '../variables.ts';
import type { CaseContext, CaseSource } from './case.ts';

/** Keys whose texts are filled in. Ids, tags, metadata and paths are taken as they stand. */
const FILLED: readonly (keyof CaseInput)[] = [
  'name',
  'description',
  'prompt',
  'tool',
  'arguments',
  'expect',
  'calls',
  'match',
  'assert',
  'tools',
  'system',
  'toolChoice',
  'vars',
];

/** Checks the placeholders of a case, and those it inherits. */
export function checkTexts({ raw, at, members }: CaseSource, built: Case, context: CaseContext): void {
  const { defaults, report, told } = context;
  const isOwn = (name: string) => Object.hasOwn(members.vars ?? {}, name);
  const placeOf = (name: string) => child(isOwn(name) ? `${at}/vars` : '/defaults/vars', name);
  const scope: Scope = {
    title: `case ${caseName(raw)}`,
    vars: measureVariables(built.vars, placeOf, report),
    env: new Set(built.requires.env),
    expanded: 0,
    told,
  };
  for (const key of FILLED) checkPlaceholders(members[key], child(at, key), scope, report);
  checkPlaceholders(members.script, child(at, 'script'), scope, report, true);
  for (const [key, value] of inherited(defaults, members)) {
    checkPlaceholders(value, child('/defaults', key), scope, report);
  }
}

/** What of the defaults holds in a case, and has texts. */
function inherited(defaults: DefaultsInput, members: CaseInput): [string, unknown][] {
  const { system, toolChoice, match, tools, vars, assert } = defaults;
  const isReplaced = members.assert !== undefined && !Array.isArray(members.assert);
  return [
    ['system', members.system === undefined ? system : undefined],
    ['toolChoice', members.toolChoice === undefined ? toolChoice : undefined],
    ['match', without(match, members.match)],
    ['tools', without(tools, members.tools)],
    ['vars', without(vars, members.vars)],
    ['assert', isReplaced ? undefined : assert],
  ];
}

/** The members of a map that another does not lie over. */
function without(map: object | undefined, over: object | undefined): object | undefined {
  if (map === undefined || over === undefined) return map;
  return Object.fromEntries(Object.entries(map).filter(([key]) => !Object.hasOwn(over, key)));
}
