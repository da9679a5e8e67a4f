/** The commands and options of `mcprove`, and what becomes of whatever they throw. */
import { Command, CommanderError, Option } from 'commander';
import { McproveError } from '../engine/index.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode } from './exitCodes.ts';
import { addInput, addMatch, addReporter, addText, positiveInteger, positiveUsd, trialCount } from './options.ts';
import { helpTable } from './text/helpTable.ts';
import { printBug, printError } from './text/problems.ts';

const FILES = 'suite files, folders or globs (default: every *.eval.yaml below this folder)';

const INPUT = 'a value that the configuration of a server asks for (repeatable; or set MCPROVE_INPUT_ID)';

const EXIT_CODES = [
  ['0', 'passed'],
  ['1', 'a cell failed'],
  ['2', 'a problem in the command line, a suite or the configuration; the suites that are sound have been run'],
  ['3', 'inconclusive'],
  ['130', 'cancelled (143 on SIGTERM)'],
] as const;

const DOCTOR_CODES = [
  ['0', 'nothing is wrong'],
  ['1', 'a program or server is missing or does not start'],
  ['2', 'a configuration file or a suite has errors'],
] as const;

const RUN_EXAMPLES = [
  ['mcprove run', 'every suite below this folder'],
  ['mcprove run evals/weather.eval.yaml', 'one suite'],
  ["mcprove run -t 'weather-*' --trials 5", 'some of its cells, five times each'],
  ['mcprove run --failed', 'what did not pass the last time'],
  ['mcprove run --reporter junit=report.xml', 'with a report for CI'],
  ['mcprove run --reporter json=- > report.json', ''],
] as const;

/** Parses, does what is asked, and tells every error in one form on stderr. Never throws. */
export async function runProgram(args: readonly string[], context: Context): Promise<ExitCode> {
  let code: ExitCode = EXIT.passed;
  const program = buildProgram(context, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.passed : EXIT.usage;
    if (error instanceof McproveError) {
      printError(error, context.err, context.cwd);
      return EXIT.usage;
    }
    if (isShortOfFiles(error)) {
      context.err.line(
        `${context.err.ink.red('error')} The system lets mcprove open no more files (${error.code}). Raise the limit ` +
          '(`ulimit -n`), or give --concurrency a smaller number.',
      );
      return EXIT.inconclusive;
    }
    printBug(error, context.err, args.includes('--verbose'));
    return EXIT.inconclusive;
  }
}

/** Of this process, or of the whole machine. */
function isShortOfFiles(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

function buildProgram(context: Context, done: (code: ExitCode) => void): Command {
  const { out, err, version } = context;
  const program = new Command('mcprove')
    .description('Proves that language models use your MCP server correctly.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help on a command')
    .addHelpText('after', ({ error }) => helpTable('Exit codes', EXIT_CODES, (error ? err : out).columns))
    .showHelpAfterError('The options are listed by --help.')
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHelpWidth: () => out.columns,
      getErrHelpWidth: () => err.columns,
      outputError: (text, write) => write(text.replace(/^error:/, err.ink.red('error'))),
    });

  // `copyInheritedSettings`, which `command()` does, hands exitOverride and the output down.
  program
    .command('run')
    .description('run suites and decide')
    .argument('[files...]', FILES)
    .option(
      '-t, --cell <pattern>',
      'only cells of this name, case id or case name; * stands for anything (repeatable)',
      addText,
    )
    .option('--tag <tag>', 'only cases with this tag (repeatable)', addText)
    .option('--model <id>', "this model in place of the suites' own (repeatable)", addText)
    .option('--trials <n>', "this many trials for every cell, in place of the cases' own", trialCount)
    .option(
      '--failed',
      'only cells that did not pass in the newest run that had them: failed, errored, cancelled or never begun',
    )
    .option('--many-trials', 'allow more than 10,000 trials')
    .option('--bail <n>', 'stop after this many failed cells, of all suites together', positiveInteger)
    .option('--max-cost <usd>', 'start no trial that would cost more than this in all: 5, $0.50', positiveUsd)
    .option('--input <id=value>', INPUT, addInput)
    .option('--concurrency <n>', 'at most this many trials at a time (default: 8)', positiveInteger)
    .option('--note <text>', 'what changed, kept with the run')
    .option('--match <key=value>', 'override how calls are compared, such as order=exact (repeatable)', addMatch)
    .option(
      '--reporter <name[=file]>',
      'list, json or junit; to a file, or to stdout with =- (repeatable; default: list)',
      addReporter,
    )
    .addOption(verbose())
    .addHelpText('after', ({ error }) => helpTable('Examples', RUN_EXAMPLES, (error ? err : out).columns))
    .action(async (files: string[], options) => {
      const { runCommand } = await import('./commands/run.ts');
      done(await runCommand(files, options, context));
    });

  program
    .command('validate')
    .description('check suites for all that `run` would refuse; nothing is started')
    .argument('[files...]', FILES)
    .option('--starts', 'also list what a run would start: each command line and URL')
    .option('--input <id=value>', INPUT, addInput)
    .addOption(verbose())
    .action(async (files: string[], options) => {
      const { validateCommand } = await import('./commands/validate.ts');
      done(await validateCommand(files, options, context));
    });

  program
    .command('list')
    .description('list the cells that a run would have; nothing is started')
    .argument('[files...]', FILES)
    .option(
      '-t, --cell <pattern>',
      'only cells of this name, case id or case name; * stands for anything (repeatable)',
      addText,
    )
    .option('--tag <tag>', 'only cases with this tag (repeatable)', addText)
    .option('--model <id>', "this model in place of the suites' own (repeatable)", addText)
    .addOption(verbose())
    .action(async (files: string[], options) => {
      const { listCommand } = await import('./commands/list.ts');
      done(await listCommand(files, options, context));
    });

  program
    .command('init')
    .description('write a first suite for a configured server, from one of its tools')
    .argument('[file]', 'the suite to write; never overwrites (default: <server>.eval.yaml)')
    .option('--server <name>', 'this server')
    .option('--tool <name>', 'this tool (default: one that only reads, with few arguments)')
    .option('--input <id=value>', INPUT, addInput)
    .option('-y, --yes', 'ask nothing: take the first server, and call the tool to see what it answers')
    .addOption(verbose())
    .action(async (file: string | undefined, options) => {
      const { initCommand } = await import('./commands/init.ts');
      done(await initCommand(file, options, context));
    });

  program
    .command('doctor')
    .description('check this machine, keys, servers and suites; servers are started, and ended again')
    .option('--input <id=value>', INPUT, addInput)
    .option('--json', 'print JSON')
    .addOption(verbose())
    .addHelpText('after', ({ error }) => helpTable('Exit codes', DOCTOR_CODES, (error ? err : out).columns))
    .action(async (options) => {
      const { doctorCommand } = await import('./commands/doctor.ts');
      done(await doctorCommand(options, context));
    });

  program
    .command('show')
    .description('show a finished run, or one of its trials in full')
    .argument('[run]', 'a run file, the id of a run or how it begins, or `last`', 'last')
    .argument('[trial]', 'a trial, such as weather-in-berlin#2, or the name of its cell')
    .addOption(verbose())
    .option('--list', 'list all runs, newest first: id, start (UTC), decision, suite, trials, note')
    .action(async (run: string, trial: string | undefined, options) => {
      const { showCommand } = await import('./commands/show.ts');
      done(await showCommand(run, trial, options, context));
    });

  return program;
}

function verbose(): Option {
  return new Option('--verbose', 'more detail; stack traces of errors in mcprove itself');
}
