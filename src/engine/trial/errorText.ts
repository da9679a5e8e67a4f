import { McproveError } from '../errors.ts';
import { advised } from '../sentence.ts';

/** An error in one text for a person: its message, and what to do. */
export function errorText(error: unknown): string {
  if (error instanceof McproveError) return advised(error.message, error.hint);
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return String(error);
}
