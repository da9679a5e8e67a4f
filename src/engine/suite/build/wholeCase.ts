/** What can be wrong with a case whose every key is right. */
import { type CaseInput, caseName, SUBJECTS, type SubjectName } from '../keys/case.ts';
import type { Case } from '../model.ts';
import { child } from '../pointer.ts';
import type { Report } from '../report.ts';
import type { CaseSource } from './case.ts';

/** Keys that mean something only beside some subjects. Those not named here go with all. */
const FITS: Partial<Record<keyof CaseInput, readonly SubjectName[]>> = {
  arguments: ['tool'],
  expect: ['tool'],
  calls: ['prompt', 'trace'],
  match: ['prompt', 'trace'],
  tools: ['prompt'],
  execute: ['prompt'],
  system: ['prompt'],
  temperature: ['prompt'],
  maxOutputTokens: ['prompt'],
  toolChoice: ['prompt'],
  seed: ['prompt'],
  maxTurns: ['prompt'],
  script: ['prompt'],
  timeout: ['prompt', 'tool'],
  trials: ['prompt', 'tool'],
};

export function checkWhole(source: CaseSource, built: Case, report: Report): void {
  const { raw, at } = source;
  const title = `case ${caseName(raw)}`;
  const [subject, second] = SUBJECTS.filter((name) => Object.hasOwn(raw, name));
  if (subject === undefined) {
    const hint = `Give it one of ${SUBJECTS.join(', ')}.`;
    report.add('SUITE020', at, `${title} has nothing to try`, { hint });
  } else if (second !== undefined) {
    const message = `${title} has both "${subject}" and "${second}"; it takes one of them`;
    report.add('SUITE020', child(at, second), message, { key: true, hint: 'Make two cases of it.' });
  } else {
    checkFits(source, subject, report);
    checkCanFail(built, title, report);
  }
}

function checkFits({ raw, at }: CaseSource, subject: SubjectName, report: Report): void {
  for (const [name, subjects] of Object.entries(FITS)) {
    if (!Object.hasOwn(raw, name) || subjects.includes(subject)) continue;
    const message = `"${name}" means nothing in a case with "${subject}"`;
    report.add('SUITE023', child(at, name), message, { key: true, hint: `It goes with ${subjects.join(' or ')}.` });
  }
}

function checkCanFail({ at, subject, route, assertions, execute }: Case, title: string, report: Report): void {
  if (execute === 'untilExpected' && (route === null || route.expected.length === 0) && subject.kind === 'prompt') {
    const hint = 'Name the expected calls under calls.';
    report.add('SUITE023', child(at, 'execute'), 'untilExpected needs calls that are expected', { key: true, hint });
  }
  // A call made by the runner must succeed, so a case with a tool can always fail.
  if (subject.kind === 'tool' || route !== null || assertions.some(({ role }) => role === 'required')) return;
  report.add('SUITE019', subject.at, `nothing can fail ${title}`, {
    key: true,
    hint: 'Add calls (or calls: none), or an assertion that is required.',
  });
}
