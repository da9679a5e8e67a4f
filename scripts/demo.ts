/**
 * `npm run demo`: runs the examples against real MCP servers, first the suites that pass, then the one that must fail,
 * and tells what was seen. Everything it says about the runs is read from their run files.
 *
 * Exit code 0 only when the first group passed and the second failed; 1 when not; that of a run stopped by Ctrl-C.
 */
import { spawn } from 'node:child_process';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { RunEnd, RunHead, Trial } from '../src/engine/record.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const cli = join(root, 'dist/cli.js');
const runsFolder = join(root, '.mcprove/runs');
const redFolder = 'examples/failing';

interface Run {
  /** Relative to the project. */
  file: string;
  head: RunHead;
  trials: readonly Trial[];
  end: RunEnd;
}

process.chdir(root);
// A Ctrl-C reaches the run too, which ends its servers and says so; this process waits for that.
process.on('SIGINT', () => {});
process.exitCode = await demo();

async function demo(): Promise<number> {
  if (isStale()) {
    heading('Building');
    const built = await node(['esbuild.mjs']);
    if (built !== 0) return problem(`The build ended with exit code ${built}.`, built);
  }

  const greenFolders = [...new Set(globSync('examples/*/*.eval.yaml').map(folderOf))].filter(
    (name) => name !== redFolder,
  );
  heading('Suites that should pass');
  const green = await runSuites(greenFolders.sort());
  if (green.code !== 0) {
    return problem(`These suites should pass, but the run ended with exit code ${green.code}.`, green.code);
  }

  heading('A suite that should fail');
  const red = await runSuites([redFolder]);
  if (red.code !== 1) {
    return problem(`This suite should fail with exit code 1, but the run ended with ${red.code}.`, red.code);
  }

  return explain(readRuns(green.files), readRuns(red.files));
}

/** `examples/weather` of `examples/weather/first.eval.yaml`, with slashes on every system. */
function folderOf(file: string): string {
  return dirname(file).replaceAll('\\', '/');
}

/** True where dist/ is missing or older than what it is made of. */
function isStale(): boolean {
  const builtMs = modifiedMs(cli);
  const sources = [...globSync('src/**/*.ts'), 'esbuild.mjs', 'package-lock.json'];
  return sources.some((file) => modifiedMs(file) > builtMs);
}

function modifiedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @returns the names of the run files that were made */
async function runSuites(folders: readonly string[]): Promise<{ code: number; files: string[] }> {
  const before = new Set(runFiles());
  console.log(styleText('dim', `\n$ npx mcprove run ${folders.join(' ')}\n`));
  const code = await node([cli, 'run', ...folders]);
  return { code, files: runFiles().filter((file) => !before.has(file)) };
}

/** @returns the exit code, as a shell would give it: 130 after SIGINT */
function node(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

function runFiles(): string[] {
  try {
    return readdirSync(runsFolder).filter((name) => name.endsWith('.run.jsonl'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** In the order in which they were made. */
function readRuns(names: readonly string[]): Run[] {
  return names.map(readRun).sort((a, b) => a.head.startedAt.localeCompare(b.head.startedAt));
}

function readRun(name: string): Run {
  const file = join(runsFolder, name);
  const records = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  return {
    file: relative(root, file),
    head: RunHead.parse(records.at(0)),
    trials: records.slice(1, -1).map((record) => Trial.parse(record)),
    end: RunEnd.parse(records.at(-1)),
  };
}

function explain(green: readonly Run[], red: readonly Run[]): number {
  const redRun = red[0];
  const failed = redRun?.trials.find((trial) => trial.verdict === 'failed');
  const mismatch = failed?.checks
    .flatMap((check) => check.diff ?? [])
    .find((discrepancy) => discrepancy.kind === 'argumentMismatch');
  const difference = mismatch?.differences[0];
  if (redRun === undefined || failed === undefined || mismatch === undefined || difference === undefined) {
    return problem('The run file does not hold the wrong argument that the failing suite is about.', 1);
  }

  const trials = green.reduce((sum, run) => sum + run.end.totals.passed, 0);
  const servers = new Set(green.flatMap((run) => run.end.servers.map((server) => server.name)));
  const argument = difference.path.slice(1).replaceAll('/', '.');
  const [expected, actual] = [difference.expected, difference.actual].map((value) => JSON.stringify(value));
  heading('What you saw');
  paragraph(
    `Green: ${trials} trials in ${green.length} suites, against the real MCP servers ${[...servers].join(', ')}.`,
    'They were started as processes, spoken to over stdio, and ended again.',
    'The model was a script that stands in the suites themselves: no key, no cost, the same answer every time.',
  );
  paragraph(
    `Red, and rightly so: the model called ${mismatch.tool} with ${argument} ${actual}, and the suite expects ${expected}.`,
    'The tool answered without an error and the model sounded sure; only the argument gives it away.',
    'That is the kind of mistake MCProve is there to catch.',
  );
  heading('Where it is written down');
  paragraph('Every run is one file of JSON lines, with each call, each result and each check:');
  for (const run of [...green, ...red]) console.log(`  ${run.file}`);
  paragraph('Look into one:');
  console.log(`  npx mcprove show ${redRun.head.id}`);
  console.log(`  npx mcprove show ${redRun.head.id} ${failed.cell.case}`);
  paragraph('How to write a suite for a server of your own stands in README.md.');
  return 0;
}

/** Begins with an empty line, as everything here does. */
function heading(text: string): void {
  console.log(`\n${styleText('bold', text)}`);
}

/** Sentences as lines of at most 100 characters. */
function paragraph(...sentences: readonly string[]): void {
  const lines = [''];
  for (const word of sentences.join(' ').split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length >= 100) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  console.log(`\n${lines.join('\n')}`);
}

function problem(text: string, code: number): number {
  const stopped = code === 130 || code === 143;
  console.error(styleText('red', stopped ? '\nStopped.' : `\nThe demo did not go as it should. ${text}`));
  return stopped ? code : 1;
}
