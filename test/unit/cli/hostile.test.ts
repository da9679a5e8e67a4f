/** Whatever servers, models and files say, the terminal gets text. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ListReporter } from '../../../src/cli/list/listReporter.ts';
import { runProgram } from '../../../src/cli/program.ts';
import { noPlaces } from '../../../src/cli/text/places.ts';
import type { RunEvent } from '../../../src/engine/index.ts';
import { brokenServer, travel, wrongCity } from '../../fixtures/events/scenarios.ts';
import { fakeContext } from './fakeContext.ts';
import { fakeOutput } from './fakeStream.ts';
import { writeRun } from './writeRun.ts';

const PAYLOAD = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\u2066\u200b\r\b\u0000\u{e0041}';
/** Control and format characters, but the line feed, and the joiners and selectors of the fixtures' own emoji. */
const ACTING = /(?!\n|\u200d|\ufe0f)[\p{Cc}\p{Cf}]/u;

/** The codes of the live status. */
const OURS = new RegExp(`${String.fromCharCode(27)}\\[(?:K|J|\\d+A\\r)`, 'g');

/** Where something would act: as code points, with what stands before. */
function acting(text: string): string[] {
  const found = [...text.matchAll(new RegExp(ACTING, 'gu'))];
  return found.map(
    ({ 0: character, index }) =>
      `${JSON.stringify(text.slice(index - 60, index))} U+${character.codePointAt(0)?.toString(16)}`,
  );
}

/** Keys whose values are words of the record's own. */
const OWN = new Set(
  [
    'type',
    'kind',
    'verdict',
    'outcome',
    'role',
    'state',
    'cause',
    'phase',
    'by',
    'decision',
    'origin',
    'level',
    'at',
    'path',
  ].concat('startedAt', 'file'),
);
const STAGES = new Set([
  'sessionConnected',
  'toolsDiscovered',
  'toolSelected',
  'toolCalled',
  'responseReturned',
  'requestSatisfied',
]);

/** Every text with the payload behind it; equal texts stay equal. */
function hostile<T>(value: T, key = ''): T {
  if (typeof value === 'string') return (OWN.has(key) || STAGES.has(value) ? value : `${value}${PAYLOAD}`) as T;
  if (Array.isArray(value)) return value.map((element) => hostile(element)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hostile(member, name)])) as T;
}

const RUNS: Record<string, RunEvent[]> = {
  wrongCity: hostile(wrongCity.events),
  travel: hostile(travel.events),
  brokenServer: hostile(brokenServer.events),
};

it.each(Object.entries(RUNS))('while %s runs', (_, events) => {
  for (const columns of [0, 60, 200]) {
    const { stream, output } = fakeOutput(columns);
    const err = fakeOutput();
    const places = noPlaces({});
    const reporter = new ListReporter(output, err.output, {
      file: `/x/${PAYLOAD}.eval.yaml`,
      places,
      cwd: '/x',
      verbose: false,
    });
    for (const event of events) reporter.take(event);
    const strange = stream.written.replaceAll(OURS, '') + err.stream.written;
    expect(acting(strange)).toEqual([]);
    expect(stream.written).toContain('\\x1b]0;owned\\x07');
  }
});

it.each(Object.entries(RUNS))('where %s is shown', async (_, events) => {
  const folder = mkdtempSync(join(tmpdir(), 'mcprove-hostile-'));
  try {
    // The name of a file that is there is not in a stranger's hands.
    const file = writeRun(
      folder,
      events.map((event) => ('head' in event ? { ...event, head: { ...event.head, id: 'ID' } } : event)),
    );
    const ended = events.findLast((event) => event.type === 'trialEnded');
    for (const args of [[file], [file, ended?.trial.id ?? ''], [file, PAYLOAD]]) {
      const { context, out, err } = fakeContext(folder);
      await runProgram(['show', ...args], context);
      expect(acting(out.written + err.written)).toEqual([]);
      expect(out.written + err.written).toContain('\\x1b]0;owned\\x07');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
