/** Values of options, checked: what is wrong is told in the form that commander gives to errors of usage. */
import { InvalidArgumentError } from 'commander';
import { type MatchOptions, McproveError, nearest } from '../engine/index.ts';

export type ReporterName = 'list' | 'json' | 'junit';

/** `file` is null where the reporter writes to stdout. */
export interface ReporterSpec {
  name: ReporterName;
  file: string | null;
}

/** What `--match` may change of `match` for one run. */
export type MatchOverrides = Partial<MatchOptions>;

const REPORTERS: readonly ReporterName[] = ['list', 'json', 'junit'];
const MATCH_WORDS = {
  arguments: ['partial', 'exact', 'ignore'],
  order: ['any', 'inOrder', 'exact'],
  extras: ['allow', 'forbid'],
} as const;
const MATCH_KEYS = [...Object.keys(MATCH_WORDS), 'ignoreTools'];

export function addText(value: string, before: readonly string[] = []): string[] {
  if (value === '') throw new InvalidArgumentError('It is empty.');
  return [...before, value];
}

export type InputValues = ReadonlyMap<string, string>;

/**
 * The value may be empty; the last one given counts.
 *
 * @throws McproveError MCP011 and no error of commander's, which would show the text: it may be a secret
 */
export function addInput(value: string, before: InputValues = new Map()): InputValues {
  const at = value.indexOf('=');
  if (at < 1)
    throw new McproveError('MCP011', 'there is an --input without id or value', { hint: 'Write --input id=value.' });
  return new Map([...before, [value.slice(0, at), value.slice(at + 1)]]);
}

export function positiveInteger(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(value);
}

export function positiveUsd(value: string): number {
  const usd = /^\$?(\d{1,9}(?:\.\d{1,9})?)$/.exec(value)?.[1];
  if (usd === undefined || Number(usd) === 0)
    throw new InvalidArgumentError('It must be an amount such as 5 or $0.50.');
  return Number(usd);
}

export function trialCount(value: string): number {
  const count = positiveInteger(value);
  if (count > 100) throw new InvalidArgumentError('It must be a whole number from 1 to 100.');
  return count;
}

export function addReporter(value: string, before: readonly ReporterSpec[] = []): ReporterSpec[] {
  const [given = '', ...rest] = value.split('=');
  const name = REPORTERS.find((known) => known === given);
  if (name === undefined)
    throw new InvalidArgumentError(`There is no reporter "${given}". ${choices(given, REPORTERS)}`);
  const file = rest.join('=');
  if (rest.length > 0 && file === '') throw new InvalidArgumentError(`Name a file after "${name}=", or - for stdout.`);
  if (name === 'list' && file !== '' && file !== '-')
    throw new InvalidArgumentError('"list" writes to the terminal only.');
  const spec: ReporterSpec = { name, file: file === '' || file === '-' ? null : file };
  const reporters = [...before, spec];
  const onStdout = reporters.filter((reporter) => reporter.file === null && reporter.name !== 'list');
  if (onStdout.length > 1) throw new InvalidArgumentError('Only one report fits on stdout; give the other a file.');
  return reporters;
}

export function addMatch(value: string, before: MatchOverrides = {}): MatchOverrides {
  const at = value.indexOf('=');
  const key = at === -1 ? value : value.slice(0, at);
  const text = at === -1 ? '' : value.slice(at + 1);
  if (!MATCH_KEYS.includes(key))
    throw new InvalidArgumentError(`There is no "${key}" in match. ${choices(key, MATCH_KEYS)}`);
  if (text === '') throw new InvalidArgumentError(`Give a value: ${key}=….`);
  if (key === 'ignoreTools') return { ...before, ignoreTools: [...(before.ignoreTools ?? []), ...text.split(',')] };
  if (key === 'extras' && /^\d{1,9}$/.test(text)) return { ...before, extras: Number(text) };
  if (key === 'arguments' || key === 'order' || key === 'extras') return { ...before, [key]: matchWord(key, text) };
  return before;
}

function matchWord(key: keyof typeof MATCH_WORDS, text: string): string {
  const words: readonly string[] = MATCH_WORDS[key];
  if (words.includes(text)) return text;
  const more = key === 'extras' ? ', or a number' : '';
  throw new InvalidArgumentError(`"${text}" is no value of ${key}. ${choices(text, words, more)}`);
}

function choices(word: string, known: readonly string[], more = ''): string {
  const near = nearest(word, known);
  return near === undefined ? `Known: ${known.join(', ')}${more}.` : `Did you mean "${near}"?`;
}
