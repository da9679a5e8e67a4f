import { expect, test } from 'vitest';
import { McproveError } from '../../../src/engine/errors.ts';
import { resolveModel } from '../../../src/engine/models/index.ts';

test('the model "scripted" is known by its name', () => {
  expect(resolveModel('scripted').id).toBe('scripted');
});

test.each([
  [
    'openai/gpt-5',
    'unknown model provider "openai" in "openai/gpt-5". Available: scripted',
    'Use one of the available ones.',
  ],
  ['scriptd', 'unknown model provider "scriptd". Available: scripted', 'Did you mean "scripted"?'],
  ['Scripted', 'unknown model provider "Scripted". Available: scripted', 'Did you mean "scripted"?'],
  ['', 'unknown model provider "". Available: scripted', 'Use one of the available ones.'],
  ['/x', 'unknown model provider "" in "/x". Available: scripted', 'Use one of the available ones.'],
  ['constructor', 'unknown model provider "constructor". Available: scripted', 'Use one of the available ones.'],
  ['scripted/fast', 'the model "scripted" has no variants; found "scripted/fast"', 'Write "scripted".'],
])('%j is refused with what to do', (id, message, hint) => {
  const refusal = caught(() => resolveModel(id));
  expect(refusal).toBeInstanceOf(McproveError);
  expect(refusal).toMatchObject({ code: 'MODEL001', message, hint });
});

test('a case without a script is refused when the trial begins', async () => {
  const trial = { script: null, calls: () => [], nameOf: (tool: string) => tool };
  await expect(resolveModel('scripted').forTrial(trial)).rejects.toMatchObject({ code: 'MODEL002' });
});

function caught(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
