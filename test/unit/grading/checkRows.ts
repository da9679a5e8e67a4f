/** The rows of the tables that hold every kind of assertion against what happened. */
import { describe, expect, test } from 'vitest';
import type { Call, Outcome } from '../../../src/engine/record.ts';
import type { AssertionBody, AssertionKind, Case } from '../../../src/engine/suite/model.ts';
import { call, numbered, result } from './build.ts';
import { checkOf, type Happened, TOOL } from './trialOf.ts';

/** What is asserted, what happened, the outcome, and what is special about the case. */
export type Row = [AssertionBody, Happened, Outcome, Partial<Case & { inherited: boolean }>?];

export const a = call('a', { q: 1 }, { result: result('alpha') });
export const b = call('b', { q: 2 }, { result: result('beta') });
export const silent = call('a', { q: 1 });
export const failing = call(
  'a',
  {},
  { result: result('no', { isError: true }), error: { kind: 'content', text: 'no' } },
);
export const timedOut = call('a', {}, { error: { kind: 'timeout', text: 'no answer in 60 s' } });
export const cutOff = call('a', {}, { error: { kind: 'cancelled', text: 'not finished' } });
export const tools = (...names: string[]) => names.map((name) => [name]);
export const runner = (more: Partial<Call> = {}): Call =>
  call('a', {}, { by: 'runner', result: result('alpha'), ...more });

export function wantsError(): Case['subject'] {
  return { ...TOOL, expect: { at: '/cases/0/expect', isError: true } } as Case['subject'];
}

export function cutAnswer(): NonNullable<Happened['end']> {
  return { kind: 'limit', limit: 'maxOutputTokens', text: 'the reply was cut off at its token limit' };
}

/** One test for each row: the outcome, and a reason that is a sentence. */
export function testRows(rows: { readonly [K in AssertionKind]?: readonly Row[] }): void {
  describe.each(Object.entries(rows))('%s', (_, ofKind) => {
    test.each(ofKind)('%j on %j is %s', (body, happened, outcome, { inherited = false, ...more } = {}) => {
      const calls = numbered(happened.calls ?? []);
      const check = checkOf(body, { ...happened, calls }, more, inherited);
      expect([check.outcome, check.reason]).toEqual([outcome, expect.stringMatching(/^\S.*\.$/s)]);
      expect(check.reason).not.toMatch(/undefined|null|\[object/);
    });
  });
}
