/** Every code of this room, with its meaning in a line. Codes are stable; a retired one is not used again. */
const TRIAL_CODES = {
  TRIAL001: 'a tool name that several servers offer, where one is meant',
  TRIAL002: 'a toolChoice that is no tool which the model is offered',
  TRACE001: 'a trace file that cannot be read',
  TRACE002: 'a trace file over 32 MiB',
  TRACE003: 'a trace that is not JSON, not UTF-8 text, or nested deeper than 256 levels',
  TRACE004: 'a trace of another shape',
  TRACE005: 'a run file that does not hold exactly one trial',
  TRACE006: 'a .jsonl file that is no run file, or one of another format',
};

export type TrialCode = keyof typeof TRIAL_CODES;
