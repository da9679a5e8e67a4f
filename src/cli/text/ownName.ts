/** What the author calls a case. */
import { visibleLine } from '../../engine/index.ts';

/** The case's `name` as it is shown beside its id; null where the id says the same. */
export function ownName({ id, name }: { id: string; name: string }): string | null {
  return letters(name) === letters(id) ? null : visibleLine(name.replaceAll(/\s+/g, ' ').trim());
}

function letters(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
