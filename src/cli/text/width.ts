/** Text measured in terminal cells, not in characters: a CJK letter or an emoji takes two, a combining mark none. */

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const PLAIN = /^[\x20-\x7e]*$/;
// Built, since a literal escape in a pattern reads as a mistake.
const STYLE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const NOTHING = /^[\p{Mark}\p{Cf}\p{Cc}]+$/u;
const EMOJI = /^\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|^\p{Extended_Pictographic}.*\ufe0f|^[#*0-9]\ufe0f/u;
const NARROW_KANA = /^[\uff61-\uffdc]/u;
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\p{Script=Tangut}\u3000-\u303e\u3200-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u;

/** Cells that `text` takes on a terminal; colour codes take none. */
export function width(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of graphemes.segment(text.replace(STYLE, ''))) cells += graphemeWidth(segment);
  return cells;
}

/** `text` cut to at most `cells`, the last of them an ellipsis where something was cut. `text` holds no colour codes. */
export function truncate(text: string, cells: number): string {
  if (width(text) <= cells) return text;
  if (cells <= 0) return '';
  return `${takeCells(text, cells - 1)}…`;
}

/** `text` filled with spaces on the right, colour codes not counted. */
export function padEnd(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - width(text)));
}

/** `text` filled with spaces on the left, colour codes not counted. */
export function padStart(text: string, cells: number): string {
  return ' '.repeat(Math.max(0, cells - width(text))) + text;
}

/**
 * Lines of at most `cells`, broken at spaces, in a longer word behind a slash where there is one; what a line is indented by, its parts are
 * too. `text` holds no colour codes; its own line breaks stay.
 */
export function wrap(text: string, cells: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, cells)));
}

function wrapLine(text: string, cells: number): string[] {
  if (width(text) <= cells) return [text];
  const margin = /^ */.exec(text)?.[0] ?? '';
  if (margin !== '' && margin.length < cells / 2) {
    return wrapLine(text.slice(margin.length), cells - margin.length).map((line) => margin + line);
  }
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (width(longer) <= cells) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (width(line) > cells) {
      const head = wordStart(line, cells);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  lines.push(line);
  return lines;
}

/** What goes on a line of a word that is longer: as far as a slash, or as much as fits. */
function wordStart(word: string, cells: number): string {
  const most = takeCells(word, cells);
  const slash = most.lastIndexOf('/');
  if (slash > 0) return most.slice(0, slash + 1);
  // A grapheme wider than the line goes over its edge; nothing else would ever get on.
  return most || (graphemes.segment(word).containing(0)?.segment ?? word);
}

/** As many whole graphemes from the start of `text` as fit. */
function takeCells(text: string, cells: number): string {
  let taken = '';
  let left = cells;
  for (const { segment } of graphemes.segment(text)) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    taken += segment;
  }
  return taken;
}

function graphemeWidth(grapheme: string): number {
  if (NOTHING.test(grapheme)) return 0;
  if (NARROW_KANA.test(grapheme)) return 1;
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1;
}
