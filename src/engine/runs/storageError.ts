import { McproveError } from '../errors.ts';
import type { RunCode } from './codes.ts';

/**
 * A failure of the disk in words that help.
 *
 * @param what begins the message and is followed by the path
 * @param cause as the file system gave it
 */
export function storageError(code: RunCode, what: string, path: string, cause: unknown): McproveError {
  const { text, hint } = explain(cause);
  return new McproveError(code, `${what} ${path}: ${text}`, { hint, cause });
}

function explain(error: unknown): { text: string; hint: string } {
  const code = isErrno(error) ? error.code : undefined;
  const known = code === undefined ? undefined : CAUSES[code];
  if (known !== undefined) return known;
  return {
    text: error instanceof Error ? error.message : String(error),
    hint: 'What was written before stays readable.',
  };
}

const FULL_DISK = {
  text: 'no space is left on the disk',
  hint: 'Free some space, perhaps by removing old runs from .mcprove/runs.',
};
const NO_PERMISSION = { text: 'no permission', hint: 'Make the folder writable for this user.' };

const CAUSES: Partial<Record<string, { text: string; hint: string }>> = {
  ENOENT: { text: 'there is no such file or folder', hint: 'Check the path.' },
  ENOSPC: FULL_DISK,
  EDQUOT: { ...FULL_DISK, text: 'the disk quota is used up' },
  EFBIG: {
    text: 'the file would grow beyond the size allowed',
    hint: 'Raise the limit (`ulimit -f`), or run fewer trials.',
  },
  EROFS: { text: 'the file system is read-only', hint: 'Run where the workspace can be written to.' },
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EMFILE: { text: 'too many files are open', hint: 'Raise the limit (`ulimit -n`).' },
  ENOTDIR: { text: 'a part of the path is a file', hint: 'Move away the file that stands where the folder has to be.' },
  ENAMETOOLONG: { text: 'the path is too long', hint: 'Move the workspace to a shorter path.' },
};

export function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
