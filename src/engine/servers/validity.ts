import type { Call, CallResult } from '../record.ts';
import type { CompiledSchema, Validity } from './compileSchema.ts';

type Part = 'arguments' | 'result';
type Facts<P extends Part> = Pick<Call, `${P}Valid` | `${P}Problems` | `${P}Unchecked`>;

/** The validity of arguments or of a result, as it stands in the record of a call. */
export function validityOf<P extends Part>(part: P, validity: Validity): Facts<P>;
export function validityOf(part: Part, validity: Validity): object {
  return {
    [`${part}Valid`]: validity.valid,
    ...(validity.valid === false ? { [`${part}Problems`]: validity.problems } : {}),
    ...(validity.valid === null ? { [`${part}Unchecked`]: validity.why } : {}),
  };
}

/** Only what a tool returns where it goes well has to satisfy its output schema. */
export function resultValidity(result: CallResult | undefined, output: CompiledSchema | null): Facts<'result'> {
  if (output === null || result === undefined || result.isError) return { resultValid: null };
  if (result.structured !== undefined) return validityOf('result', output.validate(result.structured));
  return { resultValid: false, resultProblems: ['missing structured content'] };
}
