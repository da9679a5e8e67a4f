/** Assertions written out, in the order in which they are checked: the defaults' first. */
import { ASSERTIONS, type AssertionInput, isAssertionKind } from '../keys/assertions.ts';
import type { Assertion, AssertionBody, AssertionKind } from '../model.ts';
import { child } from '../pointer.ts';
import { labelOf } from './labels.ts';

/** @param inputs have passed their schema */
export function assertionsOf(inputs: readonly unknown[], at: string, inherited: boolean): Assertion[] {
  return inputs.map((input, index) => assertionOf(input as AssertionInput, child(at, index), inherited));
}

function assertionOf(input: AssertionInput, at: string, inherited: boolean): Assertion {
  if (typeof input === 'string') {
    const body = bodyOf(input, true, at);
    return { ...body, at, label: labelOf(body), role: 'required', inherited };
  }
  const [kind = 'noToolErrors'] = Object.keys(input).filter(isAssertionKind);
  const body = bodyOf(kind, input[kind], child(at, kind));
  return { ...body, at, label: input.name ?? labelOf(body), role: input.role ?? 'required', inherited };
}

/** The table pairs each kind with what it holds, which no type can follow through a key that is only known at run time. */
function bodyOf(kind: AssertionKind, value: unknown, pointer: string): AssertionBody {
  return { kind, value: ASSERTIONS[kind].read(value, pointer) } as AssertionBody;
}
