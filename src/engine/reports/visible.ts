/**
 * Characters that act instead of showing: control and format characters (escapes, bidi overrides, zero-width marks, tags),
 * line and paragraph separators, lone surrogates and code points that are no characters. Left alone are line feed, tab,
 * the joiners that scripts and emoji need, and the Arabic number signs, which show.
 */
const ACTING =
  /(?!\n|\t|\u200c|\u200d|[\u0600-\u0605\u06dd])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/**
 * Text of a stranger, made safe to print: whatever would act on a terminal or hide in a message is written out as
 * `\x1b`, `\u202e` or `\u{e0041}`. Line feeds and tabs stay; CR LF becomes LF.
 *
 * @returns text without any character that is illegal in XML 1.0; applying it twice changes nothing more
 */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(ACTING, written);
}

/** Like `visible`, on one line: line feeds and tabs are written out too. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}
