import { describe, expect, test } from 'vitest';
import type { Stage, StageName } from '../../../src/engine/record.ts';
import type { Case } from '../../../src/engine/suite/model.ts';
import { call, numbered, result, route } from './build.ts';
import {
  assertion,
  callThatEnded,
  errored,
  grade,
  type Happened,
  notEmpty,
  OUT_OF_TURNS,
  PROVIDER_DOWN,
  STOPPED,
  says,
  TOOL,
  TRACE,
} from './trialOf.ts';

const a = call('a', { q: 1 }, { result: result('alpha') });
const b = call('b', {}, { result: result('beta') });
const callsA: Partial<Case> = { route: route(['a']) };

describe('the value chain', () => {
  const ORDER: StageName[] = [
    'sessionConnected',
    'toolsDiscovered',
    'toolSelected',
    'toolCalled',
    'responseReturned',
    'requestSatisfied',
  ];
  const SIGN = { ok: '+', broke: 'x', notReached: '.', notMeasured: '?' } satisfies Record<Stage['state'], string>;
  test.each<[string, Partial<Case>, Happened, string]>([
    ['all the way', { ...callsA, assertions: [notEmpty] }, { calls: [a] }, '++++++'],
    ['nothing else required', callsA, { calls: [a] }, '+++++?'],
    ['any route', { assertions: [notEmpty] }, { calls: [a] }, '++?+++'],
    ['no call wanted, none made', { route: route('none'), assertions: [notEmpty] }, {}, '+++??+'],
    ['no connection', callsA, { end: errored('connect', 'server'), offered: [] }, 'x.....'],
    ['no tool list', callsA, { end: errored('discover', 'server'), offered: [] }, '+x....'],
    ['a missing call', { ...callsA, assertions: [notEmpty] }, { calls: [] }, '++x..+'],
    ['a missing call, another made', { ...callsA, assertions: [notEmpty] }, { calls: [b] }, '++x+++'],
    ['other arguments', { route: route([{ a: { q: 2 } }]), assertions: [notEmpty] }, { calls: [a] }, '+++x++'],
    [
      'arguments against the schema',
      { assertions: [notEmpty] },
      { calls: [{ ...a, argumentsValid: false }] },
      '++?x++',
    ],
    ['a protocol error', { assertions: [notEmpty] }, callThatEnded('protocol'), '++?x++'],
    ['isError', callsA, callThatEnded('content'), '++++x.'],
    ['an invalid result', { ...callsA, assertions: [notEmpty] }, { calls: [{ ...a, resultValid: false }] }, '++++x+'],
    [
      'an error that was asked for',
      { route: route([{ tool: 'a', result: { isError: true } }]), assertions: [notEmpty] },
      callThatEnded('content'),
      '++++++',
    ],
    [
      'isError, mended',
      { assertions: [notEmpty] },
      { calls: [...(callThatEnded('content').calls ?? []), a] },
      '++?+++',
    ],
    [
      'isError, another tool called',
      { assertions: [notEmpty] },
      { calls: [...(callThatEnded('content').calls ?? []), b] },
      '++?+x+',
    ],
    [
      'isError that the passed trial did not mind',
      { route: route(['b']) },
      { calls: numbered([...(callThatEnded('content').calls ?? []), b]) },
      '++++x?',
    ],
    [
      'invalid arguments, mended',
      { assertions: [notEmpty] },
      { calls: [{ ...a, argumentsValid: false }, a] },
      '++?+++',
    ],
    [
      'invalid arguments, not mended',
      { assertions: [notEmpty] },
      { calls: [a, { ...a, argumentsValid: false }] },
      '++?x++',
    ],
    ['another answer', { ...callsA, assertions: [says('cold')] }, { calls: [a] }, '+++++x'],
    [
      'a tool that must not be called',
      { assertions: [assertion({ kind: 'toolNotCalled', value: { tools: [['a']], count: null } })] },
      { calls: [a] },
      '++x++.',
    ],
    [
      'the right tool with other arguments',
      { assertions: [assertion({ kind: 'toolCalled', value: { tools: [['a']], arguments: { q: 2 }, count: null } })] },
      { calls: [a] },
      '+++x+.',
    ],
    ['out of turns', callsA, { calls: [a], end: OUT_OF_TURNS }, '+++++x'],
    ['the provider broke off', { ...callsA, assertions: [notEmpty] }, { calls: [a], end: PROVIDER_DOWN }, '+++++.'],
    [
      'the provider broke off at once',
      { ...callsA, assertions: [notEmpty] },
      { calls: [], end: PROVIDER_DOWN },
      '++.??.',
    ],
    ['tools do not run', { ...callsA, execute: false }, { calls: [call('a')], end: STOPPED }, '++++??'],
    ['a trace', { ...callsA, subject: TRACE }, { calls: [a] }, '??+++?'],
    [
      'the runner’s call',
      { subject: TOOL },
      { calls: [call('a', {}, { by: 'runner', result: result('x') })] },
      '++?+++',
    ],
    [
      'the runner’s call in vain',
      { subject: TOOL },
      { calls: [call('a', {}, { by: 'runner', result: result('x', { isError: true }) })] },
      '++?+x.',
    ],
    ['advisory checks break nothing', { assertions: [says('cold', { role: 'advisory' })] }, {}, '++????'],
    ['evidence is missing', { assertions: [assertion({ kind: 'responseMatches', value: [['(']] })] }, {}, '++????'],
  ])('%s', (_, testCase, happened, picture) => {
    const { chain } = grade(testCase, happened);
    expect(chain.map((stage) => stage.stage)).toEqual(ORDER);
    expect(chain.map((stage) => SIGN[stage.state]).join('')).toBe(picture);
    for (const stage of chain) expect(stage.evidence).toMatch(/\S/);
  });
});
