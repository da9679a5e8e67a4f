const LONGEST = 64;

/**
 * An id made of a name or prompt: its letters and digits, of whatever script, in lower case, with "-" for what stands
 * between them; at most 64 characters. Empty where there are none.
 */
export function slug(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => word.replace(/^\p{M}+/u, ''))
    .filter((word) => word !== '');
  let id = '';
  for (const word of words) {
    const longer = id === '' ? word : `${id}-${word}`;
    if (longer.length > LONGEST) break;
    id = longer;
  }
  // One word longer than that, as in scripts without spaces, is cut between code points.
  return id === '' ? cut(words[0] ?? '') : id;
}

function cut(word: string): string {
  let kept = '';
  for (const character of word) {
    if (kept.length + character.length > LONGEST) break;
    kept += character;
  }
  return kept;
}
