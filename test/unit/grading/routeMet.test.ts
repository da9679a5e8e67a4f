import { expect, test } from 'vitest';
import { routeMet } from '../../../src/engine/grading/index.ts';
import type { Call } from '../../../src/engine/record.ts';
import type { Case } from '../../../src/engine/suite/model.ts';
import { call, MATCH, numbered, route } from './build.ts';
import { caseOf } from './trialOf.ts';

const a = call('a');
const b = call('b');
const failed = call('a', {}, { error: { kind: 'protocol', text: 'no' } });

test.each<[string, Partial<Case>, Call[], boolean]>([
  ['all expected calls were made', { route: route(['a', 'b']) }, [b, a], true],
  ['one is missing', { route: route(['a', 'b']) }, [a], false],
  ['one failed', { route: route(['a']) }, [failed], false],
  ['one failed, and was made again', { route: route(['a']) }, [failed, a], true],
  ['other calls were made too', { route: route(['a']), match: { ...MATCH, extras: 'forbid' } }, [a, b], true],
  ['in another order', { route: route(['a', 'b']), match: { ...MATCH, order: 'inOrder' } }, [b, a], false],
  ['there is no route', {}, [a], false],
  ['nothing may be called', { route: route('none') }, [], false],
  ['the route cannot be compared', { route: route([{ a: { q: { $matches: '(' } } }]) }, [call('a', { q: 'x' })], false],
])('%s', (_, testCase, calls, met) => {
  const filled = caseOf({ execute: 'untilExpected', ...testCase });
  expect(routeMet(filled, numbered(calls), { offered: [], toolListChanged: false })).toBe(met);
});
