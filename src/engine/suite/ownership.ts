/** Whose file is it? Several tools name their files `*.eval.yaml`; ours have the key `mcprove` at the top level. */
import { isMap } from './check.ts';

/** Files that are not YAML cannot be asked for their keys, but a line can be seen. */
const MARK = /^\uFEFF?(?:\{\s*)?(["']?)mcprove\1[ \t]*:/m;

export function looksMarked(text: string): boolean {
  return MARK.test(text);
}

const NOT_MARKED = 'has no "mcprove: 1"';

/** Why the file is not ours, in words that go behind its name; undefined when it is. */
export function foreignHint(data: unknown): string | undefined {
  if (data === null) return 'is empty; a suite begins with "mcprove: 1"';
  if (!isMap(data)) return `is not a map with "mcprove: 1"`;
  if (Object.hasOwn(data, 'mcprove')) return undefined;
  const tool = TOOLS.find(({ fits }) => fits(data))?.name;
  if (tool !== undefined) return `looks like a suite of ${tool}, not of MCProve`;
  return Object.hasOwn(data, 'cases') ? 'has "cases" but no "mcprove: 1"; add it to make it a suite' : NOT_MARKED;
}

type Keys = { readonly [key: string]: unknown };

/** The more particular first. */
const TOOLS: readonly { name: string; fits: (data: Keys) => boolean }[] = [
  { name: 'Vally', fits: (data) => has(data, 'stimuli') },
  { name: 'waza', fits: (data) => has(data, 'tasks') && (has(data, 'config') || has(data, 'graders')) },
  {
    name: 'dryfire',
    fits: (data) => has(data, 'cases') && (has(data, 'provider') || firstCaseHas(data, 'input', 'expect')),
  },
  {
    name: 'AgentV',
    fits: (data) =>
      ['default_test', 'evaluate_options', 'timeout_seconds'].some((key) => has(data, key)) ||
      (has(data, 'tests') && has(data, 'environment')),
  },
  {
    name: 'promptfoo',
    fits: (data) =>
      ['providers', 'prompts', 'tests', 'defaultTest', 'scenarios'].filter((key) => has(data, key)).length > 1,
  },
];

function has(data: Keys, key: string): boolean {
  return Object.hasOwn(data, key);
}

function firstCaseHas(data: Keys, ...keys: string[]): boolean {
  const [first] = Array.isArray(data.cases) ? data.cases : [];
  return isMap(first) && keys.every((key) => has(first, key));
}
