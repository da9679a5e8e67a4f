/** What the author calls a case. */
import { type Json, visibleLine } from '../../engine/index.ts';
import { valueAt } from './places.ts';

/**
 * The `name` that a case was given, as it is shown beside its id; null where it was given none, or the id says the same.
 *
 * @param snapshot of the suite
 */
export function ownName({ at, id, name }: { at: string; id: string; name: string }, snapshot: Json): string | null {
  const isGiven = valueAt(snapshot, `${at}/name`) !== undefined;
  return isGiven && letters(name) !== letters(id) ? visibleLine(name.replaceAll(/\s+/g, ' ').trim()) : null;
}

function letters(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
