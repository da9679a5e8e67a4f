/** Runs on a model server of the tests, through the real code of a provider. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent, Trial } from '../../../src/engine/record.ts';
import { planRun } from '../../../src/engine/runs/plan.ts';
import { Redactor } from '../../../src/engine/runs/redact.ts';
import { runSuite } from '../../../src/engine/runs/run.ts';
import type { RunInput, RunResult } from '../../../src/engine/runs/runInput.ts';
import type { Case, ModelEntry } from '../../../src/engine/suite/model.ts';
import type { ModelServer } from '../../modelServer/index.ts';
import { memoryPool } from '../../unit/runs/memoryPool.ts';
import { sampleCase, sampleSuite } from '../../unit/runs/samples.ts';

export interface Ran extends RunResult {
  events: RunEvent[];
  /** In the order in which they ended. */
  trials: Trial[];
  ms: number;
}

/** A model of the server; what it says is in the prompt. */
export function modelOn(server: ModelServer, change: Partial<ModelEntry> = {}): ModelEntry {
  return {
    at: '/models/0',
    id: 'local',
    provider: 'openai-compatible',
    model: 'any',
    baseUrl: server.baseUrls.compatible,
    ...change,
  };
}

/** Two requests: one that is answered with a call of `add`, one with a text. */
export function adding(id: string, change: Partial<Case> = {}): Case {
  const prompt = 'plan: add {"a":1,"b":2} | say It is <<calls[0].text>>.';
  return sampleCase(id, { subject: { kind: 'prompt', at: `/cases/${id}/prompt`, prompt }, script: null, ...change });
}

export async function runOn(
  models: readonly ModelEntry[],
  cases: readonly Case[],
  change: Partial<RunInput> = {},
): Promise<Ran> {
  const { onEvent, ...more } = change;
  const workspace = mkdtempSync(join(tmpdir(), 'mcprove-limits-'));
  const suite = sampleSuite(cases, { workspace, file: join(workspace, 'sums.eval.yaml'), models: [...models] });
  const events: RunEvent[] = [];
  const begin = performance.now();
  const result = await runSuite({
    plan: planRun(suite, {}, {}, { env: {}, platform: 'linux' }),
    suite,
    servers: [],
    redactor: new Redactor(),
    env: {},
    signal: new AbortController().signal,
    facts: { toolVersion: '0.1.0', origin: 'cli', note: null, git: null, ci: null },
    createPool: () => memoryPool({ add: ({ a, b }) => Number(a) + Number(b) }),
    random: () => 0,
    ...more,
    onEvent: (event) => {
      events.push(event);
      onEvent?.(event);
    },
  });
  const trials = events.flatMap((event) => (event.type === 'trialEnded' ? [event.trial] : []));
  return { ...result, events, trials, ms: performance.now() - begin };
}

export function waits({ events }: Ran): (string | null)[] {
  return events.flatMap((event) => (event.type === 'waiting' ? [event.text] : []));
}
