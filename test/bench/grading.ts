/**
 * How fast grading is: `node test/bench/grading.ts`. Prints the median of several runs in milliseconds.
 *
 * Targets: 10,000 trials of 5 calls under 2,000 ms; 1,000 expected with 1,000 actual calls under 1,000 ms.
 */
import { createPatterns, gradeTrial, matchCalls } from '../../src/engine/grading/index.ts';
import type { Attempt, Call, Json } from '../../src/engine/record.ts';
import type { Assertion, Case, ExpectedCall, MatchOptions, Route } from '../../src/engine/suite/model.ts';
import { plainCase } from '../fixtures/plainCase.ts';

const RUNS = 7;
const AT = '/cases/0';
const MATCH: MatchOptions = { arguments: 'partial', order: 'any', extras: 'allow', ignoreTools: [] };

function call(index: number, args: Json): Call {
  const text = JSON.stringify({ temperature: index, units: 'celsius', note: 'A mild day with some clouds.' });
  return {
    id: `call-${index}`,
    by: 'model',
    server: 'weather',
    tool: 'get_weather',
    arguments: args,
    mocked: false,
    result: { content: [{ type: 'text', text }], isError: false, bytes: text.length, cut: false },
    argumentsValid: true,
    resultValid: true,
    startMs: index * 10,
    durationMs: 8,
  };
}

function weatherArguments(index: number): { [key: string]: Json } {
  return { city: `City ${index}`, units: 'celsius', days: [1, 2, 3], options: { hourly: false, alerts: true } };
}

function attemptOf(calls: readonly Call[]): Attempt {
  const usage = { inputTokens: 900, outputTokens: 120, cachedTokens: 0, reasoningTokens: 0 };
  const reply = {
    text: 'It is mild in all of them.',
    finish: 'stop',
    usage,
    startMs: 0,
    durationMs: 300,
    warnings: [],
  };
  return {
    transcript: {
      offered: [{ server: 'weather', tool: 'get_weather', hash: '0123456789abcdef' }],
      toolListChanged: false,
      steps: [
        {
          kind: 'prompt',
          phase: 'steps',
          input: { prompt: 'How is the weather?' },
          replies: calls.map((each) => ({ ...reply, calls: [each.id] })),
          calls: [...calls],
          durationMs: 1500,
        },
      ],
      end: { kind: 'completed' },
    },
    usage,
    costUsd: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1500,
  };
}

function routeOf(expected: readonly ExpectedCall[]): Route {
  return { at: `${AT}/calls`, expected };
}

function expectedCall(index: number, args: Json): ExpectedCall {
  return { at: `${AT}/calls/${index}`, tool: 'get_weather', arguments: args, count: null };
}

const common = { at: `${AT}/assert/0`, label: 'assertion', role: 'required', inherited: false } as const;
const assertions: Assertion[] = [
  { ...common, kind: 'noToolErrors', value: null },
  { ...common, kind: 'argumentsValid', value: null },
  { ...common, kind: 'resultContains', value: [['mild']] },
  { ...common, kind: 'responseMatches', value: [['mild|warm']] },
  { ...common, kind: 'responseContains', value: [['MILD']] },
  { ...common, kind: 'limits', value: { toolCalls: { min: null, max: 10 }, tokens: { min: null, max: 10_000 } } },
];

function caseOf(expected: readonly ExpectedCall[], match: MatchOptions = MATCH): Case {
  return plainCase({ id: 'weather', name: 'weather', route: routeOf(expected), match, assertions });
}

function median(measure: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    measure();
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
}

function report(name: string, measure: () => void): void {
  console.log(`${name.padEnd(62)} ${median(measure).toFixed(0).padStart(6)} ms`);
}

const five = Array.from({ length: 5 }, (_, index) => index);
const fiveCalls = five.map((index) => call(index, weatherArguments(index)));
const passing = caseOf(five.map((index) => expectedCall(index, { city: `City ${4 - index}` })));
const failing = caseOf(five.map((index) => expectedCall(index, { city: { $matches: `^Town ${index}` } })));
const attempt = attemptOf(fiveCalls);

function gradeMany(testCase: Case, count: number): void {
  const patterns = createPatterns();
  for (let index = 0; index < count; index += 1) gradeTrial(testCase, attempt, patterns);
}

report('10,000 trials of 5 calls, passing', () => gradeMany(passing, 10_000));
report('10,000 trials of 5 calls, every call a mismatch', () => gradeMany(failing, 10_000));

const thousand = Array.from({ length: 1000 }, (_, index) => index);
const context = { offered: attempt.transcript.offered, toolListChanged: false, requireSuccess: true };

function reportThousand(
  name: string,
  expected: (index: number) => ExpectedCall,
  actual: (index: number) => Json,
  match: Partial<MatchOptions> = {},
): void {
  const route = routeOf(thousand.map(expected));
  const calls = thousand.map((index) => call(index, actual(index)));
  report(`1,000 × 1,000: ${name}`, () => matchCalls(route, calls, { ...MATCH, ...match }, context));
}

const plain = (index: number) => expectedCall(index, weatherArguments(999 - index));
reportThousand('plain arguments, reversed', plain, weatherArguments);
reportThousand('plain arguments, exact', plain, weatherArguments, { arguments: 'exact' });
reportThousand('plain arguments, in order', plain, weatherArguments, { order: 'inOrder' });
reportThousand(
  'name only',
  (index) => ({ at: '', tool: 'get_weather', count: null, index }) as ExpectedCall,
  weatherArguments,
);
reportThousand(
  'differing in the last argument alone',
  (index) => expectedCall(index, { ...lateArguments(999 - index) }),
  lateArguments,
);
reportThousand(
  'every call a mismatch',
  (index) => expectedCall(index, weatherArguments(index + 5000)),
  weatherArguments,
);
reportThousand(
  'all ten arguments of every call differ',
  (index) => expectedCall(index, ten(index)),
  (index) => ten(index + 5000),
);
reportThousand(
  'chains that greed gets wrong',
  (index) => expectedCall(index, { n: { $lte: index } }),
  (index) => ({ n: 999 - index }),
);

function lateArguments(index: number): { [key: string]: Json } {
  return { units: 'celsius', days: [1, 2, 3], options: { hourly: false, alerts: true }, city: `City ${index}` };
}

function ten(index: number): { [key: string]: Json } {
  return Object.fromEntries(Array.from({ length: 10 }, (_, key) => [`key${key}`, `value ${index}`]));
}
