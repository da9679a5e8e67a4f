import { basename } from 'node:path';
import { createCB } from 'xmlbuilder2';
import type { XMLBuilderCB } from 'xmlbuilder2/lib/interfaces.js';
import { formatProblem } from '../errors.ts';
import type { Discrepancy } from '../record.ts';
import type { OpenRun } from '../runs/read.ts';
import { quotation, tidy } from '../sentence.ts';
import { type CellResult, cellResults, decidingChecks, type TrialResult } from './cellResults.ts';
import { clip } from './inline.ts';
import { describeCheck, describeDiscrepancy } from './text.ts';
import type { UnrunSuite } from './unrunSuite.ts';
import { visible, visibleLine } from './visible.ts';

const LONGEST_MESSAGE = 1000;
const DISCREPANCIES_SHOWN = 20;
const LAST_WORDS_SHOWN = 20;

/** Beyond the runs themselves. */
export interface JunitOptions {
  /** Suites that were asked for and have no run. */
  unrun?: readonly UnrunSuite[];
  /** `file:line:column` of a JSON pointer into the suite of a run; without it pointers are given as they are. */
  place?: (run: OpenRun, pointer: string) => string;
}

interface TestSuite {
  run: OpenRun;
  cases: TestCase[];
}

interface TestCase {
  name: string;
  durationMs: number;
  properties: [name: string, value: string][];
  /** Null: it passed. */
  problem: { kind: 'failure' | 'error' | 'skipped'; message: string; text: string } | null;
}

/**
 * Runs as one JUnit XML file: a test suite is a run, a test case is a cell (its trials stand in its properties), a wrong
 * answer is a failure, infrastructure an error. A run that did not pass although none of its cells is to blame, or that
 * has no end, gets a test case of its own, `(whole run)`, so that the file is never greener than the run; and so does a suite
 * that has no run, an error where it is broken.
 *
 * @returns XML 1.0 whatever servers and models sent: what may not stand there is written out
 * @throws McproveError RUN002, RUN005 for a run file that is damaged
 */
export async function junitReport(runs: readonly OpenRun[], options: JunitOptions = {}): Promise<string> {
  const { unrun = [], place = (_run, pointer) => pointer } = options;
  const suites: TestSuite[] = [];
  for (const run of runs) suites.push({ run, cases: await testCases(run, (pointer) => place(run, pointer)) });
  // Written piece by piece: a tree of ten thousand test cases would take hundreds of megabytes.
  let xml = '';
  const builder = createCB({
    prettyPrint: true,
    wellFormed: true,
    data: (piece: string) => {
      xml += piece;
    },
    end: () => undefined,
    error: (error: Error) => {
      throw error;
    },
  });
  builder.dec({ encoding: 'UTF-8' });
  const without = unrun.map((suite) => ({ path: suite.path, testCase: unrunCase(suite) }));
  const all = [...suites.flatMap(({ cases }) => cases), ...without.map(({ testCase }) => testCase)];
  builder.ele('testsuites', { name: 'mcprove', ...counts(all) });
  for (const suite of suites) addSuite(builder, suite);
  for (const { path, testCase } of without) {
    builder.ele('testsuite', { name: attribute(path), file: attribute(path), ...counts([testCase]) });
    addCase(builder, testCase, path);
    builder.up();
  }
  builder.up().end();
  return `${xml}\n`;
}

/** Text of an element. The builder leaves what looks like an entity alone, so `&#0;` from a server would break the file. */
function content(text: string): string {
  return visible(text).replaceAll('&', '&amp;');
}

/** Attributes keep no line feeds. */
function attribute(text: string): string {
  return visibleLine(text).replaceAll('&', '&amp;');
}

function addSuite(builder: XMLBuilderCB, { run, cases }: TestSuite): void {
  const { head, end } = run;
  builder.ele('testsuite', {
    name: attribute(head.suite.name),
    file: attribute(head.suite.path),
    timestamp: attribute(head.startedAt.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)),
    ...counts(cases),
  });
  addProperties(builder, [
    ['run', head.id],
    ['decision', end?.decision ?? 'interrupted'],
    ...(end?.reasons ?? []).map((reason): [string, string] => ['reason', reason]),
    ...(end?.warnings ?? []).map((warning): [string, string] => ['warning', warning]),
    ['models', head.models.join(', ')],
    ['mcprove', head.toolVersion],
    ...(head.git === null ? [] : ([['commit', `${head.git.commit}${head.git.dirty ? ' (dirty)' : ''}`]] as const)),
  ]);
  for (const testCase of cases) addCase(builder, testCase, head.suite.path);
  builder.up();
}

function addCase(builder: XMLBuilderCB, { name, durationMs, properties, problem }: TestCase, path: string): void {
  builder.ele('testcase', { classname: attribute(path), name: attribute(name), time: seconds(durationMs) });
  addProperties(builder, properties);
  if (problem !== null) {
    const message = attribute(firstLine(problem.message));
    builder.ele(problem.kind, problem.kind === 'skipped' ? { message } : { message, type: problem.kind });
    if (problem.text !== '') builder.txt(content(problem.text));
    builder.up();
  }
  builder.up();
}

function addProperties(builder: XMLBuilderCB, properties: readonly (readonly [name: string, value: string])[]): void {
  if (properties.length === 0) return;
  builder.ele('properties');
  for (const [name, value] of properties) {
    builder.ele('property', { name: attribute(name), value: attribute(value) }).up();
  }
  builder.up();
}

function counts(cases: readonly TestCase[]): Record<string, string> {
  const count = (kind: string) => String(cases.filter(({ problem }) => problem?.kind === kind).length);
  return {
    tests: String(cases.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

/** One line for lists; all of it stands in the body. */
function firstLine(text: string): string {
  return clip(quotation(text).sentence.split('\n')[0] ?? '', LONGEST_MESSAGE);
}

function unrunCase({ state, message, problems }: UnrunSuite): TestCase {
  const kind = state === 'broken' ? 'error' : 'skipped';
  const text = problems.map((problem) => formatProblem(problem, basename(problem.range.file))).join('\n');
  return { name: '(whole run)', durationMs: 0, properties: [], problem: { kind, message, text } };
}

async function testCases(run: OpenRun, place: (pointer: string) => string): Promise<TestCase[]> {
  const cases = (await cellResults(run)).map((result) => cellCase(result, place));
  for (const { cell, reason } of run.head.skipped) {
    cases.push({ name: cell, durationMs: 0, properties: [], problem: { kind: 'skipped', message: reason, text: '' } });
  }
  const isTold = cases.some(({ problem }) => problem?.kind === 'failure' || problem?.kind === 'error');
  return run.end?.decision === 'passed' || (run.end !== null && isTold) ? cases : [...cases, wholeRun(run)];
}

function wholeRun({ end }: OpenRun): TestCase {
  const message = end === null ? 'the run was interrupted: its file has no end' : `the run is ${end.decision}`;
  const text = end?.reasons.join('\n') ?? '';
  const kind = end?.decision === 'failed' ? 'failure' : 'error';
  return { name: '(whole run)', durationMs: 0, properties: [], problem: { kind, message, text } };
}

function cellCase(result: CellResult, place: (pointer: string) => string): TestCase {
  const { name, trials } = result;
  return {
    name,
    durationMs: trials.reduce((sum, trial) => sum + trial.durationMs, 0),
    properties: trials.map((trial) => [`trial ${trial.number}`, trialLine(trial)]),
    problem: problemOf(result, place),
  };
}

/** `failed in 0.012 s: missing: get_weather`. */
function trialLine(trial: TrialResult): string {
  const took = tookText(trial);
  return trial.reason === undefined ? took : `${took}: ${firstLine(trial.reason.text)}`;
}

function tookText({ verdict, durationMs }: TrialResult): string {
  return `${verdict} in ${seconds(durationMs)} s`;
}

function problemOf(result: CellResult, place: (pointer: string) => string): TestCase['problem'] {
  const { outcome, trials } = result;
  if (outcome === 'passed') return null;
  if (outcome === 'notRun') {
    const cancelled = trials.find(({ verdict }) => verdict === 'cancelled');
    return { kind: 'skipped', message: cancelled?.reason?.text ?? 'not run: the run ended before', text: '' };
  }
  const told = trials.filter(({ verdict }) => verdict === outcome);
  return {
    kind: outcome === 'failed' ? 'failure' : 'error',
    message: messageOf(result, told),
    text: told.map((trial) => trialText(trial, place)).join('\n\n'),
  };
}

function messageOf({ figures, trials }: CellResult, told: readonly TrialResult[]): string {
  const reason = told[0]?.reason?.text ?? '';
  if (figures === null || trials.length <= 1) return reason;
  const { passed, failed, errored } = figures.totals;
  const others = errored > 0 ? `, ${errored} errored` : '';
  return `${passed} of ${passed + failed} ${passed + failed === 1 ? 'trial' : 'trials'} passed${others}: ${reason}`;
}

/** The trial, why it came out so, and each check behind it with every discrepancy. */
function trialText(trial: TrialResult, place: (pointer: string) => string): string {
  const deciding = decidingChecks(trial);
  // What failed is said by the checks below.
  const isTold = trial.verdict === 'failed' && deciding.length > 0;
  const lines = [`${trial.id} ${isTold ? tookText(trial) : trialLine(trial)}`];
  const { quoted, after } = quotation(trial.reason?.text ?? '');
  lines.push(
    ...quote('last lines on stderr', quoted),
    ...(after === ''
      ? []
      : tidy(after)
          .split('\n')
          .map((line) => `  ${line}`)),
  );
  for (const { call, lines: words } of trial.lastWords)
    lines.push(...quote(`call ${call}, last lines on stderr`, words));
  for (const check of deciding) {
    const told = (check.diff ?? []).filter((discrepancy) => discrepancy.kind !== 'extra' || discrepancy.counts);
    lines.push(`  ${told.length > 0 ? visibleLine(check.label) : describeCheck(check)}`);
    for (const discrepancy of told.slice(0, DISCREPANCIES_SHOWN)) {
      lines.push(`    ${describeDiscrepancy(numbered(discrepancy, trial.callIds))}`);
    }
    if (told.length > DISCREPANCIES_SHOWN) lines.push(`    and ${told.length - DISCREPANCIES_SHOWN} more`);
    lines.push(`    at ${place(check.at)}`);
  }
  return lines.join('\n');
}

/** With the number of the call in place of its id. */
function numbered(discrepancy: Discrepancy, callIds: readonly string[]): Discrepancy {
  if (discrepancy.kind !== 'missing' || discrepancy.refused === undefined) return discrepancy;
  const { refused } = discrepancy;
  const number = callIds.indexOf(refused.call) + 1;
  return number === 0 ? discrepancy : { ...discrepancy, refused: { ...refused, call: String(number) } };
}

function quote(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [`  ${title}:`, ...lines.slice(-LAST_WORDS_SHOWN).map((line) => `    ${line}`)];
}
