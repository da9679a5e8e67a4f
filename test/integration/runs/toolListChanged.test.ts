import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/engine/record.ts';
import { planRun } from '../../../src/engine/runs/plan.ts';
import { Redactor } from '../../../src/engine/runs/redact.ts';
import { runSuite } from '../../../src/engine/runs/run.ts';
import { sampleCase, sampleSuite } from '../../unit/runs/samples.ts';
import { faultServer } from '../servers/faultServer.ts';

test.for([
  { isolation: 'shared' as const, told: 1 },
  { isolation: 'trial' as const, told: 0 },
])('a run tells $told times that a $isolation server changed its tool list', async ({ isolation, told }, context) => {
  const workspace = mkdtempSync(join(tmpdir(), 'mcprove-changed-'));
  context.onTestFinished(() => rmSync(workspace, { recursive: true }));
  const at = '/cases/0';
  const testCase = sampleCase('grow', {
    trials: 3,
    route: { at: `${at}/calls`, expected: [{ at: `${at}/calls/0`, tool: 'act', count: null }] },
    script: [
      { at, say: null, calls: [{ tool: 'act', arguments: { what: 'change-list' } }], fails: null },
      { at, say: 'Done.', calls: [], fails: null },
    ],
  });
  const suite = sampleSuite([testCase], { workspace, file: join(workspace, 'a.eval.yaml') });
  const events: RunEvent[] = [];
  const { end } = await runSuite({
    plan: planRun(suite, {}, {}, { env: {}, platform: 'linux' }),
    suite,
    servers: [faultServer('ok', { isolation })],
    redactor: new Redactor(),
    env: process.env,
    concurrency: 1,
    signal: context.signal,
    facts: { toolVersion: '0.1.0', origin: 'cli', note: null, git: null, ci: null },
    onEvent: (event) => void events.push(event),
  });
  expect(end.totals).toMatchObject({ passed: 3 });
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  const text = /^ok: changed its tool list, .*with "isolation: trial" each trial gets a server of its own/;
  expect(notices).toEqual(Array.from({ length: told }, () => expect.stringMatching(text)));
});
