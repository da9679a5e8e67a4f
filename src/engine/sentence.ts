/** Sentences made of texts of which nobody knows how they end, nor how many lines they have. */

/** Two marks in a row, of which the second one was added to an end that was there: `Try search_city..`, `"list"?.` */
const ENDED_TWICE = /(?<=[\p{L}\p{N}"'`)\]}])([.?!]["'`)\]]?)\.(?=\s|$)/gu;
/** An end; inside quotes only where words end there: `"so?"`, but not the bare mark of `without "::"`. */
const ENDED = /[.?!…:][)\]]?$|[\p{L}\p{N}][.?!…]["'`]$/u;
/** What announces lines that do not follow. */
const ANNOUNCED = / (?:Its|The) last (?:lines on stderr|stderr lines):\.?$/;

/** Each sentence of a text with one mark at its end; one that ends in none gets a full stop, but not behind quoted lines. */
export function ended(text: string): string {
  const tidied = tidy(text);
  return tidied === '' || endsQuoting(tidied) || ENDED.test(tidied) ? tidied : `${tidied}.`;
}

/** Its last line is a stranger's. */
function endsQuoting(text: string): boolean {
  return /\n\s[^\n]*$/.test(text);
}

/** A text without marks that say the same twice, and without the announcement of lines that are not there. */
export function tidy(text: string): string {
  return text.replace(ENDED_TWICE, '$1').replace(ANNOUNCED, '');
}

/** A message and what to do about it. Lines that the message quotes are a stranger's: the advice stands on a line after them. */
export function advised(message: string, advice: string | undefined): string {
  if (advice === undefined) return ended(message);
  return endsQuoting(message) ? `${tidy(message)}\n${ended(advice)}` : `${ended(message)} ${ended(advice)}`;
}

/**
 * The parts of a text that quotes lines of a stranger, indented, below a sentence.
 *
 * @returns the sentence without the words that announce the lines, the lines without their indentation, and what follows
 */
export function quotation(text: string): { sentence: string; quoted: string[]; after: string } {
  const lines = text.split('\n');
  const start = lines.findIndex((line, index) => index > 0 && /^\s+\S/.test(line));
  if (start === -1) return { sentence: tidy(lines[0] ?? ''), quoted: [], after: lines.slice(1).join('\n') };
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => /^\S/.test(line));
  const quoted = (end === -1 ? rest : rest.slice(0, end)).map((line) => line.replace(/^ {2}/, ''));
  while (quoted.at(-1)?.trim() === '') quoted.pop();
  const sentence = lines
    .slice(0, start)
    .join('\n')
    .replace(/(?:\n|(?<=[.!?])\s+)[^.!?\n]*:$/, '');
  return { sentence: tidy(sentence), quoted, after: end === -1 ? '' : rest.slice(end).join('\n') };
}
