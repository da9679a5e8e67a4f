/** Deeper than anything a server may answer or a suite may hold; what reads a run file may recurse this far. */
export const DEEPEST_RECORD = 1000;

/**
 * How deep the lists and maps of a JSON text are nested; 0 for a plain value. Reads the text once and never recurses, so
 * it is safe on what nobody has checked.
 *
 * @param stop counting ends as soon as this depth is passed
 */
export function depthOf(text: string, stop: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= stop; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_MAP || code === OPEN_LIST) deepest = Math.max(deepest, ++depth);
    else if (code === CLOSE_MAP || code === CLOSE_LIST) depth--;
  }
  return deepest;
}

const QUOTE = 0x22;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const BACKSLASH = 0x5c;

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}
