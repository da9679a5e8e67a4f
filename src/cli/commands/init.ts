/** `mcprove init`: a first suite for a server that is configured here. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  checkSuite,
  draftFirstSuite,
  type FirstSuite,
  McproveError,
  type Problem,
  readSuiteFile,
  type Suite,
  visibleLine,
  type WorkspaceServers,
  workspaceServers,
} from '../../engine/index.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { watchSignals } from '../interrupt.ts';
import type { InputValues } from '../options.ts';
import { counted } from '../text/figures.ts';
import { displayPath, placeName } from '../text/places.ts';
import { printProblems } from '../text/problems.ts';
import { wrap } from '../text/width.ts';
import { chooseServer } from './chooseServer.ts';

export interface InitOptions {
  server?: string;
  tool?: string;
  yes?: boolean;
  input?: InputValues;
}

/** Under how many names a place for the file is looked for. */
const MOST_NAMES = 100;

/**
 * @throws McproveError INIT001 to INIT005 for what stands in the way, SERVER… for a server that does not start
 */
export async function initCommand(word: string | undefined, options: InitOptions, context: Context): Promise<ExitCode> {
  const { cwd, env, err } = context;
  const wanted = word === undefined ? null : resolve(cwd, suiteName(word));
  if (wanted !== null) refuseTaken(wanted);
  const configured = await workspaceServers(wanted === null ? cwd : dirname(wanted), { ...env }, options.input);
  printProblems(configured.problems, err, cwd);
  const server = await chooseServer(configured, options, context);
  if (server === null) return EXIT.interrupted;
  const fileName = wanted === null ? `${server.name.replaceAll(/[^\w.-]+/g, '-')}.eval.yaml` : basename(wanted);
  const drafted = await draft(server, fileName, configured, options, context);
  if (typeof drafted === 'number') return drafted;
  const file = await write(drafted.text, wanted ?? join(cwd, fileName), wanted !== null);
  const { suite, problems } = await readBack(file, options, context);
  printProblems(problems, err, cwd);
  tell(drafted, suite, server.name, [...(options.input?.keys() ?? [])], context);
  return problems.some(({ severity }) => severity === 'error') ? EXIT.usage : EXIT.passed;
}

function suiteName(word: string): string {
  if (/\.eval\.ya?ml$/.test(word)) return word;
  return `${word.replace(/\.ya?ml$/, '')}.eval.yaml`;
}

/** @returns the status to leave with, for one who did not want to go on */
async function draft(
  server: WorkspaceServers['servers'][number],
  fileName: string,
  { redactor }: WorkspaceServers,
  { tool, yes }: InitOptions,
  context: Context,
): Promise<FirstSuite | ExitCode> {
  const { err, env, ask } = context;
  const interruption = watchSignals(context.signals, {
    first: () => err.line('Cancelling: the server is being ended.'),
    again: (code) => context.leave(code),
  });
  const hurry = new AbortController();
  const signal = AbortSignal.any([interruption.signal, hurry.signal]);
  err.line(err.ink.dim(`Starting ${visibleLine(server.name)} …`));
  try {
    return await draftFirstSuite({
      server,
      tool: tool ?? null,
      fileName,
      env: { ...env },
      redactor,
      signal,
      async mayCall(name) {
        if (yes === true) return true;
        if (ask === null) return false;
        const question = `${visibleLine(name)} is not marked as read-only. Call it once, to see what it answers? [y/N] `;
        const answer = await ask(question);
        if (answer === null) hurry.abort();
        return answer !== null && /^y(?:es)?$/i.test(answer);
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    return interruption.exitCode ?? EXIT.interrupted;
  } finally {
    interruption.dispose();
  }
}

/** Before anything is started. */
function refuseTaken(file: string): void {
  if (existsSync(file)) throw cannotWrite(`${file} exists already`, 'Nothing is overwritten; give another name.');
  if (!existsSync(dirname(file))) throw cannotWrite(`there is no folder ${dirname(file)}`, 'Make it first.');
}

function cannotWrite(message: string, hint: string): McproveError {
  return new McproveError('INIT005', message, { hint });
}

/** @returns the path, the next free one of its kind where it is not the one that was asked for */
async function write(text: string, path: string, isNamed: boolean): Promise<string> {
  for (let number = 1; ; number++) {
    const file = number === 1 ? path : path.replace(/(\.eval\.ya?ml)$/, `-${number}$1`);
    try {
      await writeFile(file, text, { flag: 'wx' });
      return file;
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      if (error.code === 'EEXIST' && !isNamed && number < MOST_NAMES) continue;
      throw cannotWrite(`the suite cannot be written: ${error.message}`, 'Check the permissions of the folder.');
    }
  }
}

async function readBack(
  file: string,
  { input = new Map() }: InitOptions,
  { cwd, env }: Context,
): Promise<{ suite: Suite; problems: Problem[] }> {
  const read = await readSuiteFile(file, cwd);
  if (read.kind !== 'suite') {
    const [problem] = read.kind === 'broken' ? read.problems : [];
    throw new Error(`the suite that was written, ${file}, is not valid: ${problem?.message ?? 'no suite'}`);
  }
  return {
    suite: read.suite,
    problems: [...read.problems, ...(await checkSuite(read.suite, { ...env }, { inputs: input }))],
  };
}

/** @param ids of the inputs that were given */
function tell(
  { tool, tools, call }: FirstSuite,
  suite: Suite,
  server: string,
  ids: readonly string[],
  { out, cwd }: Context,
): void {
  const { green, yellow, bold } = out.ink;
  const path = displayPath(suite.file, cwd);
  const [name, of] = [visibleLine(tool), visibleLine(server)];
  const about = `${counted(suite.cases.length, 'case')} for ${name}, one of ${counted(tools, 'tool')} of ${of}`;
  out.line(`${green('✓')} ${bold(path)}  ${tools === 1 ? about.replace(', one of 1 tool of ', ' of ') : about}`);
  if (call.kind === 'notMade') {
    out.line(`${yellow('!')} ${name} may change something, so it was not called to try it; the run will call it.`);
  }
  if (call.kind === 'failed') {
    const why = call.fillIn.length === 0 ? 'ended in an error' : 'refused the values made up for it';
    const lines = wrap(`${name} ${why}: ${visibleLine(call.text)}`, out.columns - 2);
    out.lines(lines.map((line, index) => `${index === 0 ? yellow('!') : ' '} ${line}`));
    for (const argument of call.fillIn) {
      const at = `/cases/0/arguments/${argument.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      out.line(`  Fill in ${bold(visibleLine(argument))} at ${placeName(suite.locate(at, { key: true }), cwd)}`);
    }
    if (call.fillIn.length > 0) out.line('  The same values stand once more under calls, and under script.');
    else out.line('  Mend the server, or take another tool with --tool.');
  }
  out.line();
  // The values may be secrets, and whoever gave them knows them.
  const inputs = ids.map((id) => ` --input ${visibleLine(id)}=…`).join('');
  out.line(`  mcprove run ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)}${inputs}`);
}
