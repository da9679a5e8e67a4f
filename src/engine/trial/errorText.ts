import { McproveError } from '../errors.ts';

/** An error in one text for a person: its message, and what to do. */
export function errorText(error: unknown): string {
  if (error instanceof McproveError) {
    const sentence = /[.?!]$/.test(error.message) ? error.message : `${error.message}.`;
    return error.hint === undefined ? sentence : `${sentence} ${error.hint}`;
  }
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return String(error);
}
