import { expect, test } from 'vitest';
import { McproveError } from '../../../src/engine/errors.ts';
import { resolve } from './resolve.ts';

test('the model "scripted" is known by its name', () => {
  expect(resolve('scripted').model.id).toBe('scripted');
});

const ALL =
  'openai, anthropic, google, deepseek, mistral, azure, bedrock, openrouter, ollama, openai-compatible, scripted';
const ONE_OF_THESE = 'Write "provider/model", with one of these.';

test.each([
  ['acme/one', `unknown model provider "acme" in "acme/one". Available: ${ALL}`, ONE_OF_THESE],
  ['gpt-5', `unknown model provider "gpt-5". Available: ${ALL}`, ONE_OF_THESE],
  ['scriptd', `unknown model provider "scriptd". Available: ${ALL}`, 'Did you mean "scripted"?'],
  ['OpenAI/gpt-5', `unknown model provider "OpenAI" in "OpenAI/gpt-5". Available: ${ALL}`, 'Did you mean "openai"?'],
  ['', `unknown model provider "". Available: ${ALL}`, ONE_OF_THESE],
  ['/x', `unknown model provider "" in "/x". Available: ${ALL}`, ONE_OF_THESE],
  ['constructor/a', `unknown model provider "constructor" in "constructor/a". Available: ${ALL}`, ONE_OF_THESE],
  ['openai', '"openai" names a provider, but no model', 'Write "openai/" and the name of the model.'],
  ['scripted/fast', 'the model "scripted" has no variants; found "scripted/fast"', 'Write "scripted".'],
])('%j is refused with what to do', (id, message, hint) => {
  const refusal = caught(() => resolve(id));
  expect(refusal).toBeInstanceOf(McproveError);
  expect(refusal).toMatchObject({ code: 'MODEL001', message, hint });
});

test('a case without a script is refused when the trial begins', async () => {
  const trial = { script: null, calls: () => [], nameOf: (tool: string) => tool };
  await expect(resolve('scripted').model.forTrial(trial)).rejects.toMatchObject({ code: 'MODEL002' });
});

function caught(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
