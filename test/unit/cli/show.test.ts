import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import type { RunEvent } from '../../../src/engine/index.ts';
import { allPassed, brokenServer, travel, wrongCity } from '../../fixtures/events/scenarios.ts';
import { fakeContext } from './fakeContext.ts';
import { writeRun } from './writeRun.ts';

let workspace = '';

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'mcprove-show-'));
});

afterEach(() => rmSync(workspace, { recursive: true }));

async function show(args: string[], columns = 0) {
  const { context, out, err } = fakeContext(workspace, { columns });
  const code = await runProgram(['show', ...args], context);
  return { code, out: out.shown(), err: err.shown() };
}

/** The same run under another id, started at another time. */
function renamed(events: readonly RunEvent[], id: string, startedAt: string): RunEvent[] {
  return events.map((event) => ('head' in event ? { ...event, head: { ...event.head, id, startedAt } } : event));
}

describe('a run', () => {
  it.each([
    ['travel at 80 columns', travel, 80],
    ['brokenServer at 60 columns', brokenServer, 60],
    ['allPassed in a log', allPassed, 0],
  ])('%s', async (name, scenario, columns) => {
    writeRun(workspace, scenario.events);
    const { code, out, err } = await show([], columns);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    await expect(`${out}\n`).toMatchFileSnapshot(`golden/show ${name}.txt`);
  });

  it('without an end says so, and with a torn line too', async () => {
    const file = writeRun(workspace, brokenServer.events, { ended: false });
    appendFileSync(file, '{"kind":"trial","id":"case-9#1"');
    const { code, out, err } = await show([]);
    expect(code).toBe(0);
    expect(out).toContain('INTERRUPTED');
    expect(out).toContain('7 of 7 trials');
    expect(err).toContain(`${relative(workspace, file)}:9:1 warning RUN001`);
  });

  it('is found by path, id, the beginning of its id, and as the last one', async () => {
    const first = writeRun(workspace, renamed(allPassed.events, '01AAA', '2026-03-01T10:00:00.000Z'));
    writeRun(workspace, renamed(wrongCity.events, '01ABB', '2026-03-02T10:00:00.000Z'));
    for (const name of ['01AAA', '01aa', relative(workspace, first), first]) {
      expect((await show([name])).out).toContain('fine.eval.yaml');
    }
    for (const args of [['01AB'], ['last'], []]) expect((await show(args)).out).toContain('evals/weather.eval.yaml');
  });

  it.each([
    [
      'an unknown run',
      ['01ZZ'],
      'error SHOW001 there is no run "01ZZ". The newest ones: 01ABB (evals/weather.eval.yaml), 01AAA',
    ],
    ['an id that begins two', ['01A'], 'error SHOW002 2 runs begin with "01A": 01ABB, 01AAA. Give more of the id.'],
    [
      'a trial where the run belongs',
      ['case-1#1'],
      'SHOW001 there is no run "case-1#1". It looks like a trial: `mcprove show last case-1#1`',
    ],
    [
      'an unknown trial',
      ['01AAA', 'case-11'],
      'error SHOW003 run 01AAA has no trial "case-11". Did you mean "case-1#1"?',
    ],
    ['too many words', ['a', 'b', 'c'], 'error too many arguments'],
  ])('%s is refused', async (_, args, message) => {
    writeRun(workspace, renamed(allPassed.events, '01AAA', '2026-03-01T10:00:00.000Z'));
    writeRun(workspace, renamed(wrongCity.events, '01ABB', '2026-03-02T10:00:00.000Z'));
    const { code, out, err } = await show(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });

  it('is listed with all others, newest first', async () => {
    writeRun(workspace, renamed(allPassed.events, '01AAA', '2026-03-01T10:00:00.000Z'));
    writeRun(workspace, renamed(wrongCity.events, '01ABB', '2026-03-02T10:00:00.000Z'));
    writeRun(workspace, renamed(wrongCity.events, '01ABC', '2026-03-02T11:00:00.000Z'), { ended: false });
    const { code, out } = await show(['--list']);
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n')).toEqual([
      '01ABC  2026-03-02 11:00  interrupted  evals/weather.eval.yaml  shorter descriptions',
      '01ABB  2026-03-02 10:00  failed       evals/weather.eval.yaml  1 passed, 1 failed · shorter descriptions',
      expect.stringMatching(/^01AAA {2}2026-03-01 10:00 {2}passed {7}fine\.eval\.yaml +\d+ passed$/),
    ]);
    writeRun(workspace, renamed(wrongCity.events, '01KXYZ7F3A4B5C6D', '2026-03-02T09:00:00.000Z'));
    for (const columns of [60, 80, 120]) {
      for (const line of (await show(['--list'], columns)).out.split('\n'))
        expect(line.length).toBeLessThanOrEqual(columns);
    }
    expect((await show(['last'], 0)).out).toContain('INTERRUPTED');
  });

  it('is missed where there is none yet', async () => {
    expect(await show([])).toMatchObject({ code: 2, err: expect.stringContaining('SHOW001 there is no run here yet') });
  });
});

describe('a trial', () => {
  it.each([
    ['wrongCity', wrongCity, 'will-it-rain-in-berlin-tomorrow#1', 80],
    ['travel', travel, '東京の天気', 60],
    ['brokenServer', brokenServer, 'case-3', 80],
  ])('of %s', async (name, scenario, trial, columns) => {
    writeRun(workspace, scenario.events);
    const { code, out, err } = await show(['last', trial], columns);
    expect(code).toBe(0);
    expect(err).toContain('cannot be read any more; places are pointers');
    await expect(`${out}\n`).toMatchFileSnapshot(`golden/show trial of ${name} at ${columns} columns.txt`);
  });
});
