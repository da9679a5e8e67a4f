import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ListReporter } from '../../../src/cli/list/listReporter.ts';
import type { RunEvent } from '../../../src/engine/index.ts';
import { planned, played, trial } from '../../fixtures/events/build.ts';
import { cwd, placesOf } from '../../fixtures/events/places.ts';
import { allPassed, brokenServer, type Scenario, travel, wrongCity } from '../../fixtures/events/scenarios.ts';
import { fakeOutput } from './fakeStream.ts';

const SCENARIOS = { wrongCity, travel, brokenServer, allPassed };
const WIDTHS = { 'at 60 columns': 60, 'at 80 columns': 80, 'at 120 columns': 120, 'in a log': 0 };

function reporterFor(scenario: Scenario, columns: number, env?: Record<string, string>) {
  const { stream, output } = fakeOutput(columns, env);
  const err = fakeOutput();
  let time = 0;
  const reporter = new ListReporter(output, err.output, {
    file: scenario.file,
    places: placesOf(scenario),
    cwd,
    verbose: false,
    now: () => time,
  });
  const take = (events: readonly RunEvent[]) => {
    for (const event of events) reporter.take(event);
  };
  const wait = (ms: number) => {
    time += ms;
    vi.advanceTimersByTime(ms);
  };
  return { stream, err: err.stream, reporter, take, wait };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a whole run', () => {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    it.each(Object.entries(WIDTHS))(`${name} %s`, async (where, columns) => {
      const { stream, take, wait } = reporterFor(scenario, columns);
      for (const event of scenario.events) {
        take([event]);
        wait(250);
      }
      await expect(`${stream.shown()}\n`).toMatchFileSnapshot(`golden/${name} ${where}.txt`);
    });
  }

  it('keeps within the screen', () => {
    for (const scenario of Object.values(SCENARIOS)) {
      const { stream, take } = reporterFor(scenario, 60);
      take(scenario.events);
      const tooLong = stream.written.split('\n').filter((line) => line.replace('\u001b[K', '').length > 60);
      // Only what is to be copied may be longer.
      for (const line of tooLong) expect(line).toMatch(/^(run|look) {5}/);
    }
  });

  it('is coloured where colours are asked for, and says the same', () => {
    const coloured = reporterFor(wrongCity, 80, { FORCE_COLOR: '1' });
    const plain = reporterFor(wrongCity, 80);
    coloured.take(wrongCity.events);
    plain.take(wrongCity.events);
    expect(coloured.stream.written).toContain('\u001b[31m');
    expect(plain.stream.written).not.toContain('\u001b[3');
    expect(coloured.stream.shown()).toBe(plain.stream.shown());
  });

  it('lets nothing act on the terminal that a server sent', () => {
    for (const columns of [0, 80]) {
      const { stream, err, take } = reporterFor(brokenServer, columns);
      take(brokenServer.events);
      const written = stream.written + err.written;
      for (const code of ['\u001b]', '\u0007', '\u001b[31m']) expect(written).not.toContain(code);
      expect(err.written).toContain('\\x1b]0;title\\x07');
    }
  });
});

describe('while it runs', () => {
  const [first] = wrongCity.events;
  const rain = planned('will-it-rain-in-berlin-tomorrow');
  const warm = planned('is-it-warm-in-paris', 2);

  it.each([60, 80])('shows at %i columns what each trial does now, and for how long', async (columns) => {
    const { stream, reporter, take, wait } = reporterFor(wrongCity, columns);
    if (first !== undefined) take([first]);
    take([{ type: 'trialStarted', trial: rain }]);
    wait(1200);
    take([
      { type: 'trialStarted', trial: warm },
      {
        type: 'callStarted',
        trial: rain.id,
        call: 'a',
        server: 'weather',
        tool: 'get_forecast',
        arguments: { city: 'Bern' },
      },
      { type: 'callStarted', trial: rain.id, call: 'b', server: 'weather', tool: 'get_alerts', arguments: {} },
      { type: 'callEnded', trial: rain.id, call: 'b', error: null, durationMs: 1 },
      { type: 'waiting', trial: warm.id, text: 'the provider is busy; trying again in 3 s' },
    ]);
    wait(800);
    await expect(`${stream.shown()}\n`).toMatchFileSnapshot(`golden/running at ${columns} columns.txt`);
    reporter.cancelling('Cancelling.');
    expect(stream.shown()).toContain('cancelling');
    reporter.dispose();
    expect(stream.shown()).toBe('evals/weather.eval.yaml  2 cells · 2 trials · scripted\n');
    expect(stream.resizeListeners).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says when a trial waits no longer', () => {
    const { stream, take, wait } = reporterFor(wrongCity, 80);
    if (first !== undefined) take([first]);
    take([
      { type: 'trialStarted', trial: rain },
      { type: 'waiting', trial: rain.id, text: 'waiting 12 s: openai answered 429' },
    ]);
    wait(200);
    expect(stream.shown()).toContain('waiting 12 s: openai answered 429');
    take([{ type: 'waiting', trial: rain.id, text: null }]);
    wait(200);
    expect(stream.shown()).not.toContain('openai');
    expect(stream.shown()).toContain('waiting for the model');
  });

  it('says in a log every half minute that it is alive', () => {
    const { stream, take, wait } = reporterFor(wrongCity, 0);
    if (first !== undefined) take([first]);
    take([{ type: 'trialStarted', trial: rain }]);
    take([
      {
        type: 'callStarted',
        trial: rain.id,
        call: 'a',
        server: 'weather',
        tool: 'get_forecast',
        arguments: { city: 'Bern' },
      },
    ]);
    wait(29_000);
    expect(stream.written.split('\n')).toHaveLength(2);
    wait(1000);
    expect(stream.written.split('\n')[1]).toBe(
      '… evals/weather.eval.yaml: 0 of 2 trials done after 30 s; will-it-rain-in-berlin-tomorrow for 30 s: weather::get_forecast { city: "Bern" }',
    );
  });

  it('counts the passed cells of a big suite instead of listing them', () => {
    const many = Array.from({ length: 301 }, (_, index) => planned(`case-${index}`));
    const { stream, take } = reporterFor(wrongCity, 0);
    if (first?.type === 'planned') {
      take([{ ...first, trials: many, head: { ...first.head, planned: { trials: 301, cells: 301 } } }]);
    }
    take(many.flatMap((of, index) => played(of, trial(of, index === 7 ? 'failed' : 'passed'))));
    expect(stream.written.split('\n')).toEqual([
      'evals/weather.eval.yaml  301 cells · 301 trials · scripted',
      '  Passed cells are counted, not listed (--verbose lists them).',
      expect.stringMatching(/^✗ failed evals\/weather.eval.yaml › case-7 /),
      '',
    ]);
  });
});
