/** `mcprove show [RUN] [TRIAL]`: a finished run, or one of its trials in full. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  findWorkspace,
  listRuns,
  McproveError,
  nearest,
  type OpenRun,
  openRun,
  type Trial,
} from '../../engine/index.ts';
import { commandName } from '../commandName.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { overviewLines } from '../run/overview.ts';
import { placesOfRun } from '../run/placesOfRun.ts';
import { runRows } from '../run/runRows.ts';
import type { Page } from '../text/page.ts';
import { displayPath } from '../text/places.ts';
import { printError, printProblems } from '../text/problems.ts';
import { trialLines } from '../trial/trialText.ts';

const NAMED = 5;

/** @throws McproveError SHOW001 to SHOW003 for what cannot be found, RUN… for what cannot be read */
export async function showCommand(
  runName: string,
  trialName: string | undefined,
  options: { list?: boolean },
  context: Context,
): Promise<ExitCode> {
  const { out, err, cwd, env } = context;
  const page: Page = { columns: out.columns, ink: out.ink };
  if (options.list === true) return listAll(context);
  const run = await openRun(await findRun(runName, cwd));
  printProblems(run.notes, err, cwd);
  if (trialName === undefined) {
    out.lines(await overviewLines(run, displayPath(run.file, cwd), commandName(env), page));
    return EXIT.passed;
  }
  const trial = await findTrial(run, trialName);
  const { places, note } = await placesOfRun(run, cwd);
  out.lines(trialLines(trial, places, page));
  if (note !== null) err.line(err.ink.dim(note));
  return EXIT.passed;
}

/** Every run of the workspace, newest first. */
async function listAll({ out, err, cwd }: Context): Promise<ExitCode> {
  const { runs, errors } = await listRuns(findWorkspace(resolve(cwd, 'any'), cwd));
  for (const error of errors) printError(error, err, cwd);
  if (runs.length === 0) throw noRunYet();
  // What reads a pipe wants all of it.
  out.lines(runRows(runs, { columns: out.isTerminal ? out.columns : Number.POSITIVE_INFINITY, ink: out.ink }));
  return EXIT.passed;
}

function noRunYet(): McproveError {
  return new McproveError('SHOW001', 'there is no run here yet', { hint: 'Make one with `mcprove run`.' });
}

/** @returns the path of the file */
async function findRun(name: string, cwd: string): Promise<string> {
  const path = resolve(cwd, name);
  if (name !== 'last' && existsSync(path)) return path;
  const { runs } = await listRuns(findWorkspace(resolve(cwd, 'any'), cwd));
  const known = runs.slice(0, NAMED).map(({ head }) => `${head.id} (${head.suite.path})`);
  if (name === 'last') {
    if (runs[0] !== undefined) return runs[0].file;
    throw noRunYet();
  }
  const fitting = runs.filter(({ head }) => head.id.startsWith(name.toUpperCase()));
  if (fitting[0] !== undefined && fitting.length === 1) return fitting[0].file;
  if (fitting.length > 1) {
    const ids = fitting.slice(0, NAMED).map(({ head }) => head.id);
    throw new McproveError('SHOW002', `${fitting.length} runs begin with "${name}": ${ids.join(', ')}`, {
      hint: 'Give more of the id.',
    });
  }
  if (name.includes('#')) {
    throw new McproveError('SHOW001', `there is no run "${name}"`, {
      hint: `It looks like a trial: \`mcprove show last ${name}\` shows that of the last run.`,
    });
  }
  throw new McproveError('SHOW001', `there is no run "${name}"`, {
    hint:
      known.length === 0
        ? 'There is no run here yet.'
        : `The newest ones: ${known.join(', ')}. \`mcprove show --list\` has all.`,
  });
}

/** By its id; or by its cell's name: the first trial of it that did not pass, else the first. */
async function findTrial(run: OpenRun, name: string): Promise<Trial> {
  const exact = await run.trial(name);
  if (exact !== null) return exact;
  const ofCell = run.entries.filter(({ id }) => id.replace(/#\d+$/, '') === name);
  const entry = ofCell.find(({ verdict }) => verdict !== 'passed') ?? ofCell[0];
  const trial = entry === undefined ? null : await run.trial(entry.id);
  if (trial !== null) return trial;
  const ids = run.entries.map(({ id }) => id);
  const near = nearest(name, [...ids, ...ids.map((id) => id.replace(/#\d+$/, ''))]);
  const some = ids.slice(0, NAMED).join(', ');
  throw new McproveError('SHOW003', `run ${run.head.id} has no trial "${name}"`, {
    hint: near === undefined ? `It has ${some}${ids.length > NAMED ? ', …' : ''}.` : `Did you mean "${near}"?`,
  });
}
