import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillCase } from '../../../src/engine/suite/index.ts';
import { read } from './reading.ts';

/** More runs where they are asked for: FUZZ_RUNS=100000. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 200);
const LIMIT_MS = 1000;

/** Reads a text, and checks what holds for every text there is. */
function readSafely(text: string): void {
  const start = performance.now();
  const result = read(text);
  expect(performance.now() - start).toBeLessThan(LIMIT_MS);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  if (result.kind === 'foreign') return;
  expect(result.problems.length).toBeLessThanOrEqual(50);
  for (const { code, message, range } of result.problems) {
    expect(code).toMatch(/^(?:YAML|SUITE)\d{3}$/);
    expect(message).not.toMatch(/undefined|\[object|NaN/);
    expect(range.start.line).toBeGreaterThan(0);
    expect(range.start.column).toBeGreaterThan(0);
    expect(range.end.offset).toBeLessThanOrEqual(text.length);
  }
  if (result.kind !== 'suite') return;
  for (const testCase of result.suite.cases) {
    expect(result.suite.locate(testCase.at).start.line).toBeGreaterThan(0);
    const env = Object.fromEntries(testCase.requires.env.map((name) => [name, 'x']));
    fillCase(testCase, { env, trialId: 'a#1' });
  }
}

const pieces = fc.constantFrom(
  ...[
    'mcprove: 1\n',
    'cases:\n',
    '  - ',
    '    ',
    '\t',
    '\n',
    ': ',
    '? ',
    '- ',
    ', ',
    '[',
    ']',
    '{',
    '}',
    '#',
    ' #x',
    '%a\n',
  ],
  ...[
    "'",
    '"',
    '|\n',
    '>\n',
    '&a ',
    '*a',
    '<<: ',
    '---\n',
    '...\n',
    '!t ',
    '!!set ',
    '\\',
    '{{',
    '}}',
    '{{{{',
    '$matches: ',
    '(?=a)',
  ],
  ...[
    'prompt: ',
    'calls: ',
    'assert: ',
    'script: ',
    'defaults: ',
    'vars: ',
    'servers: ',
    'pass: ',
    'timeout: ',
    'none',
    '5s',
  ],
  ...[
    '__proto__: ',
    'constructor: ',
    'a',
    'a: 1\n',
    '007',
    '.inf',
    '~',
    'yes',
    '1e999',
    '\uFEFF',
    '\0',
    '\u2028',
    '\ud800',
    '💥',
    '\r',
  ],
);

const heads = fc.constantFrom('', 'mcprove: 1\n', 'mcprove: 1\ncases:\n  - prompt: a\n    ');

test('any pieces of YAML', () => {
  fc.assert(
    fc.property(heads, fc.array(pieces, { maxLength: 60 }), (head, parts) => readSafely(head + parts.join(''))),
    { numRuns },
  );
});

const WHOLE = `mcprove: 1
defaults: { assert: [noToolErrors], vars: { a: 1 } }
x-a: &a { timeout: 5s }
cases:
  - <<: *a
    prompt: 'Is it {{a}}?'
    calls:
      - get: { b: { $matches: '^x' }, c: [$any, 1.10] }
      - { tool: 's::*', count: { min: 1, max: 2 } }
      - anyOf: [d, [e, f]]
    assert: { replace: [{ toolCalled: { anyOf: [g, h] } }, { limits: { duration: 5s } }] }
    script: [{ say: 'yes {{calls[0].text}}' }, { calls: [get: {}] }]
  - trace: i.json
    calls: none
`;

test('a suite with any edits', () => {
  const edit = fc.record({ at: fc.nat(WHOLE.length), length: fc.nat(6), text: fc.oneof(pieces, fc.constant('')) });
  expect(read(WHOLE).kind).toBe('suite');
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), (edits) => {
      readSafely(
        edits.reduce((text, { at, length, text: put }) => text.slice(0, at) + put + text.slice(at + length), WHOLE),
      );
    }),
    { numRuns },
  );
});

test('any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), readSafely), { numRuns });
});

const words = fc.constantFrom(
  'a',
  '*',
  'get_*',
  'a::b',
  '$string',
  '{{x}}',
  '{{{{',
  '30s',
  '90%',
  '',
  ' ',
  '(',
  '$x',
  'none',
  'env.A',
);
const scalars = fc.oneof(words, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const names = fc.constantFrom(
  ...[
    'name',
    'id',
    'tags',
    'prompt',
    'tool',
    'trace',
    'arguments',
    'expect',
    'calls',
    'match',
    'assert',
    'tools',
    'vars',
  ],
  ...[
    'execute',
    'system',
    'trials',
    'pass',
    'timeout',
    'maxTurns',
    'requires',
    'skip',
    'only',
    'metadata',
    'script',
    'env',
    'os',
  ],
  ...[
    'anyOf',
    'count',
    'result',
    'min',
    'max',
    'say',
    'fails',
    'replace',
    'role',
    'toolCalled',
    'limits',
    'response',
    'result',
  ],
  ...['responseMatches', '$gt', '$size', '$anyOf', '$approx', '$matches', 'text', 'json', 'isError', 'x'],
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 5 }),
  ),
}));
const cases = fc.array(fc.dictionary(names, value, { maxKeys: 6 }), { maxLength: 4 });

test('any data under the keys of a suite', () => {
  const data = fc.record(
    {
      mcprove: fc.constant(1),
      defaults: value,
      servers: value,
      models: value,
      pass: value,
      cases: fc.oneof(cases, value),
    },
    { requiredKeys: ['mcprove', 'cases'] },
  );
  fc.assert(
    fc.property(data, (suite) => readSafely(JSON.stringify(suite))),
    { numRuns },
  );
});

test.each<[name: string, text: string]>([
  ['brackets', '['.repeat(100_000)],
  ['question marks', '? '.repeat(100_000)],
  ['dashes', '- '.repeat(100_000)],
  ['closing brackets', ']'.repeat(100_000)],
  ['commas', `[${','.repeat(100_000)}`],
  ['tags', '!a '.repeat(50_000)],
  ['anchors', '&a '.repeat(50_000)],
  ['quotes', '"" '.repeat(50_000)],
  ['documents', '---\n'.repeat(50_000)],
  ['directives', '%a\n'.repeat(50_000)],
  ['aliases', `x-a: &a b\nx-b: [${'*a, '.repeat(50_000)}]\n`],
  ['equal keys', 'a: 1\n'.repeat(30_000)],
  ['different keys', Array.from({ length: 30_000 }, (_, index) => `k${index}: 1\n`).join('')],
  ['numbers in one map', `metadata:\n${Array.from({ length: 30_000 }, (_, index) => `  k${index}: 1.10\n`).join('')}`],
  ['equal pairs of keys', Array.from({ length: 30_000 }, (_, index) => `k${index % 15_000}: 1\n`).join('')],
  ['servers', `servers: [${Array.from({ length: 30_000 }, (_, index) => `a${index % 15_000}`).join(', ')}]\n`],
  ['placeholders', `x-a: '${'{{a}}'.repeat(100_000)}'\n`],
])('a flood of %s ends soon', (_, flood) => {
  const start = performance.now();
  expect(read(`mcprove: 1\n${flood}`).kind).not.toBe('foreign');
  expect(performance.now() - start).toBeLessThan(5000);
});
