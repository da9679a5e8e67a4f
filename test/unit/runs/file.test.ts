import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json, Trial } from '../../../src/engine/record.ts';
import { RunFile, runsFolderOf, suiteSlug } from '../../../src/engine/runs/file.ts';
import { REDACTED, Redactor } from '../../../src/engine/runs/redact.ts';
import { sampleCall, sampleCheck, sampleEnd, sampleHead, sampleTrial } from './samples.ts';

let workspace = '';
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'mcprove-file-'));
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

async function create(redactor = new Redactor(), path?: string): Promise<RunFile> {
  const head = sampleHead(path === undefined ? {} : { suite: { path, name: 'x', hash: '', snapshot: null } });
  return RunFile.create(runsFolderOf(workspace), head, redactor);
}

async function linesOf(file: RunFile): Promise<string[]> {
  const text = await readFile(file.path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}

describe('a new run file', () => {
  test('lies under .mcprove/runs, with a name that says when, what and which', async () => {
    const file = await create();
    await file.close();
    const name = '2025-03-04T05-06-07Z-weather-01JDZ0000000000000000000AB.run.jsonl';
    expect(file.path).toBe(join(workspace, '.mcprove', 'runs', name));
    expect(await linesOf(file)).toEqual([JSON.stringify(sampleHead())]);
    expect(await readFile(join(workspace, '.mcprove', '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('is for its owner alone, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const file = await create();
      await file.close();
      const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
      expect(await mode(join(workspace, '.mcprove'))).toBe('700');
      expect(await mode(join(workspace, '.mcprove', 'runs'))).toBe('700');
      expect(await mode(file.path)).toBe('600');
    } finally {
      process.umask(before);
    }
  });

  test.each([
    ['evals/weather.eval.yaml', 'weather'],
    ['a.b_c-1.eval.yml', 'a.b_c-1'],
    ['two words & more.eval.yaml', 'two-words-more'],
    ['../../etc/passwd', 'passwd'],
    ['...eval.yaml', 'suite'],
    ['天气.eval.yaml', 'suite'],
    ['wetter-天气.eval.yaml', 'wetter'],
    [`${'x'.repeat(300)}.eval.yaml`, 'x'.repeat(60)],
    ['a\u0000b\nc.eval.yaml', 'a-b-c'],
  ])('%j goes into the name as %s', (path, slug) => {
    expect(suiteSlug(path)).toBe(slug);
  });

  test('leaves a .gitignore that is there alone, and an older run too', async () => {
    const first = await create();
    await first.close();
    await writeFile(join(workspace, '.mcprove', '.gitignore'), 'mine\n');
    await expect(create()).rejects.toMatchObject({ code: 'RUN006' });
    expect(await readFile(join(workspace, '.mcprove', '.gitignore'), 'utf8')).toBe('mine\n');
    expect(await linesOf(first)).toHaveLength(1);
  });

  test('that cannot be made is an error with the reason and a remedy', async () => {
    await writeFile(join(workspace, '.mcprove'), 'in the way');
    await expect(create()).rejects.toMatchObject({
      code: 'RUN006',
      message: expect.stringMatching(/cannot make the run file .*: a part of the path is a file/),
      hint: expect.stringMatching(/Move away/),
    });
  });
});

describe('records', () => {
  test('get the offset and length at which they stand, also when many are written at once', async () => {
    const file = await create();
    const trials = Array.from({ length: 200 }, (_, index) => sampleTrial(`ü${index}#1`, { durationMs: index }));
    const written = await Promise.all(trials.map((trial) => file.trial(trial)));
    await file.end(sampleEnd([]));
    await file.close();
    const bytes = await readFile(file.path);
    for (const [index, { offset, length, record }] of written.entries()) {
      expect(JSON.parse(bytes.subarray(offset, offset + length).toString())).toEqual(trials[index]);
      expect(record).toBe(trials[index]);
      expect(bytes[offset + length]).toBe(10);
    }
    expect(await linesOf(file)).toHaveLength(202);
  });

  test('are redacted in what is written and in what is given back', async () => {
    const redactor = new Redactor();
    redactor.add('longsecret');
    const file = await create(redactor);
    const { record } = await file.trial(sampleTrial('a#1', {}, [sampleCall({ arguments: { key: 'longsecret' } })]));
    const end = await file.end(sampleEnd([], { warnings: ['longsecret'] }));
    await file.close();
    expect(record.transcript.steps[0]?.calls[0]?.arguments).toEqual({ key: REDACTED });
    expect(end.record.warnings).toEqual([REDACTED]);
    expect(await readFile(file.path, 'utf8')).not.toContain('longsecret');
  });

  test('take no more once the file is closed', async () => {
    const file = await create();
    await file.close();
    await expect(file.trial(sampleTrial('a#1'))).rejects.toMatchObject({ code: 'RUN007' });
  });
});

describe('what is too large', { timeout: 30_000 }, () => {
  const mebibyte = 1024 * 1024;

  async function write(trial: Trial, redactor = new Redactor()): Promise<Trial> {
    const file = await create(redactor);
    const { offset, length, record } = await file.trial(trial);
    await file.close();
    const bytes = await readFile(file.path);
    expect(JSON.parse(bytes.subarray(offset, offset + length).toString())).toEqual(JSON.parse(JSON.stringify(record)));
    return record;
  }

  function withContent(...content: Json[]): Trial {
    const result = { content, structured: { big: true }, isError: false, bytes: 3 * mebibyte, cut: false };
    return sampleTrial('a#1', {}, [sampleCall({ result }), sampleCall({ id: 'c2' })]);
  }

  test('a result over 1 MiB keeps its size, its hash and its beginning', async () => {
    const trial = withContent(
      { type: 'image', data: 'x'.repeat(mebibyte), mimeType: 'image/png' },
      { type: 'text', text: 'y'.repeat(2 * mebibyte) },
      { type: 'text', text: 'after' },
    );
    const [large, small] = (await write(trial)).transcript.steps[0]?.calls ?? [];
    expect(large?.result).toMatchObject({ bytes: 3 * mebibyte, cut: true, isError: false });
    expect(large?.result?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(large?.result).not.toHaveProperty('structured');
    expect(large?.result?.content[0]).toEqual({ type: 'image', mimeType: 'image/png' });
    expect(JSON.stringify(large?.result?.content).length).toBeLessThan(70_000);
    expect(JSON.stringify(large?.result?.content[1])).toMatch(/^\{"type":"text","text":"y{60000}/);
    expect(small).toEqual(sampleCall({ id: 'c2' }));
  });

  test('a result of just 1 MiB stays whole', async () => {
    const text = 'y'.repeat(mebibyte - 100);
    const [large] = (await write(withContent({ type: 'text', text }))).transcript.steps[0]?.calls ?? [];
    expect(large?.result).toMatchObject({ cut: false, content: [{ type: 'text', text }] });
  });

  test('many large results are cut from 32 MiB on', async () => {
    const result = {
      content: [{ type: 'text', text: 'y'.repeat(mebibyte - 100) }],
      isError: false,
      bytes: 1,
      cut: false,
    };
    const calls = Array.from({ length: 40 }, (_, index) => sampleCall({ id: `c${index}`, result }));
    const written = (await write(sampleTrial('a#1', {}, calls))).transcript.steps[0]?.calls ?? [];
    expect(written.filter((call) => call.result?.cut)).toHaveLength(8);
  });

  test('copies in checks are cut too', async () => {
    const actual = 'z'.repeat(2 * mebibyte);
    const differences = [{ path: '', expected: 'a', actual, matcher: 'equals' }];
    const trial = sampleTrial('a#1', {
      checks: [
        sampleCheck({
          actual,
          diff: [
            { kind: 'missing', at: '', tool: 't', expected: {}, refused: { call: 'c1', text: 'differs', differences } },
          ],
        }),
      ],
    });
    const written = await write(trial);
    expect(JSON.stringify(written).length).toBeLessThan(200_000);
    expect(written.checks[0]?.actual).toMatch(/^"z+… \(cut\)$/);
  });

  test('a secret at the cut is redacted before', async () => {
    const redactor = new Redactor();
    redactor.add('longsecret');
    for (let shift = 0; shift < 12; shift++) {
      await rm(join(workspace, '.mcprove'), { recursive: true, force: true });
      const text = `${'y'.repeat(64 * 1024 - shift)}longsecret${'y'.repeat(mebibyte)}`;
      expect(JSON.stringify(await write(withContent({ type: 'text', text }), redactor))).not.toContain('longsec');
    }
  });

  test.each([1200, 200_000])('values nested %i deep become a note', async (depth) => {
    let deep: Json = 'core';
    for (let level = 0; level < depth; level++) deep = { in: deep };
    const written = JSON.stringify(await write(sampleTrial('a#1', {}, [sampleCall({ arguments: deep })])));
    expect(written).toContain('(nested too deeply to be kept)');
    expect(written).not.toContain('core');
  });

  test('a record over 64 MiB is refused, and the next one goes through', async () => {
    const file = await create();
    const reply = 'x'.repeat(65 * mebibyte);
    const huge = sampleTrial('a#1', { reason: { stage: 'model', cause: 'provider', text: reply } });
    await expect(file.trial(huge)).rejects.toMatchObject({ code: 'RUN009' });
    await file.trial(sampleTrial('a#2'));
    await file.close();
    expect(await linesOf(file)).toHaveLength(2);
  });
});

test('two runs that begin in the same second do not meet', async () => {
  const head = (id: string) => sampleHead({ id });
  const folder = runsFolderOf(workspace);
  const files = await Promise.all(['A', 'B'].map((id) => RunFile.create(folder, head(id), new Redactor())));
  await Promise.all(
    files.flatMap((file, number) =>
      Array.from({ length: 50 }, (_, index) => file.trial(sampleTrial(`run${number}-${index}#1`))),
    ),
  );
  await Promise.all(files.map((file) => file.close()));
  expect(await readdir(folder)).toHaveLength(2);
  for (const [number, file] of files.entries()) {
    const lines = await linesOf(file);
    expect(lines).toHaveLength(51);
    for (const line of lines.slice(1)) expect(JSON.parse(line).id).toMatch(new RegExp(`^run${number}-`));
  }
});
