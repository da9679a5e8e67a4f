import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ServerDefinition } from '../../../src/engine/servers/index.ts';
import { startModelServer } from '../../modelServer/index.ts';
import { memoryPool } from '../../unit/runs/memoryPool.ts';
import { adding, modelOn, runOn } from './runOn.ts';

test('a server gets 32 calls at a time, of all trials together', async () => {
  const server = await startModelServer({ faults: ({ index }) => (index % 2 === 0 ? 'parallel=25' : undefined) });
  let running = 0;
  let most = 0;
  const pool = memoryPool({
    add: async () => {
      most = Math.max(most, ++running);
      await wait(20);
      running -= 1;
      return 3;
    },
  });
  const sums: ServerDefinition = {
    name: 'sums',
    transport: { kind: 'http', url: 'http://127.0.0.1:1/', headers: {} },
    isolation: 'shared',
    origin: { file: 'a', pointer: '' },
    startTimeoutMs: 1000,
    callTimeoutMs: 1000,
  };
  try {
    const { end, trials } = await runOn([modelOn(server)], [adding('a', { trials: 4 })], {
      servers: [sums],
      createPool: () => pool,
      concurrency: 4,
    });
    expect(trials.flatMap(({ transcript }) => transcript.steps[0]?.calls ?? []).length).toBeGreaterThan(40);
    expect(most).toBe(32);
    expect(end.totals.errored).toBe(0);
  } finally {
    await server.close();
  }
});
