import { describe, expect, test } from 'vitest';
import { McproveError } from '../../../src/engine/errors.ts';
import { fitsPattern } from '../../../src/engine/runs/cellName.ts';
import { type Overrides, planRun } from '../../../src/engine/runs/plan.ts';
import type { Plan } from '../../../src/engine/runs/planned.ts';
import type { Selection } from '../../../src/engine/runs/selection.ts';
import type { Case, Suite } from '../../../src/engine/suite/model.ts';
import { modelNamed } from '../../../src/engine/suite/modelId.ts';
import { sampleCase, sampleSuite } from './samples.ts';

const linux = { env: {}, platform: 'linux' as const };
const toolSubject: Partial<Case> = {
  subject: { kind: 'tool', at: '', tool: 'add', arguments: {}, expect: null },
  script: null,
};
const traceSubject: Partial<Case> = { subject: { kind: 'trace', at: '', path: '/t.json' }, script: null };
const twoModels: Partial<Suite> = {
  models: [modelNamed('scripted'), modelNamed('acme/one')],
};

function last(id: string, passed: boolean, model = 'scripted') {
  return { cell: { case: id, row: null, variant: null, model }, passed };
}

function ids(plan: Plan): string[] {
  return plan.trials.map((trial) => trial.id);
}

function plan(suite: Suite, selection: Selection = {}, overrides: Overrides = {}, environment = linux): Plan {
  return planRun(suite, selection, overrides, environment);
}

function problem(act: () => unknown): { code: string; text: string } {
  try {
    act();
  } catch (error) {
    if (error instanceof McproveError) return { code: error.code, text: `${error.message}. ${error.hint ?? ''}` };
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('trials', () => {
  test('are listed cell by cell, with ids that say what they are', () => {
    const suite = sampleSuite([sampleCase('a', { trials: 2 }), sampleCase('b')]);
    const planned = plan(suite);
    expect(ids(planned)).toEqual(['a#1', 'a#2', 'b#1']);
    expect(planned.models).toEqual(['scripted']);
    expect(planned.cells.map(({ name, trials, bar }) => [name, trials, bar])).toEqual([
      ['a', 2, 1],
      ['b', 1, 1],
    ]);
    expect(plan(suite)).toEqual(planned);
  });

  test('run on every model, whose name stands in the cell only where there are several', () => {
    expect(ids(plan(sampleSuite([sampleCase('a')], twoModels)))).toEqual(['a (scripted)#1', 'a (acme/one)#1']);
    expect(ids(plan(sampleSuite([sampleCase('a')], twoModels), {}, { models: ['x/y', 'x/y'] }))).toEqual(['a#1']);
  });

  test('of tools and traces have no model and run once, not per model', () => {
    const cases = [sampleCase('t', { ...toolSubject, trials: 2 }), sampleCase('f', { ...traceSubject, trials: 3 })];
    const planned = plan(sampleSuite(cases, twoModels), {}, { trials: 4 });
    expect(ids(planned)).toEqual(['t#1', 't#2', 't#3', 't#4', 'f#1']);
    expect(planned.cells.map(({ cell }) => cell.model)).toEqual([null, null]);
  });

  test('a suite without prompts needs no model', () => {
    expect(plan(sampleSuite([sampleCase('t', toolSubject)])).models).toEqual([]);
  });

  test('overrides lie over the case, and the suite keeps its own', () => {
    const suite = sampleSuite([sampleCase('a', { pass: 0.5 })]);
    const planned = plan(suite, {}, { trials: 3, match: { order: 'exact' } });
    expect(planned.cells[0]?.case.match.order).toBe('exact');
    expect(planned.cells[0]).toMatchObject({ trials: 3, bar: 0.5 });
    expect(suite.cases[0]?.match.order).toBe('any');
  });
});

describe('selection', () => {
  const suite = sampleSuite([
    sampleCase('add-small', { tags: ['smoke'] }),
    sampleCase('add-large', { tags: ['slow', 'big'] }),
    sampleCase('sub'),
  ]);
  test.each<[Selection, string[]]>([
    [{}, ['add-small', 'add-large', 'sub']],
    [{ cells: ['sub'] }, ['sub']],
    [{ cells: ['add-*'] }, ['add-small', 'add-large']],
    [{ cells: ['*l*ge', 'sub'] }, ['add-large', 'sub']],
    [{ tags: ['smoke', 'big'] }, ['add-small', 'add-large']],
    [{ tags: ['smoke'], cells: ['add-*'] }, ['add-small']],
    [{ failedOf: [last('sub', false), last('add-small', true), last('gone', false)] }, ['sub']],
  ])('%j', (selection, names) => {
    expect(plan(suite, selection).cells.map(({ name }) => name)).toEqual(names);
  });

  test('the exact name of a case selects it, where nothing has it as an id', () => {
    const named = sampleSuite([sampleCase('a', { name: 'Adds two' }), sampleCase('b', { name: 'a' })]);
    expect(ids(plan(named, { cells: ['Adds two'] }))).toEqual(['a#1']);
    expect(ids(plan(named, { cells: ['a'] }))).toEqual(['a#1']);
    expect(problem(() => plan(named, { cells: ['Adds'] })).text).toContain('Did you mean "a"?');
    expect(problem(() => plan(named, { cells: ['two'] })).text).toContain('Did you mean "a"?');
  });

  test('a case id selects it for every model, a cell name for one', () => {
    const two = sampleSuite([sampleCase('a'), sampleCase('b')], twoModels);
    expect(ids(plan(two, { cells: ['a'] }))).toEqual(['a (scripted)#1', 'a (acme/one)#1']);
    expect(ids(plan(two, { cells: ['a (acme/one)'] }))).toEqual(['a (acme/one)#1']);
    expect(ids(plan(two, { cells: ['* (acme/*)'] }))).toEqual(['a (acme/one)#1', 'b (acme/one)#1']);
  });

  test('what failed is found again though the number of models changed', () => {
    const two = sampleSuite([sampleCase('a'), sampleCase('b')], twoModels);
    const onOne = [last('a', false, 'acme/one'), last('a', true)];
    expect(ids(plan(two, { failedOf: onOne }))).toEqual(['a (acme/one)#1']);
    expect(ids(plan(two, { failedOf: onOne }, { models: ['acme/one'] }))).toEqual(['a#1']);
    expect(ids(plan(two, { failedOf: [last('b', false)] }))).toEqual(['b (scripted)#1', 'b (acme/one)#1']);
  });

  test('a pattern that fits nothing is told, so that several suites can be asked', () => {
    expect(plan(suite, { cells: ['sub', 'elsewhere'] }).unmatched).toEqual(['elsewhere']);
  });

  test('only leaves out all others', () => {
    const focused = sampleSuite([sampleCase('a'), sampleCase('b', { only: true })]);
    expect(ids(plan(focused))).toEqual(['b#1']);
    expect(plan(focused).skipped).toEqual([]);
    expect(ids(planRun(focused, {}, {}, { ...linux, env: { CI: 'false' } }))).toEqual(['b#1']);
  });
});

describe('skipped', () => {
  test.each<[string, Partial<Case>, string | null]>([
    ['a reason of its own', { skip: 'server is down' }, 'server is down'],
    [
      'an unset variable',
      { requires: { env: ['SET', 'KEY_A', 'KEY_B'], os: [] } },
      'needs the environment variables KEY_A, KEY_B',
    ],
    ['an empty variable', { requires: { env: ['EMPTY'], os: [] } }, 'needs the environment variable EMPTY'],
    ['a set variable', { requires: { env: ['SET'], os: [] } }, null],
    ['another system', { requires: { env: [], os: ['macos', 'windows'] } }, 'needs macos or windows; this is linux'],
    ['this system', { requires: { env: [], os: ['linux'] } }, null],
    ['no script', { script: null }, 'has no `script` for the model scripted'],
  ])('%s', (_, change, reason) => {
    const suite = sampleSuite([sampleCase('a', change), sampleCase('b')], { models: [modelNamed('scripted')] });
    const planned = planRun(suite, {}, {}, { ...linux, env: { SET: 'x', EMPTY: '' } });
    expect(planned.skipped).toEqual(reason === null ? [] : [{ cell: 'a', reason }]);
    expect(ids(planned)).toEqual(reason === null ? ['a#1', 'b#1'] : ['b#1']);
  });

  test('only for the model that needs the script', () => {
    const planned = plan(sampleSuite([sampleCase('a', { script: null })], twoModels));
    expect(ids(planned)).toEqual(['a (acme/one)#1']);
    expect(planned.skipped.map(({ cell }) => cell)).toEqual(['a (scripted)']);
  });

  test('what was not selected is not listed', () => {
    const suite = sampleSuite([sampleCase('a', { skip: 'later' }), sampleCase('b')]);
    expect(plan(suite, { cells: ['b'] }).skipped).toEqual([]);
  });
});

describe('mistakes', () => {
  const suite = sampleSuite([sampleCase('get-weather', { tags: ['smoke'] }), sampleCase('sub')]);
  const range = {
    route: { at: '', expected: [{ at: '', anyOf: [[{ at: '', tool: 'x', count: { min: 1, max: 2 } }]] }] },
  };
  test.each<[string, () => unknown, string, RegExp]>([
    [
      'a cell with a typing error',
      () => plan(suite, { cells: ['get-wether'] }),
      'PLAN001',
      /Did you mean "get-weather"\?/,
    ],
    ['a cell unlike any', () => plan(suite, { cells: ['zzz*'] }), 'PLAN001', /Its cells: "get-weather", "sub"/],
    ['an unknown tag', () => plan(suite, { tags: ['smok'] }), 'PLAN002', /Its tags: "smoke"/],
    ['nothing failed', () => plan(suite, { failedOf: [last('sub', true)] }), 'PLAN003', /passed the last time/],
    [
      'failed cells that are gone',
      () => plan(suite, { failedOf: [last('old', false)] }),
      'PLAN001',
      /fits all that was asked for/,
    ],
    [
      'tag and cell exclude each other',
      () => plan(suite, { tags: ['smoke'], cells: ['sub'] }),
      'PLAN001',
      /all that was/,
    ],
    [
      'only on CI',
      () => planRun(sampleSuite([sampleCase('a', { only: true })]), {}, {}, { ...linux, env: { CI: 'true' } }),
      'PLAN004',
      /Remove `only`/,
    ],
    [
      'no model',
      () => plan(sampleSuite([sampleCase('a'), sampleCase('b', { script: null })])),
      'PLAN005',
      /case "b".*`models:`.*--model/,
    ],
    [
      'too many trials',
      () => plan(sampleSuite([sampleCase('a')], twoModels), {}, { trials: 5001 }),
      'PLAN006',
      /10,002 trials; the limit is 10,000/,
    ],
    [
      'far too many trials',
      () => plan(sampleSuite([sampleCase('a')]), {}, { trials: 1_000_000_000 }),
      'PLAN006',
      /1,000,000,000 trials/,
    ],
    ['everything skipped', () => plan(sampleSuite([sampleCase('a', { skip: 'later' })])), 'PLAN007', /1 × later/],
    [
      'a range of calls in an order',
      () => plan(sampleSuite([sampleCase('a', range)]), {}, { match: { order: 'inOrder' } }),
      'PLAN008',
      /range of calls/,
    ],
  ])('%s', (_, act, code, text) => {
    const found = problem(act);
    expect(found.code).toBe(code);
    expect(found.text).toMatch(text);
  });

  test('many trials may be asked for on purpose', () => {
    expect(plan(sampleSuite([sampleCase('a')]), {}, { trials: 10_001, manyTrials: true }).trials).toHaveLength(10_001);
  });
});

test.each([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['*', '', true],
  ['a*', 'a', true],
  ['a*b', 'ab', true],
  ['a*b', 'aXbX', false],
  ['ab*ba', 'aba', false],
  ['*a*a*', 'xaxax', true],
  ['*a*a*', 'xax', false],
  ['[x] (.*)', '[x] (.any)', true],
  [`${'*a'.repeat(50)}*b`, 'a'.repeat(5000), false],
])('the pattern %s and %s', (pattern, text, fits) => {
  expect(fitsPattern(pattern, text)).toBe(fits);
});
