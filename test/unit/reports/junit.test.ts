import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import type { Trial } from '../../../src/engine/record.ts';
import { junitReport } from '../../../src/engine/reports/index.ts';
import type { OpenRun } from '../../../src/engine/runs/read.ts';
import { sampleCall, sampleCheck, sampleTrial } from '../runs/samples.ts';
import { sampleRun } from './sampleRun.ts';

const opened: string[] = [];
afterEach(async () => {
  for (const folder of opened.splice(0)) await rm(folder, { recursive: true });
});

async function run(...given: Parameters<typeof sampleRun>): Promise<OpenRun> {
  const made = await sampleRun(...given);
  opened.push(dirname(made.file));
  return made;
}

const wrongCity = sampleTrial('paris#1', {
  verdict: 'failed',
  reason: { stage: 'toolCalled', cause: 'agent', text: 'get_weather was called with other arguments' },
  checks: [
    sampleCheck({
      outcome: 'failed',
      reason: '1 argument mismatch',
      diff: [
        {
          kind: 'argumentMismatch',
          at: '/cases/1/calls/0',
          call: 'c1',
          tool: 'get_weather',
          expected: { city: 'Paris' },
          actual: { city: 'Berlin' },
          differences: [{ path: '/city', expected: 'Paris', actual: 'Berlin', matcher: 'equals' }],
        },
        { kind: 'extra', call: 'c2', tool: 'log', arguments: {}, counts: false },
      ],
    }),
    sampleCheck({ role: 'advisory', outcome: 'failed', reason: 'not told here' }),
  ],
});
const unstarted = sampleTrial('rome#1', {
  verdict: 'errored',
  reason: { stage: 'connect', cause: 'server', text: 'server "weather" exited with code 3' },
  checks: [],
});
const cancelled = sampleTrial('oslo#1', {
  verdict: 'cancelled',
  reason: { stage: 'model', cause: 'user', text: 'cancelled while the model was answering' },
});

test('a passed, a failed, an errored, a cancelled and a skipped cell', async () => {
  const xml = await junitReport([
    await run([sampleTrial('berlin#1'), wrongCity, unstarted, cancelled], {
      head: { skipped: [{ cell: 'later', reason: 'not yet' }] },
      end: { decision: 'failed', reasons: ['paris is under its bar'] },
    }),
  ]);
  expect(xml).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="mcprove" tests="5" failures="1" errors="1" skipped="2" time="5.000">
  <testsuite name="weather" file="evals/weather.eval.yaml" timestamp="2025-03-04T05:06:07" tests="5" failures="1" errors="1" skipped="2" time="5.000">
    <properties>
      <property name="run" value="01JDZ0000000000000000000AB"/>
      <property name="decision" value="failed"/>
      <property name="reason" value="paris is under its bar"/>
      <property name="models" value="scripted"/>
      <property name="mcprove" value="0.1.0"/>
      <property name="commit" value="${'c'.repeat(40)}"/>
    </properties>
    <testcase classname="evals/weather.eval.yaml" name="berlin" time="1.250">
      <properties>
        <property name="trial 1" value="passed in 1.250 s"/>
      </properties>
    </testcase>
    <testcase classname="evals/weather.eval.yaml" name="paris" time="1.250">
      <properties>
        <property name="trial 1" value="failed in 1.250 s: get_weather was called with other arguments"/>
      </properties>
      <failure message="get_weather was called with other arguments" type="failure">paris#1 failed in 1.250 s
  calls
    argument mismatch: get_weather: city is "Berlin", expected "Paris"
    at /cases/0/calls</failure>
    </testcase>
    <testcase classname="evals/weather.eval.yaml" name="rome" time="1.250">
      <properties>
        <property name="trial 1" value="errored in 1.250 s: server &quot;weather&quot; exited with code 3"/>
      </properties>
      <error message="server &quot;weather&quot; exited with code 3" type="error">rome#1 errored in 1.250 s: server "weather" exited with code 3</error>
    </testcase>
    <testcase classname="evals/weather.eval.yaml" name="oslo" time="1.250">
      <properties>
        <property name="trial 1" value="cancelled in 1.250 s: cancelled while the model was answering"/>
      </properties>
      <skipped message="cancelled while the model was answering"/>
    </testcase>
    <testcase classname="evals/weather.eval.yaml" name="later" time="0.000">
      <skipped message="not yet"/>
    </testcase>
  </testsuite>
</testsuites>
`,
  );
});

test('several trials of a cell stand in its properties, and the message counts them', async () => {
  const trials = [sampleTrial('paris#1'), { ...wrongCity, id: 'paris#2', number: 2 }];
  const xml = await junitReport([await run(trials, { end: { decision: 'failed' } })]);
  expect(xml).toContain('<property name="trial 1" value="passed in 1.250 s"/>');
  expect(xml).toContain('<property name="trial 2" value="failed in 1.250 s: ');
  expect(xml).toContain('<failure message="1 of 2 trials passed: get_weather was called with other arguments"');
  expect(xml).toContain('name="paris" time="2.500"');
});

test('several suites stand in one file', async () => {
  const other = { suite: { path: 'b.eval.yaml', name: 'b', hash: '', snapshot: null } };
  const xml = await junitReport([await run([sampleTrial('a#1')]), await run([sampleTrial('a#1')], { head: other })]);
  expect(xml).toContain('<testsuites name="mcprove" tests="2" failures="0"');
  expect(xml.match(/<testsuite name="[^"]*"/g)).toEqual(['<testsuite name="weather"', '<testsuite name="b"']);
  expect(xml).toContain('classname="b.eval.yaml"');
});

test('messages are one line; what a server said, advice and places stand in the body', async () => {
  const said = 'server "c" exited with code 1. Its last stderr lines:\n  Error: gone\n      at x\nStart it by hand.';
  const trials = [
    sampleTrial('a#1', {
      verdict: 'errored',
      reason: { stage: 'connect', cause: 'server', text: said },
      checks: [],
    }),
    sampleTrial(
      'b#1',
      {
        verdict: 'failed',
        reason: { stage: 'toolSelected', cause: 'agent', text: 'the call of get_weather crashed the server' },
        checks: [
          sampleCheck({
            outcome: 'failed',
            diff: [
              {
                kind: 'missing',
                at: '/cases/1/calls/0',
                tool: 'get_weather',
                expected: { days: '$integer', city: 'Berlin' },
                refused: { call: 'call-7', text: 'crashed the server', differences: [] },
              },
            ],
          }),
        ],
      },
      [sampleCall(), sampleCall({ id: 'call-7', error: { kind: 'crashed', text: said } })],
    ),
  ];
  const xml = await junitReport([await run(trials, { end: { decision: 'failed' } })], {
    place: (_run, pointer) => `weather.eval.yaml:7:3 (${pointer})`,
  });
  expect(xml).toContain('<error message="server &quot;c&quot; exited with code 1." type="error">');
  expect(xml).toContain('\n  last lines on stderr:\n    Error: gone\n        at x\n  Start it by hand.</error>');
  expect(xml).toContain(
    'b#1 failed in 1.250 s\n  call 2, last lines on stderr:\n    Error: gone\n        at x\n  calls\n' +
      '    missing: get_weather { days: $integer, city: "Berlin" }: call 2 crashed the server\n' +
      '    at weather.eval.yaml:7:3 (/cases/0/calls)</failure>',
  );
});

test('a suite without a run is an error where it is broken, and skipped where it was not begun', async () => {
  const start = { line: 4, column: 5, offset: 0 };
  const problem = {
    code: 'SUITE002',
    severity: 'error',
    message: 'unknown key "promt"',
    hint: 'Did you mean "prompt"?',
    range: { file: '/projects/b.eval.yaml', start, end: start },
  } as const;
  const xml = await junitReport([await run([sampleTrial('a#1')])], {
    unrun: [
      { path: 'b.eval.yaml', state: 'broken', message: 'line 4: SUITE002', problems: [problem] },
      { path: 'c.eval.yaml', state: 'notBegun', message: 'not begun: --bail 1', problems: [] },
    ],
  });
  expect(xml).toContain('<testsuites name="mcprove" tests="3" failures="0" errors="1" skipped="1"');
  expect(xml).toContain(
    '<error message="line 4: SUITE002" type="error">b.eval.yaml:4:5 error SUITE002 unknown key "promt". Did you mean "prompt"?</error>',
  );
  expect(xml).toContain(
    '<testcase classname="c.eval.yaml" name="(whole run)" time="0.000">\n      <skipped message="not begun: --bail 1"/>',
  );
});

describe('the file is never greener than the run', () => {
  test.each([
    ['failed', 'failure'],
    ['inconclusive', 'error'],
    ['cancelled', 'error'],
  ] as const)('%s without a cell to blame', async (decision, kind) => {
    const xml = await junitReport([await run([sampleTrial('a#1')], { end: { decision, reasons: ['why'] } })]);
    expect(xml).toContain('name="(whole run)"');
    expect(xml).toContain(`<${kind} message="the run is ${decision}" type="${kind}">why</${kind}>`);
    expect(xml).toContain(`${kind}s="1"`);
  });

  test('no end', async () => {
    const xml = await junitReport([await run([sampleTrial('a#1'), wrongCity], { end: null })]);
    expect(xml).toContain('<error message="the run was interrupted: its file has no end" type="error"/>');
    expect(xml).toContain('tests="3" failures="1" errors="1"');
  });
});

describe('whatever servers and models send, the file is XML', () => {
  const hostile = [
    '\u0000\u0008',
    ']]>',
    '<x a="&\'">',
    '&#0;',
    '&amp; &nope; &',
    '\ud800',
    '\ufffe\uffff',
    '\u001b[31m',
    '\u202e',
    'a\r\nb\tc',
  ];

  function withText(text: string): Trial {
    return sampleTrial('a#1', {
      verdict: 'failed',
      reason: { stage: text, cause: 'agent', text },
      checks: [
        sampleCheck({
          outcome: 'failed',
          label: text,
          reason: text,
          at: text,
          diff: [{ kind: 'extra', call: text, tool: text, arguments: { [text]: text }, counts: true }],
        }),
      ],
    });
  }

  async function check(text: string): Promise<void> {
    const xml = await junitReport([
      await run([withText(text)], {
        head: {
          suite: { path: text, name: text, hash: '', snapshot: null },
          skipped: [{ cell: text, reason: text }],
          models: [text],
        },
        end: { decision: 'failed', reasons: [text], warnings: [text] },
      }),
    ]);
    expect(xml).toMatch(/^[\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
    expect(xml).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
    // The parser refuses what is not well-formed; that the structure came through shows that nothing was broken out of.
    const parsed: unknown = convert({ parser: { comment: () => undefined } }, xml, { format: 'object' });
    expect(parsed).toMatchObject({
      testsuites: { '@name': 'mcprove', testsuite: { '@tests': '2', '@failures': '1' } },
    });
    expect(xml.match(/<testcase /g)).toHaveLength(2);
  }

  test.each(hostile)('%j', (text) => check(text));

  test('any text', async () => {
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 30 }), check), { numRuns: 40 });
  });
});
