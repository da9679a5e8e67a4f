import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, planRun, Redactor, runSuite } from '../../../src/engine/runs/index.ts';
import type { ServerDefinition } from '../../../src/engine/servers/index.ts';
import { readSuite } from '../../../src/engine/suite/index.ts';
import { type HttpFixture, remote, startHttpServer } from './httpServers.ts';

const script = fileURLToPath(new URL('../../fixtures/servers/http.mjs', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'mcprove-same-'));
let server: HttpFixture;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

const SUITE = `mcprove: 1
cases:
  - id: right
    prompt: Add 1 and 2.
    calls: [{ add: { a: 1, b: 2 } }]
    assert: [{ response: '3' }, argumentsValid, resultsValid]
    script: [{ calls: [{ add: { a: 1, b: 2 } }] }, { say: '{{calls[0].text}}' }]
  - id: wrong-argument
    prompt: Add 1 and 2.
    calls: [{ add: { a: 1, b: 2 } }]
    script: [{ calls: [{ add: { a: 1, b: 3 } }] }, { say: '4' }]
  - id: invalid-argument
    prompt: Add 1 and 2.
    calls: [add]
    assert: [argumentsValid]
    script: [{ calls: [{ add: { a: one } }] }, { say: 'No.' }]
  - id: tool-error
    prompt: Fail.
    calls: [fail]
    assert: [noToolErrors]
    script: [{ calls: [{ fail: { text: no such city } }] }, { say: 'No.' }]
  - id: unknown-tool
    prompt: Multiply.
    calls: [add]
    script: [{ calls: [{ multiply: { a: 1 } }] }, { say: 'No.' }]
  - id: no-call
    prompt: Hi.
    calls: none
    script: [{ say: 'Hello.' }]
  - id: several
    prompt: Say it all.
    trials: 3
    calls: [{ echo: { text: a } }, { echo: { text: b } }]
    match: { order: exact }
    script: [{ calls: [{ echo: { text: a } }, { echo: { text: b } }] }, { say: '{{calls[1].text}}' }]
  - id: slow
    prompt: Wait.
    calls: [slow]
    script: [{ calls: [{ slow: { ms: 100 } }] }, { say: 'Done.' }]
`;

/** What of a run must not depend on how the server is spoken to. */
async function verdictsOver(definition: ServerDefinition) {
  const { kind } = definition.transport;
  const workspace = join(root, `${kind}-${definition.isolation}`);
  const file = join(root, 'same.eval.yaml');
  writeFileSync(file, SUITE);
  const read = readSuite(SUITE, { file, workspace });
  if (read.kind !== 'suite') throw new Error(JSON.stringify(read));
  const { suite } = read;
  const result = await runSuite({
    plan: planRun(suite, {}, {}, { env: {}, platform: 'linux' }),
    suite,
    servers: [definition],
    redactor: new Redactor(),
    env: process.env,
    concurrency: 8,
    signal: new AbortController().signal,
    facts: { toolVersion: '0.1.0', origin: 'cli', note: null, git: null, ci: null },
    onEvent: () => {},
  });
  const trials = [];
  for await (const trial of (await openRun(result.file)).trials()) {
    const calls = trial.transcript.steps.flatMap((step) => step.calls);
    trials.push({
      id: trial.id,
      verdict: trial.verdict,
      checks: trial.checks.map(({ at, outcome, reason }) => ({ at, outcome, reason })),
      chain: trial.chain,
      offered: trial.transcript.offered,
      calls: calls.map(({ startMs: _start, durationMs: _duration, id: _id, ...call }) => call),
      replies: trial.transcript.steps.flatMap((step) => step.replies.map(({ text }) => text)),
    });
  }
  trials.sort((a, b) => a.id.localeCompare(b.id));
  return { decision: result.end.decision, totals: result.end.totals, trials };
}

test('the same suite comes to the same verdicts over stdio, Streamable HTTP and SSE', async () => {
  const stdio = remote('http://unused');
  const overStdio = await verdictsOver({
    ...stdio,
    transport: { kind: 'stdio', command: process.execPath, args: [script, '--stdio'], env: {}, cwd: root },
  });
  const verdicts = Object.fromEntries(overStdio.trials.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts).toMatchObject({ 'right#1': 'passed', 'wrong-argument#1': 'failed', 'no-call#1': 'passed' });
  for (const isolation of ['shared', 'trial'] as const) {
    expect(await verdictsOver(remote(server.url, { isolation }))).toEqual(overStdio);
    expect(await verdictsOver(remote(server.sseUrl, { kind: 'sse', isolation }))).toEqual(overStdio);
  }
  expect(server.sessions()).toBe(0);
});
