/** What the tests of the reader share. */
import { formatProblem } from '../../../src/engine/errors.ts';
import { type Case, type ReadResult, readSuite, type Suite } from '../../../src/engine/suite/index.ts';

export const FILE = '/work space/suites/a.eval.yaml';
const WORKSPACE = '/work space';

export function read(text: string): ReadResult {
  return readSuite(text, { file: FILE, workspace: WORKSPACE });
}

/** Each problem as it is told, from the line on: `4:9 error YAML002 message. Hint.` */
export function problemsIn(text: string): string[] {
  const result = read(text);
  if (result.kind === 'foreign') return [`foreign: ${result.hint}`];
  return result.problems.map((problem) => formatProblem(problem, '').slice(1));
}

/** The suite of a text that has no errors. */
export function suiteIn(text: string): Suite {
  const result = read(text);
  if (result.kind !== 'suite') throw new Error(`not a suite: ${problemsIn(text).join('\n')}`);
  return result.suite;
}

/** The one case with these keys, indented by four as they follow `  - `. */
export function caseIn(keys: string, head = ''): Case {
  const [first] = suiteIn(withCase(keys, head)).cases;
  if (first === undefined) throw new Error('no case');
  return first;
}

/** A suite of one case. Its keys begin at line 3 (more, with lines before them), column 5. */
export function withCase(keys: string, head = ''): string {
  const [first = '', ...rest] = keys.split('\n');
  return [
    `mcprove: 1`,
    ...(head === '' ? [] : [head]),
    'cases:',
    `  - ${first}`,
    ...rest.map((line) => `    ${line}`),
    '',
  ].join('\n');
}
