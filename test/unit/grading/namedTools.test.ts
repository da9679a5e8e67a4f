import { describe, expect, test } from 'vitest';
import { gradeTrial } from '../../../src/engine/grading/index.ts';
import type { Transcript } from '../../../src/engine/record.ts';
import type { AssertionBody, Case } from '../../../src/engine/suite/model.ts';
import { call, MATCH, route } from './build.ts';
import { tools } from './checkRows.ts';
import { assertion, attemptOf, caseOf, grade, notEmpty, TRACE } from './trialOf.ts';

const OFFERED = ['get_weather', 'delete_everything'];
const MISSPELT = 'no server offers delete_evrything (did you mean delete_everything?)';

/** Of a trial in which nothing was called. */
function graded(body: AssertionBody, transcript: Partial<Transcript> = {}, calls = [call('get_weather')]) {
  const testCase = caseOf({ assertions: [notEmpty, assertion(body)] });
  const attempt = attemptOf(testCase.subject, { calls, offered: OFFERED });
  const { warnings, checks, verdict } = gradeTrial(testCase, {
    ...attempt,
    transcript: { ...attempt.transcript, ...transcript },
  });
  return { verdict, warnings, outcome: checks[1]?.outcome, reason: checks[1]?.reason };
}

const notCalled = (...names: string[]): AssertionBody => ({
  kind: 'toolNotCalled',
  value: { tools: tools(...names), count: null },
});

describe('an assertion on a tool that no server offers', () => {
  test('passes with its reason and a warning', () => {
    expect(graded(notCalled('delete_evrything'))).toEqual({
      verdict: 'passed',
      outcome: 'passed',
      reason: `delete_evrything was not called. N${MISSPELT.slice(1)}`,
      warnings: [`toolNotCalled: ${MISSPELT}`],
    });
  });

  test.each<[AssertionBody, string[]]>([
    [notCalled('delete_everything', 'files::get_weather', 'delete_*', '*'), []],
    [
      notCalled('files::delete_evrything'),
      ['no server offers files::delete_evrything (did you mean files::delete_everything?)'],
    ],
    [notCalled('other::get_weather'), ['no server offers other::get_weather (did you mean files::get_weather?)']],
    [notCalled('drop_*', 'zzz'), ['no tool of any server fits drop_*.', 'no server offers zzz.']],
    [
      { kind: 'onlyTools', value: ['get_weather', 'get_wether'] },
      ['no server offers get_wether (did you mean get_weather?)'],
    ],
    [
      { kind: 'toolOrder', value: ['get_weather', 'get_wether'] },
      ['no server offers get_wether (did you mean get_weather?)'],
    ],
    [{ kind: 'limits', value: { toolDurationMs: { zzz: { min: null, max: 5 } } } }, ['no server offers zzz.']],
    [
      { kind: 'toolCalled', value: { tools: [['get_weather', 'get_wether']], count: null } },
      ['no server offers get_wether (did you mean get_weather?)'],
    ],
  ])('%j', (body, texts) => {
    expect(graded(body).warnings).toEqual(texts.map((text) => `${body.kind}: ${text}`));
  });

  test.each<[AssertionBody]>([
    [{ kind: 'toolCalled', value: { tools: tools('get_wether'), count: null } }],
    [{ kind: 'firstTool', value: 'get_wether' }],
    [{ kind: 'lastTool', value: 'get_wether' }],
    [{ kind: 'result', value: { tool: 'get_wether', expect: { at: '', text: 'x' } } }],
  ])('fails with a reason, and needs no warning: %j', (body) => {
    expect(graded(body)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/\. No server offers get_wether \(did you mean get_weather\?\)$/),
      warnings: [],
    });
  });

  test('is a guess once the list has changed: only of a name that is near', () => {
    const changed = { toolListChanged: true };
    expect(graded(notCalled('delete_evrything'), changed).warnings).toEqual([`toolNotCalled: ${MISSPELT}`]);
    expect(graded(notCalled('zzz', 'drop_*'), changed).warnings).toEqual([]);
  });

  test('is not known where nobody listed the tools', () => {
    expect(graded(notCalled('zzz'), { offered: [] }).warnings).toEqual([]);
    expect(grade({ subject: TRACE, assertions: [assertion(notCalled('zzz'))] }).warnings).toEqual([]);
  });

  test('a tool that the case keeps from its model exists', () => {
    const withheld = { offered: [], withheld: [{ server: 'files', tool: 'delete_everything' }] };
    expect(graded(notCalled('delete_everything'), withheld).warnings).toEqual([]);
    expect(graded(notCalled('delete_evrything'), withheld).warnings).toEqual([`toolNotCalled: ${MISSPELT}`]);
  });
});

test.each<[Partial<Case>, string[]]>([
  [{ tools: { allow: null, deny: ['delete_evrything'], readOnly: false } }, [`tools.deny: ${MISSPELT}`]],
  [
    { tools: { allow: ['get_*', 'pods_*'], deny: [], readOnly: false } },
    ['tools.allow: no tool of any server fits pods_*.'],
  ],
  [{ route: route([]), match: { ...MATCH, ignoreTools: ['zzz'] } }, ['match.ignoreTools: no server offers zzz.']],
  [{ match: { ...MATCH, ignoreTools: ['zzz'] } }, []],
  [{ tools: { allow: ['get_weather'], deny: ['delete_everything'], readOnly: false } }, []],
])('a case that names tools: %j', (testCase, warnings) => {
  expect(grade({ assertions: [notEmpty], ...testCase }, { offered: OFFERED }).warnings).toEqual(warnings);
});

test('a call of a tool that the case keeps from its model is no invention', () => {
  const testCase = caseOf({ route: route('none') });
  const made = call('drop', {}, { server: null, error: { kind: 'unknownTool', text: 'There is no tool "drop".' } });
  const attempt = attemptOf(testCase.subject, { calls: [made], offered: OFFERED });
  const withheld = [{ server: 'files', tool: 'drop' }];
  const { checks } = gradeTrial(testCase, { ...attempt, transcript: { ...attempt.transcript, withheld } });
  expect(checks[0]?.diff?.[0]).toEqual({ kind: 'extra', call: 'drop', tool: 'drop', arguments: {}, counts: true });
});

describe('an expected call of a tool that no server offers, and that the model calls as well', () => {
  const invented = call(
    'get_wether',
    { city: 'Paris' },
    { server: null, error: { kind: 'unknownTool', text: 'No such tool.' } },
  );
  const happened = { calls: [invented], offered: OFFERED };

  test.each<[Partial<Case>]>([
    [{ route: route(['get_wether']) }],
    [{ route: route([{ get_wether: { city: 'Berlin' } }]) }],
    [{ route: route([{ tool: 'get_wether', result: { isError: true } }]) }],
    [{ route: route(['get_wether']), execute: false }],
  ])('is missing, with the nearest name: %j', (testCase) => {
    const { verdict, reason, checks, chain } = grade(testCase, happened);
    expect(checks[0]?.diff).toEqual([
      expect.objectContaining({ kind: 'missing', neverOffered: true, nearest: 'get_weather' }),
    ]);
    expect(checks[0]?.reason).toBe('get_wether was not called: no server offers it (did you mean get_weather?)');
    expect([verdict, reason?.stage, chain[2]?.state]).toEqual(['failed', 'toolSelected', 'broke']);
  });

  test('keeps the hint once the list has changed', () => {
    const testCase = caseOf({ route: route(['get_wether']) });
    const attempt = attemptOf(testCase.subject, happened);
    const { checks, reason } = gradeTrial(testCase, {
      ...attempt,
      transcript: { ...attempt.transcript, toolListChanged: true },
    });
    expect(checks[0]?.diff).toMatchObject([{ nearest: 'get_weather', refused: { kind: 'unknownTool' } }]);
    expect(reason).toMatchObject({
      stage: 'toolSelected',
      text: 'the call of get_wether named a tool that does not exist: No such tool (did you mean get_weather?)',
    });
  });
});
