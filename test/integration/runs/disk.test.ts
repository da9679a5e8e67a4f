import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type OpenRun, openRun } from '../../../src/engine/runs/read.ts';

const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'mcprove-disk-'));
afterAll(() => rmSync(root, { recursive: true }));

interface Said {
  file?: string;
  id?: string;
  ended?: boolean;
  error?: { code: string; message: string; hint: string };
  decision?: string;
  reasons?: string[];
  totals?: Record<string, number>;
  notices?: { level: string; text: string }[];
  verdicts?: [id: string, verdict: string, stage?: string][];
}

/** What a writer said before it ended, or was killed by `watch`. */
function write(
  args: string[],
  options: { limitKiB?: number; watch?(said: number, kill: () => void): void } = {},
): Promise<Said[]> {
  const { limitKiB, watch } = options;
  const command = `${limitKiB === undefined ? '' : `ulimit -f ${limitKiB}; `}exec "$@"`;
  const child = spawn('bash', ['-c', command, 'bash', process.execPath, writer, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      watch?.(text.split('\n').length - 1, () => child.kill('SIGKILL'));
    });
    child.on('close', () => {
      resolve(
        text
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      );
    });
  });
}

function acknowledged(said: readonly Said[]): string[] {
  return said.flatMap(({ id }) => (id === undefined ? [] : [id]));
}

async function opened(said: readonly Said[]): Promise<OpenRun> {
  return openRun(said[0]?.file ?? '');
}

async function expectAll(run: OpenRun, ids: readonly string[]): Promise<void> {
  const found = new Set(run.entries.map(({ id }) => id));
  expect(ids.filter((id) => !found.has(id))).toEqual([]);
  let read = 0;
  for await (const trial of run.trials()) {
    expect(found.has(trial.id)).toBe(true);
    read++;
  }
  expect(read).toBe(found.size);
}

describe('a writer that is killed', () => {
  const points = Array.from({ length: 24 }, (_, point) => ({
    point,
    after: 1 + ((point * 37) % 120),
    delayMs: (point * 7) % 5,
  }));

  test('at any moment loses nothing that it said was written', async () => {
    const left = [...points];
    const kills = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const { point, after, delayMs } = next;
        const said = await write(['file', join(root, `kill-${point}`)], {
          watch: (count, kill) => void (count >= after && setTimeout(kill, delayMs)),
        });
        const ids = acknowledged(said);
        expect(ids.length).toBeGreaterThanOrEqual(after - 1);
        const run = await opened(said);
        expect(run.end).toBeNull();
        expect(run.notes.every(({ code }) => code === 'RUN001')).toBe(true);
        await expectAll(run, ids);
      }
    };
    await Promise.all([kills(), kills()]);
  });
});

describe('a disk that takes no more', () => {
  test('leaves a file that ends behind its last whole record, and says why', async () => {
    const said = await write(['file', join(root, 'limit')], { limitKiB: 64 });
    const ids = acknowledged(said);
    expect(ids.length).toBeGreaterThan(3);
    expect(said.at(-1)?.error).toMatchObject({
      code: 'RUN007',
      message: expect.stringMatching(/^cannot write on .*: the file would grow beyond the size allowed$/),
      hint: expect.stringContaining('ulimit -f'),
    });
    const run = await opened(said);
    expect(run.notes).toEqual([]);
    await expectAll(run, ids);
  });

  test('stops a run: nothing more is started, nothing counts that is not on the disk', async () => {
    const workspace = join(root, 'suite');
    const [said] = await write(['suite', workspace, '1000'], { limitKiB: 200 });
    expect(said).toMatchObject({
      decision: 'inconclusive',
      reasons: expect.arrayContaining([expect.stringMatching(/^The run file is not whole: cannot write on/)]),
    });
    expect(said?.notices).toHaveLength(1);
    expect(said?.notices?.[0]).toMatchObject({
      level: 'error',
      text: expect.stringMatching(/^The run stops, and what was written before is kept: cannot write on/),
    });
    const { passed = 0, errored = 0, pending = 0 } = said?.totals ?? {};
    expect(passed).toBeGreaterThan(20);
    expect(errored).toBeGreaterThan(0);
    expect(pending).toBeGreaterThan(500);
    const run = await opened([said ?? {}]);
    expect(run.end).toBeNull();
    expect(run.notes).toEqual([]);
    expect(run.entries).toHaveLength(passed);
    for (const [id, verdict, stage] of said?.verdicts ?? []) {
      expect([verdict, stage ?? '']).toEqual(
        run.entries.some((entry) => entry.id === id) ? ['passed', ''] : ['errored', 'storage'],
      );
    }
  });

  test.skipIf(!canMount())('says so when it is full', async () => {
    const folder = mkdtempSync(join(root, 'full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'mcprove-test', folder]);
    try {
      const said = await write(['file', join(folder, 'runs')]);
      expect(said.at(-1)?.error?.message).toMatch(/no space is left on the disk$/);
      const run = await opened(said);
      expect(run.notes).toEqual([]);
      await expectAll(run, acknowledged(said));
      // The folder cannot even be made once nothing is left.
      const more = await write(['file', join(folder, 'more')]);
      expect(more.at(-1)?.error ?? more.at(-1)).toBeDefined();
    } finally {
      execFileSync('umount', [folder]);
    }
  });
});

function canMount(): boolean {
  const folder = mkdtempSync(join(root, 'mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'mcprove-test', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  }
}

test('two processes write runs of one workspace at once', async () => {
  const folder = join(root, 'two');
  const both = await Promise.all([write(['file', folder, '100']), write(['file', folder, '100'])]);
  expect((await readdir(folder)).filter((name) => name.endsWith('.run.jsonl'))).toHaveLength(2);
  for (const said of both) {
    expect(said.at(-1)).toEqual({ ended: true });
    const run = await opened(said);
    expect(run.end?.totals.passed).toBe(100);
    expect(run.entries).toHaveLength(100);
    await expectAll(run, acknowledged(said));
  }
});
