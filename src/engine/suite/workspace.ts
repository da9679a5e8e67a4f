/** Where a suite's workspace begins, and that nothing named in a suite leaves it. */
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { McproveError } from '../errors.ts';

/**
 * The folder that `.mcprove` belongs to: the nearest one upwards from the suite that has it, else the nearest with
 * `.git`, else the fallback where the suite lies inside it, else the suite's own folder. Editor and terminal both ask
 * here, so both see the same runs.
 *
 * @param path     of the suite file; need not exist
 * @param fallback the editor's workspace folder, or the current folder
 * @returns an absolute path
 */
export function findWorkspace(path: string, fallback: string): string {
  const folder = dirname(resolve(path));
  const base = resolve(fallback);
  return upwards(folder, '.mcprove') ?? upwards(folder, '.git') ?? (contains(base, folder) ? base : folder);
}

/**
 * An absolute path for a path written in a suite, with every link on the way resolved.
 *
 * @param root    the workspace folder, which the path may not leave
 * @param from    the folder it is relative to
 * @param written as it stands in the suite; need not exist
 * @throws McproveError SUITE012 when it leads out of the root, be it by `..` or by a symbolic link
 */
export function resolveInside(root: string, from: string, written: string): string {
  const outside = (why: string) =>
    new McproveError('SUITE012', `path ${JSON.stringify(written)} ${why}`, {
      hint: 'A suite may only name files inside its workspace folder.',
    });
  if (written.includes('\0')) throw outside('holds a NUL character');
  const target = resolve(from, written);
  const realRoot = realPath(resolve(root));
  const realTarget = realPath(target);
  if (contains(realRoot, realTarget)) return realTarget;
  const linked = contains(resolve(root), target) || contains(realRoot, target);
  throw outside(linked ? 'leads through a link out of the workspace folder' : 'is outside the workspace folder');
}

function upwards(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The real path of the deepest part that exists, and what follows it as written. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    // A link that leads nowhere yet counts as what it points to: the file may appear there later.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return resolve(parent, readlinkSync(path));
    return join(realPath(parent), basename(path));
  }
}
