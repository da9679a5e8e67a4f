/** One case of the file becomes one `Case`: defaults laid under it, shorthand written out, and checked as a whole. */
import type { Json } from '../../record.ts';
import { durationMs } from '../duration.ts';
import type { CaseInput, DefaultsInput } from '../keys/case.ts';
import type { Assertion, Case, MatchOptions, ModelSettings, Subject } from '../model.ts';
import { child } from '../pointer.ts';
import { rateOf } from '../rate.ts';
import type { Report } from '../report.ts';
import { assertionsOf } from './assertions.ts';
import { defined } from './defined.ts';
import { scriptOf } from './parts.ts';
import { checkRoute, routeOf } from './route.ts';
import { subjectOf } from './subject.ts';
import { checkTexts } from './texts.ts';
import { checkWhole } from './wholeCase.ts';

/** What all cases of a file share. */
export interface CaseContext {
  report: Report;
  file: string;
  workspace: string;
  /** The suite's and the defaults'. */
  tags: readonly string[];
  defaults: DefaultsInput;
  inherited: readonly Assertion[];
  /** False where no text of the file holds `{{`. */
  hasPlaceholders: boolean;
  /** Placeholders that have been told. */
  told: Set<string>;
}

/** A case as it stands in the file, and those of its keys that are sound. */
export interface CaseSource {
  at: string;
  raw: object;
  members: CaseInput;
  isSound: boolean;
  /** Empty where none could be made. */
  id: string;
}

const DEFAULT_MATCH: MatchOptions = { arguments: 'partial', order: 'any', extras: 'allow', ignoreTools: [] };
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_TURNS = 20;
const SKIPPED = 'marked `skip`';
const LONGEST_NAME = 80;

/**
 * Reports what is wrong with a case beyond its single keys. What was built of a case with errors is good for nothing but
 * finding more of them.
 */
export function caseOf(source: CaseSource, context: CaseContext): Case {
  const { members, at, id } = source;
  const { defaults, report } = context;
  const subject = subjectOf(members, at, context);
  const match = matchOf(members, at, context);
  const route = members.calls === undefined ? null : routeOf(members.calls, child(at, 'calls'));
  if (route !== null) checkRoute(route, match, report);
  const vars = { ...defaults.vars, ...members.vars } as Record<string, Json>;
  const requires = { ...defaults.requires, ...members.requires };
  const built: Case = {
    at,
    id,
    name: nameOf(members, subject),
    description: members.description ?? null,
    tags: [...new Set([...context.tags, ...(members.tags ?? [])])],
    metadata: members.metadata ?? {},
    skip: typeof members.skip === 'string' ? members.skip : members.skip === true ? SKIPPED : null,
    only: members.only ?? false,
    requires: { env: requires.env ?? [], os: requires.os ?? [] },
    subject,
    vars,
    route,
    match,
    assertions: assertionsIn(members, at, context),
    tools: { allow: null, deny: [], readOnly: false, ...defined(defaults.tools), ...defined(members.tools) },
    execute: members.execute ?? defaults.execute ?? true,
    system: members.system ?? defaults.system ?? null,
    ...settingsIn(members, defaults),
    trials: members.trials ?? defaults.trials ?? 1,
    pass: members.pass === undefined ? null : rateOf(members.pass),
    timeoutMs: timeoutOf(members.timeout ?? defaults.timeout),
    maxTurns: members.maxTurns ?? defaults.maxTurns ?? DEFAULT_MAX_TURNS,
    script: members.script === undefined ? null : scriptOf(members.script, child(at, 'script')),
  };
  if (source.isSound) checkWhole(source, built, report);
  if (context.hasPlaceholders) checkTexts(source, built, context);
  return built;
}

function matchOf({ match: own }: CaseInput, at: string, { defaults, report }: CaseContext): MatchOptions {
  const merged: MatchOptions = { ...DEFAULT_MATCH, ...defined(defaults.match), ...defined(own) };
  if (merged.order !== 'exact') return merged;
  if (own?.extras !== undefined) {
    const pointer = `${at}/match/extras`;
    report.add('SUITE023', pointer, 'the order exact leaves no room for extras', {
      key: true,
      hint: 'Leave one of them out.',
    });
  }
  return { ...merged, extras: 'forbid' };
}

function settingsIn(own: CaseInput, defaults: DefaultsInput): ModelSettings {
  return {
    temperature: own.temperature ?? defaults.temperature ?? null,
    maxOutputTokens: own.maxOutputTokens ?? defaults.maxOutputTokens ?? null,
    toolChoice: own.toolChoice ?? defaults.toolChoice ?? null,
    seed: own.seed ?? defaults.seed ?? null,
  };
}

function assertionsIn({ assert: own }: CaseInput, at: string, { inherited }: CaseContext): readonly Assertion[] {
  if (own === undefined) return inherited;
  const pointer = child(at, 'assert');
  if (!Array.isArray(own)) return assertionsOf(own.replace, child(pointer, 'replace'), false);
  return [...inherited, ...assertionsOf(own, pointer, false)];
}

function nameOf({ name, trace }: CaseInput, subject: Subject): string {
  if (name !== undefined) return name;
  if (subject.kind === 'tool') return subject.tool;
  if (subject.kind === 'trace') return trace ?? subject.path;
  const [line = ''] = subject.prompt.split('\n', 1);
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line;
}

function timeoutOf(written: string | undefined): number {
  return written === undefined ? DEFAULT_TIMEOUT_MS : durationMs(written);
}
