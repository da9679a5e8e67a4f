import { describe, expect, it } from 'vitest';
import { noPlaces } from '../../../src/cli/text/places.ts';
import { failureLines } from '../../../src/cli/trial/failure.ts';
import { trialLines } from '../../../src/cli/trial/trialText.ts';
import type { Difference, Discrepancy } from '../../../src/engine/index.ts';
import { call, check, planned, trial } from '../../fixtures/events/build.ts';
import { fakeOutput } from './fakeStream.ts';

const page = { columns: 80, ink: fakeOutput().output.ink };
const places = noPlaces({});
const MANY = 200_000;

const ids = Array.from({ length: MANY }, (_, index) => `c${index + 1}`);
const calls = ids.map((id) => call(id, 't', {}));
const extras = ids
  .slice(1)
  .map((id): Discrepancy => ({ kind: 'extra', call: id, tool: 't', arguments: {}, counts: true }));
const missing = ids.map((): Discrepancy => ({ kind: 'missing', tool: 't', expected: {}, at: '/cases/0/calls/0' }));
const differences = ids.map(
  (_, index): Difference => ({ path: `/a/${index}`, expected: 1, actual: 2, matcher: '$eq' }),
);

/** Quadratic time would outlast the test, and all of it on the screen any patience. */
describe('hundreds of thousands of calls', () => {
  it('that nobody expected', () => {
    const diff = check('calls', '/cases/0/calls', { outcome: 'failed', diff: extras });
    const of = trial(planned('a'), 'failed', { calls, checks: [diff] });
    const short = failureLines(of, places, page);
    expect(short.length).toBeLessThan(100);
    expect(short.join('\n')).toContain('… and 199,970 calls more');
    expect(short.filter((line) => /^ {2}\+ +\d+ t .*extra/.test(line))).toHaveLength(29);
    const long = trialLines(of, places, page).join('\n');
    expect(long.split('\n').length).toBeLessThan(10_000);
    expect(long).toContain('… and 199,000 calls more; the run file has them all');
  });

  it('that nobody made', () => {
    const diff = check('calls', '/cases/0/calls', { outcome: 'failed', diff: missing });
    const lines = failureLines(trial(planned('a'), 'failed', { checks: [diff] }), places, page);
    expect(lines.length).toBeLessThan(100);
    expect(lines.join('\n')).toContain('… and 199,970 missing calls more');
  });

  it('one with as many arguments that differ', () => {
    const mismatch: Discrepancy = {
      kind: 'argumentMismatch',
      expected: {},
      actual: {},
      call: 'c1',
      tool: 't',
      at: '/cases/0/calls/0',
      differences,
    };
    const diff = check('calls', '/cases/0/calls', { outcome: 'failed', diff: [mismatch] });
    const lines = failureLines(
      trial(planned('a'), 'failed', { calls: calls.slice(0, 1), checks: [diff] }),
      places,
      page,
    );
    expect(lines.length).toBeLessThan(200);
    expect(lines.join('\n')).toContain('… and 199,950 differences more');
  });

  it('one whose result has as many lines', () => {
    const result = { content: [{ type: 'text', text: '\n'.repeat(MANY) }], isError: false, bytes: MANY, cut: false };
    const of = trial(planned('a'), 'passed', { calls: [call('c1', 't', {}, { result })] });
    expect(trialLines(of, places, page).length).toBeGreaterThan(MANY);
  });

  it('calls of one id are all told', () => {
    const of = trial(planned('a'), 'passed', { calls: [call('c1', 't', { n: 1 }), call('c1', 't', { n: 2 })] });
    const lines = trialLines(of, places, page).join('\n');
    expect(lines).toContain('{ n: 1 }');
    expect(lines).toContain('{ n: 2 }');
  });
});
