import { expect, test } from 'vitest';
import { checkSuite } from '../../../src/engine/checkSuite.ts';
import { readSuite } from '../../../src/engine/suite/index.ts';

function suiteWith(models: string) {
  const text = `mcprove: 1
servers: []
models:
  - scripted
  - ${models}
cases:
  - prompt: a
    calls: none
`;
  const read = readSuite(text, { file: '/w/a.eval.yaml', workspace: '/w' });
  if (read.kind !== 'suite') throw new Error(JSON.stringify(read));
  return read.suite;
}

const found = (models: string, asked?: string[]) =>
  checkSuite(suiteWith(models), {}, asked === undefined ? {} : { models: asked }).map(({ severity, code, range }) => [
    severity,
    code,
    range.start.line,
  ]);

test('a key that is missing keeps a suite from being run, but is no mistake in it', () => {
  expect(found('openai/m')).toEqual([['warning', 'MODEL004', 5]]);
  expect(found('openai/m', ['openai/m'])).toEqual([['error', 'MODEL004', 5]]);
  expect(found('openai/m', ['scripted'])).toEqual([]);
  const withKey = `{ provider: openai, model: m, apiKey: '\${env:NONE}' }`;
  expect(found(withKey)).toEqual([['warning', 'SUITE013', 5]]);
  expect(found(withKey, ['openai/m'])).toEqual([['error', 'SUITE013', 5]]);
});

test('what is wrong on every machine is a mistake', () => {
  expect(found('acme/m')).toEqual([['error', 'MODEL001', 5]]);
  expect(found('{ provider: openai-compatible, model: m }')).toEqual([['error', 'MODEL003', 5]]);
});

test('a model that only a run names stands nowhere in the suite', () => {
  expect(found('ollama/m', ['acme/m'])).toEqual([['error', 'MODEL001', 4]]);
});
