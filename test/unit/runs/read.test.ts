import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { McproveError } from '../../../src/engine/errors.ts';
import type { RunEnd, Trial } from '../../../src/engine/record.ts';
import { RunFile } from '../../../src/engine/runs/file.ts';
import { type OpenRun, openRun } from '../../../src/engine/runs/read.ts';
import { Redactor } from '../../../src/engine/runs/redact.ts';
import { sampleEnd, sampleHead, sampleTrial } from './samples.ts';

/** For tests that read hundreds of files, on a machine that is busy with others. */
const patient = { timeout: 30_000 };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcprove-read-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const trials = ['a#1', 'ü#1', 'c#1'].map((id, index) => sampleTrial(id, { durationMs: index }));
let written = 0;

/** A whole run; its file, and the text of each of its lines with the line feed. */
async function run(
  options: { end?: boolean; trials?: Trial[]; cells?: [] } = {},
): Promise<{ file: string; lines: string[]; end: RunEnd }> {
  const file = await RunFile.create(join(folder, `${written++}`), sampleHead(), new Redactor());
  const entries: RunEnd['trials'] = [];
  for (const trial of options.trials ?? trials) {
    const { offset, length } = await file.trial(trial);
    entries.push([trial.id, trial.verdict, offset, length]);
  }
  const end = sampleEnd(entries, options.cells === undefined ? {} : { cells: options.cells });
  if (options.end !== false) await file.end(end);
  await file.close();
  const lines = (await readFile(file.path, 'utf8')).split(/(?<=\n)/);
  return { file: file.path, lines, end };
}

async function read(opened: OpenRun): Promise<Trial[]> {
  const found: Trial[] = [];
  for await (const trial of opened.trials()) found.push(trial);
  return found;
}

async function save(bytes: string | Buffer): Promise<string> {
  const file = join(folder, `${written++}.run.jsonl`);
  await writeFile(file, bytes);
  return file;
}

async function problem(act: Promise<unknown>): Promise<McproveError> {
  const error = await act.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof McproveError) return error;
  throw error;
}

function codes(opened: OpenRun): string[] {
  return opened.notes.map(
    ({ code, severity, range }) => `${severity} ${code} ${range.start.line}:${range.start.column}`,
  );
}

describe('a whole run', () => {
  test('gives back what was written', async () => {
    const { file, end } = await run();
    const opened = await openRun(file);
    expect(opened).toMatchObject({ head: sampleHead(), end, notes: [] });
    expect(opened.entries.map(({ id }) => id)).toEqual(['a#1', 'ü#1', 'c#1']);
    expect(await read(opened)).toEqual(trials);
    expect(await opened.trial('ü#1')).toEqual(trials[1]);
    expect(await opened.trial('d#1')).toBeNull();
  });

  test('is opened by its first and last line', async () => {
    const { lines } = await run();
    const damaged = lines.map((line, index) => (index === 2 ? `${'x'.repeat(Buffer.byteLength(line) - 1)}\n` : line));
    const opened = await openRun(await save(damaged.join('')));
    expect(opened.notes).toEqual([]);
    expect(await opened.trial('c#1')).toEqual(trials[2]);
    expect(await problem(opened.trial('ü#1'))).toMatchObject({ code: 'RUN002', range: { start: { line: 3 } } });
    await expect(read(opened)).rejects.toMatchObject({ code: 'RUN002' });
  });

  test('may lack its last line feed', async () => {
    const { lines, end } = await run();
    const opened = await openRun(await save(lines.join('').slice(0, -1)));
    expect(opened).toMatchObject({ end, notes: [] });
  });

  test('head and end may be longer than a chunk', async () => {
    const note = 'n'.repeat(300_000);
    const file = await RunFile.create(join(folder, `${written++}`), sampleHead({ note }), new Redactor());
    const { offset, length } = await file.trial(sampleTrial('a#1'));
    await file.end(sampleEnd([['a#1', 'passed', offset, length]], { warnings: [note, 'ü'.repeat(600_000)] }));
    await file.close();
    const opened = await openRun(file.path);
    expect(opened.head.note).toBe(note);
    expect(opened.end?.warnings[0]).toBe(note);
    expect(await read(opened)).toHaveLength(1);
  });

  test('keys in another order do not matter', async () => {
    const { lines, end } = await run();
    const sorted = lines.map((line) => JSON.stringify(JSON.parse(line), sortedKeys(JSON.parse(line))));
    const opened = await openRun(await save(`${sorted.join('\n')}\n`));
    expect(opened.end).toEqual(end);
    expect(await read(opened)).toHaveLength(3);
  });
});

function sortedKeys(value: unknown): string[] {
  const keys = new Set<string>();
  JSON.stringify(value, (key, inner) => {
    keys.add(key);
    return inner;
  });
  return [...keys].sort();
}

describe('an interrupted run', () => {
  test('is read through', async () => {
    const { file } = await run({ end: false });
    const opened = await openRun(file);
    expect(opened).toMatchObject({ end: null, notes: [] });
    expect(await read(opened)).toEqual(trials);
    expect(await opened.trial('c#1')).toEqual(trials[2]);
  });

  test('that has only begun has no trials', async () => {
    const { lines } = await run();
    const opened = await openRun(await save(lines[0] ?? ''));
    expect(opened).toMatchObject({ end: null, notes: [], entries: [] });
  });

  test('torn at any byte of its last three records keeps every whole record', patient, async () => {
    const transcript: Trial['transcript'] = {
      offered: [],
      toolListChanged: false,
      steps: [],
      end: { kind: 'completed' },
    };
    const small = trials.map((trial) => ({ ...trial, transcript, checks: [], chain: [] }));
    const { lines } = await run({ trials: small, cells: [] });
    const bytes = Buffer.from(lines.join(''));
    const ends: number[] = [];
    let size = 0;
    for (const line of lines) {
      size += Buffer.byteLength(line);
      ends.push(size);
    }
    const file = join(folder, 'torn.run.jsonl');
    for (let length = ends[1] ?? 0; length < bytes.length; length++) {
      await writeFile(file, bytes.subarray(0, length));
      const opened = await openRun(file);
      const last = ends.filter((end) => end <= length);
      // A record that lacks but its line feed is whole.
      const isWhole = last.at(-1) === length || ends.includes(length + 1);
      const whole = ends.includes(length + 1) ? last.length + 1 : last.length;
      expect([length, opened.entries.length]).toEqual([length, Math.min(whole - 1, 3)]);
      expect(opened.end === null).toBe(whole < 5);
      expect(codes(opened)).toEqual(isWhole ? [] : [`warning RUN001 ${whole + 1}:1`]);
      if (length % 50 === 0) expect(await read(opened)).toEqual(small.slice(0, whole - 1));
    }
  });

  test('that goes on is read as it was when opened', async () => {
    const { file } = await run({ end: false });
    const opened = await openRun(file);
    await appendFile(file, '{"kind":"tri');
    expect(await read(opened)).toEqual(trials);
    expect(codes(await openRun(file))).toEqual(['warning RUN001 5:1']);
  });

  test('damaged in the middle loses that record alone', async () => {
    const { lines } = await run({ end: false });
    const [head = '', first = '', second = '', third = ''] = lines;
    const opened = await openRun(
      await save([head, first.replace('"verdict":"passed"', '"verdict":"great"'), second, '{}\n', third].join('')),
    );
    expect(codes(opened)).toEqual(['warning RUN002 2:1', 'warning RUN002 4:1']);
    expect(opened.notes[0]?.message).toMatch(/at \/verdict/);
    expect(await read(opened)).toEqual(trials.slice(1));
  });
});

describe('what is not a run of ours', () => {
  test.each<[string, string | Buffer, string]>([
    ['an empty file', '', 'RUN004'],
    ['a text', 'hello\n', 'RUN004'],
    ['other JSON', '{"a":1}\n', 'RUN004'],
    ['a list', '[]\n', 'RUN004'],
    ['a trial first', `${JSON.stringify(sampleTrial('a#1'))}\n`, 'RUN004'],
    ['a torn head', JSON.stringify(sampleHead()).slice(0, -5), 'RUN004'],
    ['noise', Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256)), 'RUN004'],
    ['a newer format', `${JSON.stringify({ ...sampleHead(), format: 2 })}\n`, 'RUN003'],
    ['a damaged head', `${JSON.stringify({ ...sampleHead(), models: 'x' })}\n`, 'RUN002'],
    [
      'a head nested too deeply',
      `{"kind":"run","format":1,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`,
      'RUN004',
    ],
  ])('%s', async (_, bytes, code) => {
    const file = await save(bytes);
    const error = await problem(openRun(file));
    expect(error.code).toBe(code);
    expect(error.hint).toBeTruthy();
    expect(error.range).toMatchObject({ file, start: { line: 1, column: 1 } });
  });

  test('no file, and a folder', async () => {
    expect(await problem(openRun(join(folder, 'none.run.jsonl')))).toMatchObject({ code: 'RUN008' });
    await mkdir(join(folder, 'dir.run.jsonl'));
    expect(await problem(openRun(join(folder, 'dir.run.jsonl')))).toMatchObject({ code: 'RUN004' });
  });

  test('a pipe, which would never answer', async () => {
    const pipe = join(folder, 'pipe.run.jsonl');
    execFileSync('mkfifo', [pipe]);
    expect(await problem(openRun(pipe))).toMatchObject({ code: 'RUN004', range: { file: pipe } });
  });

  test('a head without its line feed is a run that holds nothing yet', async () => {
    const opened = await openRun(await save(JSON.stringify(sampleHead())));
    expect(opened).toMatchObject({ end: null, entries: [], notes: [] });
    expect(await read(opened)).toEqual([]);
  });

  test('a run that is gone when its trials are read', async () => {
    const { file } = await run();
    const opened = await openRun(file);
    await rm(file);
    expect(await problem(read(opened))).toMatchObject({ code: 'RUN008' });
    expect(await problem(opened.trial('a#1'))).toMatchObject({ code: 'RUN008' });
  });

  test('a record nested too deeply is left out', async () => {
    const { lines } = await run({ end: false });
    const deep = `{"kind":"trial","x":${'['.repeat(2000)}${']'.repeat(2000)}}\n`;
    const opened = await openRun(await save(lines.join('') + deep));
    expect(codes(opened)).toEqual(['warning RUN002 5:1']);
    expect(opened.notes[0]?.message).toMatch(/nested deeper than 1000/);
  });
});

describe('an end record that does not fit its file', () => {
  const places: [string, (end: RunEnd) => RunEnd['trials']][] = [
    [
      'beyond the end',
      (end) => end.trials.map(([id, verdict, offset, length]) => [id, verdict, offset + 100_000, length]),
    ],
    ['in the head', (end) => end.trials.map(([id, verdict, , length]) => [id, verdict, 0, length])],
    ['on top of each other', (end) => end.trials.map(([id, verdict]) => [id, verdict, end.trials[0]?.[2] ?? 0, 10])],
    ['of no length', (end) => end.trials.map(([id, verdict, offset]) => [id, verdict, offset, 0])],
    ['between bytes', (end) => end.trials.map(([id, verdict, offset, length]) => [id, verdict, offset + 0.5, length])],
    ['of a negative length', (end) => end.trials.map(([id, verdict, offset]) => [id, verdict, offset, -1])],
  ];
  test.each(places)('places %s: the trials are looked up', async (_, change) => {
    const { lines, end } = await run();
    const changed = `${JSON.stringify({ ...end, trials: change(end) })}\n`;
    const opened = await openRun(await save([...lines.slice(0, 4), changed].join('')));
    expect(codes(opened)).toEqual(['warning RUN005 5:1']);
    expect(opened.end?.decision).toBe('passed');
    expect(await read(opened)).toEqual(trials);
  });

  test('an id at another trial’s place is an error when it is read', async () => {
    const { lines, end } = await run();
    const [first, second, ...rest] = end.trials;
    if (first === undefined || second === undefined) throw new Error('two trials are needed');
    const swapped = [['ü#1', first[1], first[2], first[3]], ['a#1', second[1], second[2], second[3]], ...rest];
    const opened = await openRun(
      await save([...lines.slice(0, 4), `${JSON.stringify({ ...end, trials: swapped })}\n`].join('')),
    );
    expect(await problem(opened.trial('a#1'))).toMatchObject({ code: 'RUN005', range: { start: { line: 3 } } });
  });
});

test('whatever bytes change, reading gives records or a located error', patient, async () => {
  const { lines } = await run();
  const bytes = Buffer.from(lines.join(''));
  const file = join(folder, 'fuzz.run.jsonl');
  const change = fc.record({
    at: fc.nat(bytes.length - 1),
    remove: fc.nat(40),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.constantFrom('"', '\n', '{', '[', '\\', '9', 'null').map((text) => Buffer.from(text)),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      let changed: Buffer = bytes;
      for (const { at, remove, insert } of changes) {
        changed = Buffer.concat([changed.subarray(0, at), insert, changed.subarray(at + remove)]);
      }
      await writeFile(file, changed);
      try {
        const opened = await openRun(file);
        for (const { id } of opened.entries) await opened.trial(id);
      } catch (error) {
        expect(error).toBeInstanceOf(McproveError);
        expect((error as McproveError).range?.file ?? file).toBe(file);
      }
    }),
    { numRuns: 200 },
  );
});
