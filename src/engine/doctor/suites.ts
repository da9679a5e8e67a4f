import { checkSuite } from '../checkSuite.ts';
import { McproveError, type Problem } from '../errors.ts';
import { findSuites } from '../findSuites.ts';
import { readSuiteFile, type Suite } from '../suite/index.ts';
import { findWorkspace } from '../suite/workspace.ts';
import { counted, type Examination, type Finding } from './finding.ts';

/** Reads every suite below a folder and checks it as `validate` does. */
export async function examineSuites(
  cwd: string,
  env: NodeJS.ProcessEnv,
  inputs: ReadonlyMap<string, string>,
): Promise<{ suites: Suite[]; examination: Examination }> {
  const suites: Suite[] = [];
  const findings: Finding[] = [];
  for (const file of await suitesBelow(cwd)) {
    try {
      const read = await readSuiteFile(file, findWorkspace(file, cwd));
      if (read.kind === 'foreign') continue;
      if (read.kind === 'suite') suites.push(read.suite);
      const problems =
        read.kind === 'suite' ? [...read.problems, ...checkSuite(read.suite, env, { inputs })] : read.problems;
      findings.push(suiteFinding(file, read.kind === 'suite' ? read.suite : null, problems));
    } catch (error) {
      if (!(error instanceof McproveError)) throw error;
      findings.push({ level: 'error', file, code: error.code, text: error.message, ...remedy(error.hint) });
    }
  }
  if (findings.length === 0) {
    findings.push({ level: 'note', text: 'none in this folder or below', remedy: 'Write one with `mcprove init`.' });
  }
  return { suites, examination: { kind: 'suites', title: 'Suites', findings } };
}

async function suitesBelow(cwd: string): Promise<string[]> {
  try {
    return (await findSuites([], cwd)).map(({ file }) => file);
  } catch (error) {
    if (error instanceof McproveError && error.code === 'FIND002') return [];
    throw error;
  }
}

/** The worst of its problems, and how many there are. */
function suiteFinding(file: string, suite: Suite | null, problems: readonly Problem[]): Finding {
  const worst = problems.find(isError) ?? problems.find(({ severity }) => severity === 'warning');
  if (worst === undefined) return { level: 'ok', file, text: counted(suite?.cases.length ?? 0, 'case') };
  const count = problems.filter(({ severity }) => severity === worst.severity).length;
  const more = count === 1 ? '' : `; ${counted(count, worst.severity)} in all`;
  return {
    level: isError(worst) ? 'error' : 'warning',
    file,
    code: worst.code,
    range: worst.range,
    text: `${worst.message}${more}`,
    ...remedy(count === 1 ? worst.hint : 'See them all with `mcprove validate`.'),
  };
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

function remedy(hint: string | undefined): { remedy?: string } {
  return hint === undefined ? {} : { remedy: hint };
}
