/** The sentences in which checks tell what they found. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/engine/record.ts';
import type { AssertionBody, Case } from '../../../src/engine/suite/model.ts';
import { call, result, route } from './build.ts';
import { a, b } from './checkRows.ts';
import { checkOf, grade, type Happened, TOOL } from './trialOf.ts';

const noErrors: AssertionBody = { kind: 'noToolErrors', value: null };
const arguments_: AssertionBody = { kind: 'argumentsValid', value: null };
const results: AssertionBody = { kind: 'resultsValid', value: { last: false } };
const contains = (...words: string[]): AssertionBody => ({
  kind: 'resultContains',
  value: words.map((word) => [word]),
});
const failing = (tool: string, text: string) =>
  call(tool, {}, { result: result(text, { isError: true }), error: { kind: 'content', text } });
const invalid = {
  argumentsValid: false,
  argumentsProblems: ['missing required title', '/due must match format "date"'],
};

test.each<[AssertionBody, Happened, string, string]>([
  [
    arguments_,
    { calls: [{ ...a, ...invalid }] },
    'failed',
    'The arguments of a (missing required title; /due must match format "date") do not satisfy the input schema.',
  ],
  [
    arguments_,
    { calls: [{ ...a, argumentsValid: false }] },
    'failed',
    'The arguments of a do not satisfy the input schema.',
  ],
  [
    arguments_,
    { calls: [call('a', {}, { error: { kind: 'invalidArguments', text: 'city is missing.' } })] },
    'failed',
    'The arguments of a (was refused for its arguments: city is missing) do not satisfy the input schema.',
  ],
  [
    arguments_,
    {
      calls: [
        { ...b, argumentsValid: true },
        { ...a, argumentsUnchecked: 'the schema is larger than 1 MiB' },
      ],
    },
    'notMeasured',
    'The arguments of a could not be checked: the schema is larger than 1 MiB.',
  ],
  [
    arguments_,
    {
      calls: [
        { ...a, argumentsUnchecked: 'x' },
        { ...b, argumentsValid: false },
      ],
    },
    'failed',
    'The arguments of b do not satisfy the input schema.',
  ],
  [arguments_, { calls: [a] }, 'notApplicable', 'No call has an input schema to be checked against.'],
  [
    results,
    { calls: [{ ...a, resultValid: false, resultProblems: ['missing structured content'] }] },
    'failed',
    'The result of a (missing structured content) does not satisfy the output schema.',
  ],
  [
    results,
    { calls: [{ ...a, resultUnchecked: 'checking took too long' }] },
    'notMeasured',
    'The result of a could not be checked: checking took too long.',
  ],
  [noErrors, { calls: [failing('a', 'No such city.')] }, 'failed', 'The call of a ended in an error: No such city.'],
  [
    noErrors,
    { calls: [failing('a', 'No such city.'), b, failing('c', 'Why?')] },
    'failed',
    'The call of a ended in an error: No such city, c ended in an error: Why?',
  ],
  [
    contains('alpha', 'beta'),
    { calls: [a, b] },
    'failed',
    'No single result holds all of "alpha", "beta"; that of a lacks "beta".',
  ],
  [contains('alpha', 'beta', 'gamma'), { calls: [a, b] }, 'failed', 'No result contains "gamma".'],
  [contains('alpha', 'beta'), {}, 'failed', 'No tool was called: no result contains "alpha", "beta".'],
])('%j on %j is %s: %s', (body, happened, outcome, reason) => {
  expect(checkOf(body, happened)).toMatchObject({ outcome, reason });
});

describe('noToolErrors shows', () => {
  const actualOf = (...calls: Happened['calls'] & object): Json | undefined => checkOf(noErrors, { calls }).actual;

  test('nothing more than its reason where that says it all', () => {
    expect(actualOf(failing('a', 'No such city.'))).toBe(undefined);
  });

  test('each call with its text, whole or not at all', () => {
    const long = 'x'.repeat(300);
    expect(actualOf(failing('a', 'No.'), failing('b', long), failing('c', 'x'.repeat(3000)))).toEqual([
      'a: No.',
      `b: ${long}`,
      'c ended in an error',
    ]);
    expect(actualOf(failing('a', 'First line\nsecond line'))).toEqual(['a: First line\nsecond line']);
    expect(actualOf(...Array.from({ length: 50 }, () => failing('a', 'No.')))).toHaveLength(20);
  });
});

test.each<[Json, Json, string]>([
  [
    { tags: ['a', 'food', 'c'] },
    { tags: ['a'] },
    'tags[1] is missing, expected "food"; tags[2] is missing, expected "c".',
  ],
  [{ q: 1, r: 2, s: 3 }, {}, 'q is missing, expected 1; r is missing, expected 2 (and 1 more difference).'],
  [{ q: 1, r: 2, s: 3, t: 4 }, {}, 'q is missing, expected 1; r is missing, expected 2 (and 2 more differences).'],
  [{ q: '$string' }, { q: 1 }, 'q is 1, expected $string.'],
  [{ q: { r: '$string' } }, {}, 'q is missing, expected { r: $string }.'],
  [{ q: { $anyOf: ['$null', { $gte: 2 }] } }, { q: 1 }, 'q is 1, expected $anyOf [$null, { $gte: 2 }].'],
  [{ q: { $eq: '$string' } }, { q: 1 }, 'q is 1, expected "$string".'],
  [{ q: { $ne: '$null' } }, { q: '$null' }, 'q is "$null", expected $ne "$null".'],
  [{ q: { $not: '$string' } }, { q: 'x' }, 'q is "x", expected $not $string.'],
  [{ q: { $absent: true } }, { q: 1 }, 'q is 1, expected $absent true.'],
])('other arguments: %j, called with %j', (expected, actual, text) => {
  const testCase: Partial<Case> = { route: route([{ a: expected }]) };
  expect(grade(testCase, { calls: [call('a', actual)] }).checks[0]?.reason).toBe(
    `a was called with other arguments: ${text}`,
  );
});

test('no sentence ends twice, whatever the error says', () => {
  for (const kind of ['content', 'protocol', 'timeout', 'crashed', 'invalidArguments', 'unknownTool'] as const) {
    for (const text of ['It broke.', 'It broke', 'It broke…', 'It broke...', 'Why?', 'Done!', '']) {
      const made = call('a', {}, { by: 'model', error: { kind, text } });
      const all = [
        grade({ route: route(['a']) }, { calls: [made] }),
        grade({ subject: TOOL }, { calls: [{ ...made, by: 'runner' }] }),
      ].flatMap(({ checks, chain, reason }) => [
        ...checks.map((check) => check.reason),
        ...chain.map((stage) => stage.evidence),
        reason?.text ?? '',
      ]);
      all.push(checkOf(noErrors, { calls: [made] }).reason);
      for (const sentence of all) expect(sentence).not.toMatch(/[.?!…]\.(?:\s|$)/);
    }
  }
});

test('so many discrepancies are kept, and all are counted', () => {
  const calls = Array.from({ length: 3000 }, (_, index) => call('a', {}, { id: `c${index}` }));
  const [check] = grade({ route: route('none') }, { calls }).checks;
  expect(check?.diff).toHaveLength(1000);
  expect(check?.reason).toContain('and 2998 more');
});
