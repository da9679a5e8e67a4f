/** However a run ends, nothing of it goes on. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passing, sleeping } from './suites.ts';
import { ended, printed, Workspace } from './workspace.ts';

let workspace: Workspace;

beforeEach(() => {
  workspace = new Workspace({ 'a.eval.yaml': sleeping() });
});

afterEach(() => workspace.remove());

/** A run in the middle of its long trial. */
async function started(args: readonly string[] = []) {
  const child = workspace.start(['run', ...args]);
  const end = ended(child);
  await printed(child, 'quick');
  await expect.poll(() => workspace.servers).toBeGreaterThan(0);
  const since = performance.now();
  return { child, end: async () => ({ ...(await end), tookMs: performance.now() - since }) };
}

describe('a signal', () => {
  test.for([
    { signal: 'SIGINT', code: 130, meaning: 'exit     130: cancelled' },
    { signal: 'SIGTERM', code: 143, meaning: 'exit     143: terminated' },
  ] as const)('$signal ends the run in order, with $code', async ({ signal, code, meaning }) => {
    workspace.write('b.eval.yaml', passing);
    const { child, end } = await started();
    child.kill(signal);
    const result = await end();
    expect(result).toMatchObject({ code, signal: null });
    expect(result.tookMs).toBeLessThan(3000);
    expect(result.err).toContain('Cancelling');
    expect(result.out).toContain('CANCELLED');
    expect(result.out).toMatch(
      /\ncancelled {2}a\.eval\.yaml {2}1 passed, 1 cancelled\n {11}mcprove show \S+\nnot begun {2}b\.eval\.yaml\n/,
    );
    expect(result.out).toContain(meaning);
    expect(workspace.servers).toBe(0);
    const runs = workspace.runs();
    expect(runs).toHaveLength(1);
    expect(runs[0]?.end).toMatchObject({ decision: 'cancelled', totals: { passed: 1, cancelled: 1 } });
    expect(runs[0]?.trials.map(({ verdict }) => verdict).sort()).toEqual(['cancelled', 'passed']);
  });

  test('SIGINT twice in a second is one: npm passes it on a second time', async () => {
    const { child, end } = await started();
    child.kill('SIGINT');
    child.kill('SIGINT');
    const { code, out } = await end();
    expect(code).toBe(130);
    expect(out).toContain('CANCELLED');
  });

  test('SIGINT again leaves at once, and the servers end all the same', async () => {
    workspace.write('a.eval.yaml', sleeping('stubborn'));
    const { child, end } = await started();
    child.kill('SIGINT');
    await wait(1050);
    child.kill('SIGINT');
    const { code } = await end();
    expect(code).toBe(130);
    await workspace.serversGone(2500);
  });

  test.for(['ok', 'stubborn', 'grandchildren'])('kill -9 leaves nothing of a server that is %s', async (mode) => {
    workspace.write('a.eval.yaml', sleeping(mode));
    const { child, end } = await started();
    child.kill('SIGKILL');
    expect((await end()).signal).toBe('SIGKILL');
    await workspace.serversGone(3000);
    const [run] = workspace.runs();
    expect(run?.end).toBeNull();
    expect(run?.trials.map(({ id }) => id)).toEqual(['quick#1']);
    const { code, out } = await workspace.run(['show']);
    expect(code).toBe(0);
    expect(out).toContain('INTERRUPTED');
  });
});
