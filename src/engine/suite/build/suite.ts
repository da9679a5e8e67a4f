/** The data of a file becomes a `Suite`; whatever is wrong with it is reported on the way. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Json } from '../../record.ts';
import { check, isMap, soundMembers } from '../check.ts';
import { refuse } from '../explain.ts';
import { type CaseInput, CaseKeys, type DefaultsInput, DefaultsKeys } from '../keys/case.ts';
import { FORMAT, type PassInput, type SuiteInput, SuiteKeys } from '../keys/suite.ts';
import type { PassCriterion, Suite } from '../model.ts';
import { hasPlaceholder } from '../placeholders.ts';
import { child } from '../pointer.ts';
import { rateOf } from '../rate.ts';
import type { Report } from '../report.ts';
import { assertionsOf } from './assertions.ts';
import { type CaseContext, type CaseSource, caseOf } from './case.ts';
import { assignIds } from './ids.ts';
import { modelEntry } from './models.ts';
import { serversOf } from './servers.ts';

const MOST_CASES = 10_000;

/** What lies under every case is looked at for every case. */
const MOST_INHERITED = 10_000_000;

export interface SuiteSource {
  file: string;
  workspace: string;
  text: string;
  data: { readonly [key: string]: Json };
}

/**
 * Good only if nothing wrong has been reported; undefined for a format of another version, about which nothing is known,
 * and for one that is too large.
 */
export function suiteOf(source: SuiteSource, report: Report): Suite | undefined {
  const { file, workspace, text, data } = source;
  if (!checkFormat(data.mcprove, '/mcprove', report)) return undefined;
  let defaults: DefaultsInput = {};
  const cases: CaseSource[] = [];
  const { members } = soundMembers(SuiteKeys, data, '', report, {
    defaults(value, pointer) {
      const read = soundMembers(DefaultsKeys, value, pointer, report);
      defaults = read.members;
      return read.isSound;
    },
    cases: (value, pointer) => readCases(value, pointer, cases, report),
  });
  const suite: SuiteInput = members;
  checkMatch(defaults, report);
  if (!isInheritable(defaults, suite, cases.length, report)) return undefined;
  assignIds(cases, report);
  const context: CaseContext = {
    report,
    file,
    workspace,
    tags: [...(suite.tags ?? []), ...(defaults.tags ?? [])],
    defaults,
    inherited: assertionsOf(defaults.assert ?? [], '/defaults/assert', true),
    hasPlaceholders: hasPlaceholder(text),
    told: new Set(),
  };
  return {
    file,
    workspace,
    hash: createHash('sha256').update(text).digest('hex'),
    name: suite.name ?? basename(file).replace(/\.eval\.ya?ml$/i, ''),
    description: suite.description ?? null,
    tags: suite.tags ?? [],
    metadata: suite.metadata ?? {},
    servers: suite.servers === undefined ? null : serversOf(suite.servers, report),
    models: suite.models?.map((model, index) => modelEntry(model, child('/models', index))) ?? null,
    pass: passOf(suite.pass),
    cases: cases.map((each) => caseOf(each, context)),
    snapshot: data,
    locate: (pointer, options) => report.nodes.range(pointer, options),
  };
}

function checkFormat(value: unknown, pointer: string, report: Report): boolean {
  if (value === FORMAT || typeof value !== 'number') return check(SuiteKeys.shape.mcprove, value, pointer, report);
  const message = `the file is of format ${value}; this version reads ${FORMAT}`;
  return report.add('SUITE025', pointer, message, { hint: 'Upgrade MCProve.' });
}

function readCases(value: unknown, pointer: string, cases: CaseSource[], report: Report): boolean {
  if (!Array.isArray(value) || value.length === 0) return refuse(SuiteKeys.shape.cases, value, pointer, report);
  if (value.length > MOST_CASES) {
    const [found, most] = [value.length, MOST_CASES].map((figure) => figure.toLocaleString('en'));
    return report.add('SUITE011', pointer, `${found} cases; the limit is ${most}`, {
      key: true,
      hint: 'Split the suite.',
    });
  }
  for (const [index, raw] of value.entries()) {
    const at = child(pointer, index);
    const { members, isSound } = soundMembers(CaseKeys, raw, at, report);
    if (isMap(raw)) cases.push({ at, raw, members: members as CaseInput, isSound, id: '' });
  }
  return true;
}

/** Counts what the defaults come to, before they are laid under the cases. */
function isInheritable(defaults: DefaultsInput, { tags = [] }: SuiteInput, cases: number, report: Report): boolean {
  const values = countValues(defaults) + tags.length;
  if (values * cases <= MOST_INHERITED) return true;
  const [each, most] = [values, MOST_INHERITED].map((figure) => figure.toLocaleString('en'));
  const message = `${each} values of defaults and tags under ${cases} cases are more than ${most}`;
  return report.add('SUITE011', '/defaults', message, { key: true, hint: 'Split the suite, or shorten the defaults.' });
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + countValues(member), 1);
}

function checkMatch({ match }: DefaultsInput, report: Report): void {
  if (match?.order !== 'exact' || match.extras === undefined) return;
  const hint = 'Leave one of them out.';
  report.add('SUITE023', '/defaults/match/extras', 'the order exact leaves no room for extras', { key: true, hint });
}

function passOf(input: PassInput = 1): PassCriterion {
  if (typeof input === 'object' && 'trials' in input) return { kind: 'trials', bar: rateOf(input.trials) };
  const {
    cell = 1,
    minCompletion = 0.8,
    maxEvaluatorErrors = 0.1,
    minGradeable = null,
  } = typeof input === 'object' ? input : { cell: input };
  return {
    kind: 'cells',
    bar: rateOf(cell),
    minCompletion: rateOf(minCompletion),
    maxEvaluatorErrors: rateOf(maxEvaluatorErrors),
    minGradeable,
  };
}
