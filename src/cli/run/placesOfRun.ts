/** The suite of a recorded run, as long as it is still the one that ran. */
import { resolve } from 'node:path';
import {
  findWorkspace,
  McproveError,
  type OpenRun,
  type ReadResult,
  readSuiteFile,
  visibleLine,
} from '../../engine/index.ts';
import { noPlaces, type Places, placesIn, textOf } from '../text/places.ts';

/** @returns places, and a note where they are only pointers */
export async function placesOfRun(run: OpenRun, cwd: string): Promise<{ places: Places; note: string | null }> {
  const { path, hash, snapshot } = run.head.suite;
  const pointers = noPlaces(snapshot);
  const file = resolve(findWorkspace(run.file, cwd), path);
  const read = await readIfThere(file, cwd);
  if (read?.kind !== 'suite') return { places: pointers, note: noteOn(path, 'cannot be read any more') };
  if (read.suite.hash !== hash) return { places: pointers, note: noteOn(path, 'has changed since') };
  return { places: placesIn(read.suite, await textOf(read.suite), cwd), note: null };
}

function noteOn(path: string, what: string): string {
  return `${visibleLine(path)} ${what}; places are pointers into the suite as it ran.`;
}

async function readIfThere(file: string, cwd: string): Promise<ReadResult | null> {
  try {
    return await readSuiteFile(file, cwd);
  } catch (error) {
    if (error instanceof McproveError) return null;
    throw error;
  }
}
