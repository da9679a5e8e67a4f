import { expect, test } from 'vitest';
import { read } from './reading.ts';

test.each<[name: string, text: string, hint: string]>([
  ['an empty file', '', 'is empty; a suite begins with "mcprove: 1"'],
  ['comments alone', '# nothing\n', 'is empty; a suite begins with "mcprove: 1"'],
  ['a list', '- mcprove: 1\n', 'is not a map with "mcprove: 1"'],
  ['anything', 'a: 1\n', 'has no "mcprove: 1"'],
  ['cases without a mark', 'cases: [{ prompt: a }]\n', 'has "cases" but no "mcprove: 1"; add it to make it a suite'],
  [
    'the mark further down',
    'x:\n  mcprove: 1\ncases: []\n',
    'has "cases" but no "mcprove: 1"; add it to make it a suite',
  ],
  [
    'promptfoo',
    'prompts: [a]\nproviders: [openai:gpt]\ntests: [{ vars: {}, assert: [] }]\n',
    'looks like a suite of promptfoo, not of MCProve',
  ],
  [
    'AgentV',
    'description: a\nproviders: [a]\ndefault_test: {}\ntests: []\n',
    'looks like a suite of AgentV, not of MCProve',
  ],
  [
    'Vally',
    'name: a\ntype: capability\nstimuli: [{ name: b, prompt: c }]\n',
    'looks like a suite of Vally, not of MCProve',
  ],
  [
    'dryfire',
    'provider: a\nmodel: b\ncases: [{ name: c, input: d, expect: [] }]\n',
    'looks like a suite of dryfire, not of MCProve',
  ],
  ['waza', 'config: { executor: mock }\ntasks: [a.yaml]\n', 'looks like a suite of waza, not of MCProve'],
  ['broken text without a mark', 'a: [\n', 'cannot be read as YAML, and has no "mcprove: 1"'],
])('%s is left in peace', (_, text, hint) => {
  expect(read(text)).toEqual({ kind: 'foreign', hint });
});

test.each([
  ['broken text with the mark', 'cases: [\nmcprove: 1\n'],
  ['the mark in quotes', '"mcprove": 1\ncases: [\n'],
  ['the mark in a flow map', '{ mcprove: 1, cases: [ }'],
  ['the mark and a wrong value', 'mcprove:\n'],
])('%s is ours', (_, text) => {
  expect(read(text).kind).toBe('broken');
});
