/**
 * A process that writes runs, for the tests to kill or to starve: `writer.ts file <folder> [count]` writes trials and says
 * the id of each on stdout once it is on disk; `writer.ts suite <workspace> <trials>` carries out a whole run and says what
 * became of it.
 */
import { join } from 'node:path';
import type { RunEnd, RunEvent } from '../../../src/engine/record.ts';
import { RunFile } from '../../../src/engine/runs/file.ts';
import { Redactor } from '../../../src/engine/runs/redact.ts';
import { newRunId } from '../../../src/engine/runs/runId.ts';
import { sampleCall, sampleCase, sampleEnd, sampleHead, sampleSuite, sampleTrial } from '../../unit/runs/samples.ts';

const [, , mode, folder = '', count = 'Infinity'] = process.argv;
const say = (value: unknown): boolean => process.stdout.write(`${JSON.stringify(value)}\n`);
if (mode === 'suite') await suite();
else await file();

async function file(): Promise<void> {
  const written = await RunFile.create(folder, sampleHead({ id: newRunId(new Date()) }), new Redactor());
  say({ file: written.path });
  const entries: RunEnd['trials'] = [];
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < Number(count)) {
      const text = 'x'.repeat((next * 997) % 9000);
      const trial = sampleTrial(`t${next++}#1`, {}, [sampleCall({ arguments: { text } })]);
      const { offset, length } = await written.trial(trial);
      entries.push([trial.id, trial.verdict, offset, length]);
      say({ id: trial.id });
    }
  };
  try {
    await Promise.all([write(), write(), write()]);
    await written.end(sampleEnd(entries));
    say({ ended: true });
  } catch (error) {
    const { code, message, hint } = error as { code?: string; message?: string; hint?: string };
    say({ error: { code, message, hint } });
    await written.close();
  }
}

async function suite(): Promise<void> {
  // Loaded here alone: the other mode is started dozens of times.
  const { planRun } = await import('../../../src/engine/runs/plan.ts');
  const { runSuite } = await import('../../../src/engine/runs/run.ts');
  const { memoryPool } = await import('../../unit/runs/memoryPool.ts');
  const at = join(folder, 'sums.eval.yaml');
  const cases = [sampleCase('a', { trials: 100 }), sampleCase('b', { trials: Number(count) - 100 })];
  const planned = sampleSuite(cases, { workspace: folder, file: at });
  const events: RunEvent[] = [];
  const result = await runSuite({
    plan: planRun(planned, {}, {}, { env: {}, platform: 'linux' }),
    suite: planned,
    servers: [],
    redactor: new Redactor(),
    env: {},
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    facts: { toolVersion: '0.1.0', origin: 'cli', note: null, git: null, ci: null },
    createPool: () => memoryPool({ add: () => 'x'.repeat(1000) }),
  });
  const notices = events.filter((event) => event.type === 'notice');
  const ended = events.flatMap((event) => (event.type === 'trialEnded' ? [event.trial] : []));
  const verdicts = ended.map(({ id, verdict, reason }) => [id, verdict, reason?.stage]);
  say({
    file: result.file,
    decision: result.end.decision,
    reasons: result.end.reasons,
    totals: result.end.totals,
    notices,
    verdicts,
  });
}
