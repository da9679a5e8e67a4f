/** Small, whole records and suites for the tests of runs and reports. */
import type { Call, CellFigures, Check, RunEnd, RunHead, Totals, Trial, Verdict } from '../../../src/engine/record.ts';
import type { Case, Suite } from '../../../src/engine/suite/model.ts';
import { plainCase } from '../../fixtures/plainCase.ts';

const noUsage = { inputTokens: null, outputTokens: null, cachedTokens: null, reasoningTokens: null };

export function sampleHead(change: Partial<RunHead> = {}): RunHead {
  return {
    kind: 'run',
    format: 1,
    id: '01JDZ0000000000000000000AB',
    suite: { path: 'evals/weather.eval.yaml', name: 'weather', hash: 'ab'.repeat(32), snapshot: { mcprove: 1 } },
    planned: { trials: 3, cells: 3 },
    skipped: [],
    models: ['scripted'],
    servers: [{ name: 'weather', origin: { file: 'evals/weather.eval.yaml', pointer: '/servers/weather' } }],
    prices: null,
    toolVersion: '0.1.0',
    git: { commit: 'c'.repeat(40), dirty: false },
    ci: null,
    origin: 'cli',
    note: null,
    startedAt: '2025-03-04T05:06:07.089Z',
    ...change,
  };
}

export function sampleCall(change: Partial<Call> = {}): Call {
  return {
    id: 'c1',
    by: 'model',
    server: 'weather',
    tool: 'get_weather',
    arguments: { city: 'Berlin' },
    mocked: false,
    result: { content: [{ type: 'text', text: 'Sunny, 21 °C' }], isError: false, bytes: 42, cut: false },
    argumentsValid: true,
    resultValid: null,
    startMs: 1,
    durationMs: 2,
    ...change,
  };
}

export function sampleCheck(change: Partial<Check> = {}): Check {
  return {
    at: '/cases/0/calls',
    kind: 'calls',
    label: 'calls',
    role: 'required',
    outcome: 'passed',
    reason: '',
    ...change,
  };
}

export function sampleTrial(id: string, change: Partial<Trial> = {}, calls: Call[] = [sampleCall()]): Trial {
  const [name = id, number = '1'] = id.split('#');
  return {
    kind: 'trial',
    id,
    cell: { case: name, row: null, variant: null, model: 'scripted' },
    number: Number(number),
    verdict: 'passed',
    checks: [sampleCheck()],
    chain: [{ stage: 'sessionConnected', state: 'ok', evidence: 'weather 1.0.0' }],
    transcript: {
      offered: [{ server: 'weather', tool: 'get_weather', hash: '0123456789abcdef' }],
      toolListChanged: false,
      steps: [
        {
          kind: 'prompt',
          phase: 'steps',
          input: 'What is the weather in Berlin?',
          replies: [
            { text: '', calls: ['c1'], finish: 'tool-calls', usage: noUsage, startMs: 0, durationMs: 1, warnings: [] },
            { text: 'Sunny.', calls: [], finish: 'stop', usage: noUsage, startMs: 3, durationMs: 1, warnings: [] },
          ],
          calls,
          durationMs: 4,
        },
      ],
      end: { kind: 'completed' },
    },
    usage: noUsage,
    costUsd: null,
    startedAt: '2025-03-04T05:06:08.000Z',
    durationMs: 1250,
    attempts: 1,
    ...change,
  };
}

export function totalsOf(change: Partial<Totals> = {}): Totals {
  return { planned: 1, passed: 0, failed: 0, errored: 0, cancelled: 0, pending: 0, evaluatorErrors: 0, ...change };
}

export function sampleFigures(name: string, change: Partial<CellFigures> = {}): CellFigures {
  return {
    cell: { case: name, row: null, variant: null, model: 'scripted' },
    name,
    totals: totalsOf({ passed: 1 }),
    bar: 1,
    passRate: 1,
    interval: [0.2, 1],
    passAtK: [],
    passHatK: [],
    flaky: false,
    state: 'passed',
    ...change,
  };
}

export function sampleEnd(trials: RunEnd['trials'], change: Partial<RunEnd> = {}): RunEnd {
  const count = (verdict: Verdict) => trials.filter(([, given]) => given === verdict).length;
  const totals = totalsOf({
    planned: trials.length,
    passed: count('passed'),
    failed: count('failed'),
    errored: count('errored'),
    cancelled: count('cancelled'),
  });
  return {
    kind: 'end',
    decision: 'passed',
    reasons: [],
    warnings: [],
    totals,
    passRate: 1,
    interval: [0.4, 1],
    failedChecks: {},
    usage: noUsage,
    costUsd: null,
    unpricedTrials: 0,
    endedAt: '2025-03-04T05:06:09.000Z',
    durationMs: 2000,
    servers: [],
    cells: trials.map(([id]) => sampleFigures(id.split('#')[0] ?? id)),
    trials,
    ...change,
  };
}

export function sampleCase(id: string, change: Partial<Case> = {}): Case {
  const at = `/cases/${id}`;
  return plainCase({
    at,
    id,
    name: id,
    metadata: null,
    subject: { kind: 'prompt', at: `${at}/prompt`, prompt: 'Add 1 and 2.' },
    route: { at: `${at}/calls`, expected: [{ at: `${at}/calls/0`, tool: 'add', count: null }] },
    timeoutMs: 10_000,
    script: [
      { at: `${at}/script/0`, say: null, calls: [{ tool: 'add', arguments: { a: 1, b: 2 } }], fails: null },
      { at: `${at}/script/1`, say: 'The sum is 3.', calls: [], fails: null },
    ],
    ...change,
  });
}

export function sampleSuite(cases: readonly Case[], change: Partial<Suite> = {}): Suite {
  const file = change.file ?? '/projects/space/evals/sums.eval.yaml';
  const start = { line: 1, column: 1, offset: 0 };
  return {
    file,
    workspace: '/projects/space',
    hash: 'ab'.repeat(32),
    name: 'sums',
    description: null,
    tags: [],
    metadata: null,
    servers: [],
    models: null,
    pass: { kind: 'cells', bar: 1, minCompletion: 0.8, maxEvaluatorErrors: 0.1, minGradeable: null },
    cases,
    snapshot: { mcprove: 1, cases: cases.map(({ id }) => ({ id })) },
    locate: () => ({ file, start, end: start }),
    ...change,
  };
}
