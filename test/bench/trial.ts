/**
 * What a trial costs by itself: three scripted replies, two calls to a server in this process, ten tools offered.
 * Prints the median over rounds of 1,000 trials: time per trial, and what stays in memory when nothing is kept.
 *
 *     node --expose-gc test/bench/trial.ts [rounds]
 */
import type { Case } from '../../src/engine/suite/model.ts';
import { runTrial } from '../../src/engine/trial/index.ts';
import { memoryPool, says } from '../unit/trial/memoryPool.ts';
import { aCase, script, scripted } from '../unit/trial/tryCase.ts';

const ROUND = 1000;
const CONCURRENCY = 8;
const rounds = Number(process.argv[2] ?? 10);

const tools = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`tool_${n}`, () => says('x'.repeat(200))]));
const pool = memoryPool({ name: 'memory', tools });
const { signal } = new AbortController();
const testCase: Case = aCase({
  script: script(
    { calls: [['tool_1', { a: 1 }]] },
    { calls: [['tool_2', { b: 'two' }]] },
    { say: '{{calls[1].text}}' },
  ),
});

async function round(): Promise<void> {
  let left = ROUND;
  async function worker(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const attempt = await runTrial({
        testCase,
        model: scripted,
        pool,
        signal,
        trialId: `x#${left}`,
        onEvent: () => undefined,
      });
      if (attempt.transcript.end.kind !== 'completed') throw new Error(JSON.stringify(attempt.transcript.end));
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  pool.received.length = 0;
}

/** Bytes in use once the collector has had its way, finalisers included. */
async function heap(): Promise<number> {
  for (let n = 0; n < 4; n += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().heapUsed;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

for (let n = 0; n < 5; n += 1) await round();
const before = await heap();
const times: number[] = [];
for (let n = 0; n < rounds; n += 1) {
  const begin = performance.now();
  await round();
  times.push(performance.now() - begin);
}
const kept = ((await heap()) - before) / rounds / 1024;

const perTrial = (median(times) / ROUND).toFixed(3);
console.log(`${perTrial} ms per trial (median of ${rounds} rounds of ${ROUND}, ${CONCURRENCY} at a time)`);
if (globalThis.gc === undefined) console.log('run with --expose-gc to see what stays in memory');
else console.log(`${kept.toFixed(1)} KiB stay in memory per ${ROUND} trials`);
console.log(`${(process.memoryUsage().rss / 1024 / 1024).toFixed(0)} MiB resident at the end`);
