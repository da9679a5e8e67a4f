/** `mcprove validate`: everything that can be known to be wrong without starting anything. */
import { checkSuite } from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, worst } from '../exitCodes.ts';
import { counted } from '../text/figures.ts';
import { countProblems, printProblems, problemTotals } from '../text/problems.ts';
import { loadSuites } from './loadSuites.ts';

export async function validateCommand(words: readonly string[], context: Context): Promise<ExitCode> {
  const { out, cwd, env } = context;
  const { suites, broken, problems, codes } = await loadSuites(words, context, out);
  let invalid = broken;
  for (const { suite, path } of suites) {
    const found = await checkSuite(suite, env);
    printProblems(found, out, cwd);
    countProblems(problems, found);
    if (found.some(({ severity }) => severity === 'error')) {
      invalid += 1;
      codes.push(EXIT.usage);
    } else {
      const trials = suite.cases.reduce((sum, { trials: count }) => sum + count, 0);
      out.line(
        `${out.ink.green('✓')} ${path}  ${out.ink.dim(`${counted(suite.cases.length, 'case')} · ${counted(trials, 'trial')}`)}`,
      );
    }
  }
  if (suites.length + broken > 0) out.line(total(suites.length + broken, invalid, problemTotals(problems)));
  return worst(codes);
}

function total(all: number, invalid: number, problems: string): string {
  const verdict = invalid === 0 ? `${counted(all, 'suite')} valid` : `${invalid} of ${counted(all, 'suite')} invalid`;
  return problems === '' ? verdict : `${verdict}: ${problems}`;
}
