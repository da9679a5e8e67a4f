/** Every code that planning, writing and reading runs gives, with its meaning in a line. Codes are stable. */
export const RUN_CODES = {
  PLAN001: 'no cell fits what was asked for',
  PLAN002: 'no case has such a tag',
  PLAN003: 'every cell that was run passed the last time',
  PLAN004: '`only` where CI is set',
  PLAN005: 'a prompt, and no model to answer it',
  PLAN006: 'more than 10,000 trials',
  PLAN007: 'every selected cell is skipped',
  PLAN008: 'an order was asked for, and a case expects a range of calls',
  PLAN009: '`--max-cost`, and a model whose price is not known',
  RUN001: 'the last record of a run file is cut off',
  RUN002: 'a damaged record',
  RUN003: 'a run file of a newer version',
  RUN004: 'not a run file',
  RUN005: 'a record is not where the end record says',
  RUN006: 'a run file cannot be made',
  RUN007: 'a run file cannot be written on',
  RUN008: 'a run file cannot be read',
  RUN009: 'a record over 64 MiB',
} as const;

export type RunCode = keyof typeof RUN_CODES;
