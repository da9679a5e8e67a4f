/** `mcprove validate`: everything for which `run` would refuse a suite, as far as it can be known without starting anything. */
import { checkSuite, listStarts, McproveError, type Problem, planRun, type Suite } from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, worst } from '../exitCodes.ts';
import type { InputValues } from '../options.ts';
import { counted } from '../text/figures.ts';
import { countProblems, printProblems, problemsOf, problemTotals } from '../text/problems.ts';
import { startLines } from '../text/starts.ts';
import { loadSuites } from './loadSuites.ts';

export interface ValidateOptions {
  /** Lists what a run would start. */
  starts?: boolean;
  input?: InputValues;
}

export async function validateCommand(
  words: readonly string[],
  options: ValidateOptions,
  context: Context,
): Promise<ExitCode> {
  const { out, cwd, env } = context;
  const { starts = false, input: inputs = new Map() } = options;
  const { suites, broken, problems, codes } = await loadSuites(words, context, out);
  let invalid = broken.length;
  for (const { suite, path } of suites) {
    const found = [...(await planProblems(suite, context)), ...(await checkSuite(suite, env, { inputs }))];
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
      if (starts) out.lines(startLines(await listStarts(suite, env, { inputs }), { cwd, ink: out.ink }));
    }
  }
  const all = suites.length + broken.length;
  if (all > 0) out.line(total(all, invalid, problemTotals(problems)));
  return worst(codes);
}

/** Refused here and now, and perhaps not on another machine or with another option: the suite itself is sound. */
const LESSER = new Set(['PLAN006', 'PLAN007']);

/** What a run of all of it would be refused for. */
async function planProblems(suite: Suite, { env }: Context): Promise<Problem[]> {
  try {
    await planRun(suite, {}, {}, { env, platform: process.platform });
    return [];
  } catch (error) {
    if (!(error instanceof McproveError)) throw error;
    const severity = LESSER.has(error.code) ? 'warning' : 'error';
    return problemsOf(error, suite.file).map((problem) => ({ ...problem, severity }));
  }
}

function total(all: number, invalid: number, problems: string): string {
  const verdict = invalid === 0 ? `${counted(all, 'suite')} valid` : `${invalid} of ${counted(all, 'suite')} invalid`;
  return problems === '' ? verdict : `${verdict}: ${problems}`;
}
