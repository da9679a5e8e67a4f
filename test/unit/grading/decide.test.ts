import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DecisionInput, decide } from '../../../src/engine/grading/index.ts';
import type { Decision, Totals } from '../../../src/engine/record.ts';
import type { PassCriterion } from '../../../src/engine/suite/model.ts';

const BY_CELLS: PassCriterion = {
  kind: 'cells',
  bar: 1,
  minCompletion: 0.8,
  maxEvaluatorErrors: 0.1,
  minGradeable: null,
};

/** One letter a trial: passed, failed, errored, evaluator error (v), cancelled, pending (-). */
function totalsOf(picture: string): Totals {
  const count = (letters: string) => [...picture].filter((letter) => letters.includes(letter)).length;
  return {
    planned: picture.length,
    passed: count('p'),
    failed: count('f'),
    errored: count('ev'),
    cancelled: count('c'),
    pending: count('-'),
    evaluatorErrors: count('v'),
  };
}

function run(
  pictures: string,
  criterion: Partial<Extract<PassCriterion, { kind: 'cells' }>> | PassCriterion = {},
  stopped: DecisionInput['stopped'] = null,
) {
  const pass = { ...BY_CELLS, ...criterion } as PassCriterion;
  const cells = pictures
    .split(' ')
    .filter((picture) => picture !== '')
    .map((picture, index) => ({
      cell: { case: `c${index}`, row: null, variant: null, model: null },
      name: `c${index}`,
      bar: pass.bar,
      totals: totalsOf(picture),
    }));
  return decide({ suite: { pass }, cells, stopped });
}

const bail = { by: 'bail' } as const;
const maxCost = { by: 'maxCost' } as const;
const storage = { by: 'storage' } as const;
const user = { by: 'user' } as const;

describe('by cells', () => {
  test.each<[string, Decision, Partial<typeof BY_CELLS>?, DecisionInput['stopped']?]>([
    // The table of the design.
    ['ppppp', 'passed'],
    ['ppppf', 'failed'],
    ['ppppe', 'passed'],
    ['pppee', 'inconclusive'],
    ['ppppv', 'inconclusive'],
    ['pf---', 'failed', {}, bail],
    ['pf---', 'failed', {}, maxCost],
    ['pp---', 'inconclusive', {}, bail],
    ['pp---', 'inconclusive', {}, maxCost],
    ['pf--c', 'cancelled', {}, user],
    ['ppppp', 'cancelled', {}, user],
    // Bounds are inclusive, quotients exact.
    ['ppppf', 'passed', { bar: 0.8 }],
    ['pppff', 'failed', { bar: 0.8 }],
    ['pppppppppf', 'passed', { bar: 0.9 }],
    ['pppppppfff', 'passed', { bar: 0.7 }],
    [`${'p'.repeat(199)}f`, 'failed'],
    [`${'p'.repeat(199)}f`, 'passed', { bar: 0.995 }],
    [`${'p'.repeat(999)}f`, 'passed', { bar: 99.9 / 100 }],
    [`${'p'.repeat(998)}ff`, 'failed', { bar: 99.9 / 100 }],
    ['ppf', 'failed', { bar: 0.67 }],
    ['ppf', 'passed', { bar: 0.66 }],
    ['fffff', 'passed', { bar: 0 }],
    ['pppppppppv', 'passed'],
    ['pppppppppv', 'passed', { maxEvaluatorErrors: 1 - 0.9 }],
    ['ppppppppvv', 'inconclusive'],
    // A failure that is proven counts, whatever could not be graded.
    ['ppppp eeeee fffff', 'failed'],
    ['fe', 'failed'],
    ['feeee', 'failed'],
    ['f----', 'failed'],
    ['fcccc', 'failed'],
    ['ppppf vvvvv', 'failed'],
    ['feeee', 'inconclusive', { bar: 0.5 }],
    ['ffeee', 'inconclusive', { bar: 0.6 }],
    ['fffee', 'failed', { bar: 0.6 }],
    ['pfeee ppppp', 'inconclusive', { bar: 0.8 }],
    ['f', 'failed', { minGradeable: 4 }],
    // A failure that rests on sufficient evidence keeps it, whatever comes to nothing beside it.
    ['pppfe', 'failed', { bar: 0.8 }],
    ['pppfe eeeee', 'failed', { bar: 0.8 }],
    ['fe pppppppppp eeeee', 'failed', { bar: 0.5 }],
    ['fe ppp', 'inconclusive', { bar: 0.5, minCompletion: 0.9 }],
    // What was not carried out.
    ['ppppc', 'inconclusive'],
    ['pppp-', 'inconclusive'],
    ['ppppc', 'passed', { minGradeable: 4 }],
    ['pppfc', 'failed', { minGradeable: 4, bar: 0.8 }],
    ['pppcc', 'inconclusive', { minGradeable: 4 }],
    ['ppppp p', 'inconclusive', { minGradeable: 2, minCompletion: 0, maxEvaluatorErrors: 1 }],
    ['ppppp pp', 'passed', { minGradeable: 2 }],
    ['eeeee', 'inconclusive'],
    ['-----', 'inconclusive'],
    ['ppppp e', 'inconclusive'],
    ['ppppp e', 'inconclusive', { minGradeable: 1 }],
    ['', 'inconclusive'],
    // Several cells: each against its own bar.
    ['ppppp ffff', 'failed'],
    ['ppppp pppp', 'passed'],
    ['pppppppppp ffpppppppp', 'failed', { bar: 0.9 }],
    // Cut short: only a bar out of reach is decided.
    ['f----', 'inconclusive', { bar: 0.8 }, bail],
    ['ff---', 'failed', { bar: 0.8 }, bail],
    ['ppppp f----', 'failed', {}, bail],
    ['ppppp -----', 'inconclusive', {}, bail],
    ['eee--', 'inconclusive', {}, bail],
    // The last trial was over before anything was left out.
    ['ppppp', 'passed', {}, bail],
    ['ppppf', 'failed', {}, bail],
    // What a full disk took counts as errored, and the run passes in no case.
    ['pp---', 'inconclusive', {}, storage],
    ['ppppp', 'inconclusive', {}, storage],
    ['f----', 'failed', {}, storage],
  ])('%s: %s', (pictures, decision, criterion = {}, stopped = null) => {
    const found = run(pictures, criterion as Partial<Extract<PassCriterion, { kind: 'cells' }>>, stopped);
    expect(found.decision).toBe(decision);
    expect(found.reasons.length).toBeGreaterThan(0);
  });

  test('lists what is proven, then every rule of evidence that was missed', () => {
    expect(run('eev-- fffff ppppf').reasons).toEqual([
      'c1: 0 of 5 trials passed (0%), the bar is 100%.',
      'c2: 4 of 5 trials passed (80%), the bar is 100%.',
      '2 of 15 trials not carried out.',
      'No trial could be graded of c0.',
      '10 of 13 attempted trials (76.9%) could be graded, minCompletion is 80%.',
    ]);
  });

  test('lists every rule of evidence that was missed, and no bar that may still have been reached', () => {
    expect(run('eev-- ppppp').reasons).toEqual([
      '2 of 10 trials not carried out.',
      'No trial could be graded of c0.',
      '5 of 8 attempted trials (62.5%) could be graded, minCompletion is 80%.',
      '1 of 8 attempted trials (12.5%) had an evaluator error, maxEvaluatorErrors is 10%.',
    ]);
    expect(run('-----').reasons).toEqual([
      '5 of 5 trials not carried out.',
      'No trial could be graded of c0.',
      'Completion is not measured: no trial was attempted.',
      'Evaluator errors are not measured: no trial was attempted.',
    ]);
    expect(run('pppcc', { minGradeable: 4 }).reasons).toEqual(['c0: 3 trials could be graded, minGradeable is 4.']);
  });

  test('names each cell under its bar, never rounded up to it', () => {
    expect(run(`${'p'.repeat(1999)}f ppppp f`).reasons).toEqual([
      'c0: 1999 of 2000 trials passed (99.9%), the bar is 100%.',
      'c2: 0 of 1 trial passed (0%), the bar is 100%.',
    ]);
    expect(run('pf---', {}, bail).reasons).toEqual([
      'Cut short by --bail: 3 of 5 trials not carried out.',
      'c0: 1 of 2 trials passed (50%), the bar is 100%.',
    ]);
    expect(run('pf---', {}, user).reasons).toEqual(['Stopped by the user: 3 of 5 trials not carried out.']);
  });

  test('warns of what could not be graded and of flaky cells', () => {
    expect(run('ppppe').warnings).toEqual(['1 of 5 trials could not be graded.']);
    expect(run('ppppfv', { bar: 0.5, maxEvaluatorErrors: 0.2 }).warnings).toEqual([
      '1 of 6 trials could not be graded, 1 of them for want of evidence.',
      'Both passed and failed: c0.',
    ]);
    expect(run('ppppp').warnings).toEqual([]);
  });
});

test('a cell of errored trials never turns a failed run into another decision', () => {
  const cell = fc.string({ unit: fc.constantFrom('p', 'f', 'e', 'v', 'c'), minLength: 1, maxLength: 6 });
  const errored = fc.string({ unit: fc.constantFrom('e', 'v'), minLength: 1, maxLength: 6 });
  const share = fc.constantFrom(0, 0.1, 0.5, 0.6, 0.8, 1);
  const criterion = fc.record({
    bar: share,
    minCompletion: share,
    maxEvaluatorErrors: share,
    minGradeable: fc.constantFrom(null, 1, 4),
  });
  const stopped = fc.constantFrom(null, bail, maxCost);
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 1, maxLength: 4 }),
      errored,
      fc.nat(4),
      criterion,
      stopped,
      (cells, more, at, rules, stop) => {
        fc.pre(run(cells.join(' '), rules, stop).decision === 'failed');
        const joined = cells.toSpliced(at, 0, more).join(' ');
        expect([joined, run(joined, rules, stop).decision]).toEqual([joined, 'failed']);
      },
    ),
    { numRuns: 500 },
  );
});

describe('by trials', () => {
  test.each<[string, number, Decision, DecisionInput['stopped']?]>([
    ['ppppppppp f', 0.9, 'passed'],
    ['pppppppp f', 0.9, 'failed'],
    ['ppppe eeeee', 0.9, 'passed'],
    ['eeeee', 0, 'inconclusive'],
    ['', 0.9, 'inconclusive'],
    ['pppp- -', 0.9, 'inconclusive', bail],
    ['ffff- -----', 0.9, 'failed', bail],
    ['f---- -----', 0.9, 'inconclusive', maxCost],
    ['ppppp', 0.9, 'passed', bail],
    ['ppppp', 0.9, 'cancelled', user],
  ])('%s at %s: %s', (pictures, bar, decision, stopped = null) => {
    expect(run(pictures, { kind: 'trials', bar }, stopped).decision).toBe(decision);
  });

  test('says the rate', () => {
    const { reasons } = run('pppppppp f', { kind: 'trials', bar: 0.9995 });
    expect(reasons).toEqual(['8 of 9 trials passed (88.8%), the bar is 99.95%.']);
  });
});

describe('figures', () => {
  test('of the run and of each cell', () => {
    const found = run('pppff p e pp--', {}, bail);
    expect(found.totals).toEqual({
      planned: 11,
      passed: 6,
      failed: 2,
      errored: 1,
      cancelled: 0,
      pending: 2,
      evaluatorErrors: 0,
    });
    expect(found.passRate).toBe(6 / 8);
    expect(found.interval?.[0]).toBeCloseTo(0.4093, 4);
    const [mixed, single, none, open] = found.cells;
    expect(mixed).toMatchObject({ name: 'c0', bar: 1, passRate: 0.6, flaky: true, state: 'failed' });
    expect(mixed?.passAtK.map((value) => Number(value.toFixed(6)))).toEqual([0.6, 0.9, 1, 1, 1]);
    expect(mixed?.passHatK.map((value) => Number(value.toFixed(6)))).toEqual([0.6, 0.3, 0.1, 0, 0]);
    expect(single).toMatchObject({ passRate: 1, passAtK: [], passHatK: [], flaky: false, state: 'passed' });
    expect(none).toMatchObject({ passRate: null, interval: null, passAtK: [], state: 'undecided' });
    expect(open).toMatchObject({ passRate: 1, state: 'undecided' });
  });
});
