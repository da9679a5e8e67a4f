import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonMap } from '../../../src/engine/authoring/schemas.ts';
import { type SuiteParts, suiteText } from '../../../src/engine/authoring/suiteText.ts';
import { fillCase, readSuite } from '../../../src/engine/suite/index.ts';

const weather: SuiteParts = {
  server: 'weather',
  fileName: 'weather.eval.yaml',
  tool: 'get_forecast',
  arguments: { city: 'Berlin', days: 2, hours: [6, 18] },
  fillIn: ['city'],
  expect: { json: { sky: '$string' } },
  hasText: true,
};

function read(parts: SuiteParts) {
  const result = readSuite(suiteText(parts), { file: '/w/a.eval.yaml', workspace: '/w' });
  if (result.kind !== 'suite') throw new Error(JSON.stringify(result));
  return result;
}

test('reads like something a person wrote', async () => {
  await expect(suiteText(weather)).toMatchFileSnapshot('golden/weather.eval.yaml');
});

test('a tool without arguments', () => {
  const { suite, problems } = read({
    ...weather,
    arguments: {},
    fillIn: [],
    hasText: false,
    expect: { isError: false },
  });
  expect(problems).toEqual([]);
  expect(suite.cases.map(({ subject }) => subject)).toMatchObject([
    { kind: 'tool', tool: 'get_forecast', arguments: {} },
    { kind: 'prompt', prompt: 'Use get_forecast.' },
  ]);
});

test.each(['tool', 'anyOf', 'true', 'null', '12', 'a: b', "it's", '-x', '#x'])('a tool called %s', (tool) => {
  const { suite } = read({ ...weather, tool });
  const [first, second] = suite.cases;
  expect(first?.subject).toMatchObject({ kind: 'tool', tool });
  expect(second?.route?.expected).toMatchObject([{ tool, arguments: weather.arguments }]);
  expect(second?.script?.[0]?.calls).toEqual([{ tool, arguments: weather.arguments }]);
});

test('what would be a matcher is not expected', () => {
  const { suite } = read({ ...weather, arguments: { filter: { $gt: 1 } }, fillIn: [] });
  expect(suite.cases[0]?.subject).toMatchObject({ arguments: { filter: { $gt: 1 } } });
  expect(suite.cases[1]?.route?.expected).toMatchObject([{ tool: 'get_forecast' }]);
});

test('whatever the arguments are, the suite is valid and sends just them', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('{{x}}', 'yes', '007', ' a ', '', '{{', '$string', 'a\nb', '#', "'", '\t', '{{{{a}}'),
  );
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 2 },
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(
        text.filter((key) => key !== '__proto__' && key !== 'constructor' && key !== 'prototype'),
        tie('any'),
        { maxKeys: 3 },
      ),
    ),
  })).any;
  const name = fc
    .stringMatching(/^[a-zA-Z_$][\w$-]{0,12}$/)
    .filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (given) => {
      const args = JSON.parse(JSON.stringify(given)) as JsonMap;
      const { suite } = read({ ...weather, arguments: args, fillIn: Object.keys(args) });
      const [first] = suite.cases;
      if (first === undefined) throw new Error('There is no case.');
      const filled = fillCase(first, { env: {}, trialId: 'a#1' });
      expect(filled.subject).toMatchObject({ kind: 'tool' });
      expect(JSON.stringify(filled.subject.kind === 'tool' ? filled.subject.arguments : null)).toBe(
        JSON.stringify(args),
      );
    }),
    { numRuns: 300 },
  );
});
