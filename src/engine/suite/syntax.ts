import type { YAMLParseError } from 'yaml';
import type { Code } from './codes.ts';

interface SyntaxProblem {
  code: Code;
  message: string;
  hint?: string;
  /** The mistake stays on its line: what the parser makes of the other lines can be trusted. */
  isLocal?: boolean;
}

/** An error of the YAML parser in the words of a suite's author; undefined where the guard has told it already. */
export function syntaxProblem(error: YAMLParseError, text: string): SyntaxProblem | undefined {
  const row = ROWS.find(({ code, says }) => code === error.code && (says?.test(error.message) ?? true));
  const [start] = error.pos;
  if (row !== undefined)
    return row.problem?.(text.slice(start, start + SHOWN), text.slice(text.lastIndexOf('\n', start) + 1, start));
  return { code: 'YAML013', message: error.message.charAt(0).toLowerCase() + error.message.slice(1) };
}

interface Row {
  code: YAMLParseError['code'];
  /** What the parser's message must hold. */
  says?: RegExp;
  /** Left out: told by the guard. */
  problem?: (from: string, before: string) => SyntaxProblem;
}

/** As much of the text as a problem may quote. */
const SHOWN = 200;

function yaml(message: string, hint: string): () => SyntaxProblem {
  return () => ({ code: 'YAML013', message, hint });
}

const ROWS: readonly Row[] = [
  { code: 'NON_STRING_KEY' },
  { code: 'TAG_RESOLVE_FAILED' },
  { code: 'MISSING_CHAR', says: /^Missing closing|must end with a/ },
  { code: 'BAD_INDENT', says: /end with a/ },
  {
    code: 'TAB_AS_INDENT',
    problem: () => ({ code: 'YAML001', message: 'a tab is used as indentation', hint: 'Use spaces.' }),
  },
  {
    code: 'BAD_ALIAS',
    says: /^Alias/,
    problem: (from) => ({
      code: 'YAML007',
      message: '"*" at the beginning of a value names an alias',
      hint: `Quote it: '${/^[^\s,\]}]*/.exec(from)?.[0] ?? '*'}'.`,
      isLocal: true,
    }),
  },
  {
    code: 'BAD_SCALAR_START',
    problem: (from) => ({
      code: 'YAML013',
      message: `a value without quotes cannot begin with "${from[0] ?? ''}"`,
      hint: 'Quote it.',
      isLocal: true,
    }),
  },
  {
    code: 'BLOCK_AS_IMPLICIT_KEY',
    says: /^Nested mappings/,
    problem: () => ({
      code: 'YAML013',
      message: 'a second ": " on one line',
      hint: 'Quote a text that holds ": "; begin a map on a line of its own, indented.',
      isLocal: true,
    }),
  },
  {
    code: 'MULTILINE_IMPLICIT_KEY',
    problem: yaml('a key must stand on one line', 'Is a ":" missing, or a line indented wrongly?'),
  },
  {
    code: 'MISSING_CHAR',
    says: /^Implicit map keys/,
    problem: yaml('expected ": " and a value after this key', 'Is a ":" missing, or a line indented wrongly?'),
  },
  {
    code: 'BAD_INDENT',
    problem: yaml('the indentation does not fit', 'Keys of one map, and items of one list, begin in the same column.'),
  },
  {
    code: 'BAD_DQ_ESCAPE',
    problem: (from) => ({
      code: 'YAML013',
      message: `"${/^\\?.?/.exec(from)?.[0] ?? ''}" is no escape sequence`,
      hint: 'Use single quotes, in which a backslash is a backslash.',
      isLocal: true,
    }),
  },
  {
    code: 'UNEXPECTED_TOKEN',
    says: /at node end|in YAML stream/,
    problem: (_, before) => ({
      code: 'YAML013',
      message: 'unexpected text after the end of a value',
      hint: 'Quote the whole value, or check the indentation.',
      // First on its line it most likely was to be a key.
      isLocal: before.trim() !== '',
    }),
  },
  {
    code: 'UNEXPECTED_TOKEN',
    says: /on same line with key/,
    problem: yaml('a list cannot begin on the line of its key', 'Begin it on the next line, or write [a, b].'),
  },
  { code: 'RESOURCE_EXHAUSTION', problem: yaml('nesting too deep', 'Write it flatter.') },
];
