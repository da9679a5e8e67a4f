/**
 * How long reading a suite of 2,000 cases takes beside a bare parse of the same text. Bound: 1.4 × the parse + 300 ms.
 * The two alternate, so that a busy machine slows both.
 */
import { parseDocument } from 'yaml';
import { readSuite } from '../../src/engine/suite/index.ts';

const CASES = 2000;
const ROUNDS = 5;

const text = suiteText(CASES);
const bare: number[] = [];
const read: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  bare.push(timed(() => parseDocument(text).toJS()));
  read.push(timed(() => validate(text)));
}
const bound = 1.4 * median(bare) + 300;
const kib = (text.length / 1024).toFixed(0);
console.log(`${CASES} cases, ${kib} KiB, medians of ${ROUNDS}`);
console.log(`bare parse ${median(bare).toFixed(0)} ms   first ${bare[0]?.toFixed(0)} ms`);
console.log(
  `readSuite  ${median(read).toFixed(0)} ms   first ${read[0]?.toFixed(0)} ms   bound ${bound.toFixed(0)} ms`,
);
process.exitCode = median(read) <= bound ? 0 : 1;

function validate(suite: string): void {
  const result = readSuite(suite, { file: '/bench/bench.eval.yaml', workspace: '/bench' });
  if (result.kind !== 'suite') throw new Error(JSON.stringify(result).slice(0, 500));
}

function timed(act: () => unknown): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** Cases of the usual kinds: each with a route, most with matchers, assertions and a script, some with variables. */
function suiteText(count: number): string {
  const head = `mcprove: 1
name: Bench
servers: [weather]
models: [scripted]
defaults:
  timeout: 30s
  assert: [noToolErrors, argumentsValid]
cases:
`;
  return head + Array.from({ length: count }, (_, index) => caseText(index)).join('');
}

function caseText(index: number): string {
  return `  - id: case-${index}
    name: 'Case number ${index}'
    tags: [smoke, group-${index % 10}]
    vars: { city: 'City ${index}', days: ${index % 7} }
    prompt: 'What will the weather be in {{city}} for the next {{days}} days? This is question ${index}.'
    calls:
      - search_city: { query: { $matches: '^City ${index % 50}' } }
      - tool: weather::get_forecast
        arguments: { city: '{{city}}', days: { $gte: 1, $lte: 7 }, units: { $anyOf: [celsius, { $absent: true }] } }
        count: { min: 1, max: 2 }
        result: { text: { $contains: '°C' } }
    match: { extras: 2 }
    assert:
      - responseContains: ['{{city}}', '°C']
      - toolNotCalled: 'delete_*'
      - limits: { toolCalls: 5, duration: 20s }
    script:
      - calls:
          - search_city: { query: 'City ${index}' }
          - get_forecast: { city: 'City ${index}', days: ${index % 7} }
      - say: 'It will be fine in City ${index}, with {{calls[1].text}}.'
`;
}
