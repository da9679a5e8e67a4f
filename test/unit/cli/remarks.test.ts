import { expect, it } from 'vitest';
import { Failures } from '../../../src/cli/list/failures.ts';
import { InPlanOrder } from '../../../src/cli/list/inPlanOrder.ts';
import { Remarks } from '../../../src/cli/list/remarks.ts';
import { call, chain, check, planned, trial } from '../../fixtures/events/build.ts';
import { placesOf } from '../../fixtures/events/places.ts';
import { wrongCity } from '../../fixtures/events/scenarios.ts';
import { fakeOutput } from './fakeStream.ts';

const page = { columns: 100, ink: fakeOutput().output.ink };
const invented = (tool: string) => call('c1', tool, {}, { server: null, error: { kind: 'unknownTool', text: 'none' } });

function warned(id: string) {
  const one = trial(planned(id), 'passed', { calls: [invented('get_wether')] });
  for (const step of one.transcript.steps) for (const reply of step.replies) reply.warnings = ['played as empty\u001b'];
  return one;
}

it('tells warnings of models and tools that they made up, once each', () => {
  const remarks = new Remarks();
  for (const id of ['a', 'b']) remarks.add(warned(id));
  expect(remarks.lines(page)).toEqual([
    '! warning: played as empty\\x1b (2 trials)',
    '! the model called "get_wether", which no server offers; the nearest is "get_weather" (2 trials)',
  ]);
});

it('leaves out what a failure tells anyway', () => {
  const remarks = new Remarks();
  const diff = [
    { kind: 'extra', call: 'c1', tool: 'get_wether', arguments: {}, counts: true, hallucinated: true },
  ] as const;
  const checks = [check('calls', '/cases/0/calls', { outcome: 'failed', diff: [...diff] })];
  remarks.add(trial(planned('a'), 'failed', { calls: [invented('get_wether')], checks }));
  expect(remarks.lines(page)).toEqual([]);
});

it('puts finished cells into the order of the plan, and gives the rest out at the end', () => {
  const order = new InPlanOrder();
  order.plan(['a', 'b', 'c', 'd'].map((name) => planned(name)));
  const add = (name: string) => order.add({ name, trials: [], why: null }).map((cell) => cell.name);
  expect([add('b'), add('a'), add('d')]).toEqual([[], ['a', 'b'], []]);
  expect(order.rest().map(({ name }) => name)).toEqual(['d']);
  expect(order.rest()).toEqual([]);
});

it('shows the own name of a case, a prompt of several lines on one, and a reason once', () => {
  const failures = new Failures(new Map([['greets', 'Says hello, twice']]));
  const reason = 'the answer does not contain "Berlin"';
  const of = planned('greets');
  failures.plan([of]);
  failures.add(
    trial(of, 'failed', {
      prompt: 'Say hello.\n\n  Twice.',
      chain: chain('requestSatisfied', reason),
      checks: [check('responseContains', '/cases/1/assert/0', { outcome: 'failed', reason })],
    }),
    'greets',
  );
  const text = failures.lines(placesOf(wrongCity), page).join('\n');
  expect(text).toContain('✗ greets\n  Says hello, twice\n  prompt: Say hello. Twice.\n');
  expect(text.split(reason)).toHaveLength(2);
});

it('does not say the stage again that the chain shows', () => {
  const failures = new Failures();
  failures.add(trial(planned('limit'), 'failed', { chain: chain('requestSatisfied', 'no reply is left') }), 'limit');
  expect(failures.lines(placesOf(wrongCity), page)).toContain('  no reply is left');
});

it('shows the last words of a server that died during a call as a block, bounded and safe', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `  line ${index}\u001b[31m`);
  const text = `server "c" exited with code 1. Its last stderr lines:\n${lines.join('\n')}`;
  const of = planned('crashes');
  const failures = new Failures();
  failures.add(
    trial(of, 'failed', {
      chain: chain('responseReturned', 'The call crashed the server. Its last stderr lines:.'),
      calls: [call('c1', 'get_weather', {}, { error: { kind: 'crashed', text } })],
    }),
    'crashes',
  );
  const shown = failures.lines(placesOf(wrongCity), page);
  expect(shown).toContain('  last lines on stderr of the server of call 1:');
  expect(shown).toContain('    line 39\\x1b[31m');
  expect(shown.filter((line) => line.includes('    line '))).toHaveLength(20);
  expect(shown.join('\n')).not.toContain('Its last stderr lines');
});
