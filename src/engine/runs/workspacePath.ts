import { relative, sep } from 'node:path';

/** How a run file names a file: relative to the workspace and with `/` where the file lies inside it, else as it is. */
export function workspacePath(workspace: string, file: string): string {
  const path = relative(workspace, file);
  return path === '' || path.startsWith('..') ? file : path.split(sep).join('/');
}
