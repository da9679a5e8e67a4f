import type { Call, CallResult, Json } from '../../../src/engine/record.ts';

/** A call with a result, as a model would have made it. */
export function callWith(result: Partial<CallResult> | null, more: Partial<Call> = {}): Call {
  return {
    id: 'c',
    by: 'model',
    server: 's',
    tool: 't',
    arguments: {},
    mocked: false,
    ...(result === null ? {} : { result: { content: [], isError: false, bytes: 0, cut: false, ...result } }),
    argumentsValid: null,
    resultValid: null,
    startMs: 0,
    durationMs: 0,
    ...more,
  };
}

export function text(value: string): Json {
  return { type: 'text', text: value };
}
