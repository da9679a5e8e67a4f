import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatProblem } from '../../../src/engine/errors.ts';
import { readSuiteFile } from '../../../src/engine/suite/index.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcprove-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

async function readBytes(bytes: Uint8Array | string) {
  const file = join(folder, 'a.eval.yaml');
  writeFileSync(file, bytes);
  const result = await readSuiteFile(file, folder);
  return result.kind === 'broken' ? result.problems.map((problem) => formatProblem(problem, 'a')) : result;
}

const suite = 'mcprove: 1\ncases: [{ prompt: a, calls: none }]\n';

test('a suite, with a byte order mark too', async () => {
  expect(await readBytes(suite)).toMatchObject({ kind: 'suite' });
  expect(await readBytes(`\uFEFF${suite}`)).toMatchObject({ kind: 'suite', problems: [] });
});

test.each([
  ['alone', [0xff], 'a:3:7 error YAML012 invalid UTF-8 byte 0xff. Save the file as UTF-8.'],
  ['half a character', [0xe2, 0x82], 'a:3:7 error YAML012 invalid UTF-8 byte 0xe2. Save the file as UTF-8.'],
  [
    'behind real replacement characters',
    [...Buffer.from('\uFFFD\uFFFDé'), 0xc3],
    'a:3:10 error YAML012 invalid UTF-8 byte 0xc3. Save the file as UTF-8.',
  ],
])('a byte that is no UTF-8: %s', async (_, bytes, problem) => {
  expect(
    await readBytes(Buffer.concat([Buffer.from(`${suite}x-a: "`), Buffer.from(bytes), Buffer.from('"\n')])),
  ).toEqual([problem]);
});

test('UTF-16 is not ours, as nobody can say', async () => {
  expect(await readBytes(Buffer.from(suite, 'utf16le'))).toMatchObject({ kind: 'foreign' });
});

test('a file over 5 MiB', async () => {
  expect(await readBytes(`${suite}${'#'.repeat(6 * 1024 * 1024)}\n`)).toEqual([
    'a:1:1 error YAML011 file is 6.0 MiB; the limit is 5 MiB. Split the suite.',
  ]);
});

test.each([
  ['no such file', () => join(folder, 'none.eval.yaml'), /there is no such file/],
  ['a folder', () => folder, /it is not a file/],
])('%s', async (_, path, message) => {
  await expect(readSuiteFile(path(), folder)).rejects.toMatchObject({
    code: 'SUITE026',
    message: expect.stringMatching(message),
  });
});
