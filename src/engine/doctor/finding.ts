import type { SourceRange } from '../errors.ts';

export interface Finding {
  /** `note` is neither good nor bad. */
  level: 'ok' | 'note' | 'warning' | 'error';
  /** The suite that it is about; absolute path. */
  file?: string;
  text: string;
  /** What to do about it. */
  remedy?: string;
  /** Of the problem behind it, where that has one. */
  code?: string;
  range?: SourceRange;
}

export interface Examination {
  kind: 'machine' | 'providers' | 'servers' | 'server' | 'suites';
  title: string;
  /** Of a server: where it is defined, and its command line or address. */
  server?: { origin: { file: string; pointer: string }; range?: SourceRange; target: string };
  findings: Finding[];
}

/** At most so many names in one finding. */
const MOST_NAMES = 5;

/** `a, b and 3 more` */
export function someOf(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return rest <= 1 ? names.join(', ') : `${names.slice(0, MOST_NAMES).join(', ')} and ${rest} more`;
}

/** `1 tool`, `2 tools` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
