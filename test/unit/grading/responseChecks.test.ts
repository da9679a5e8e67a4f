import { cutAnswer, type Row, silent, testRows } from './checkRows.ts';
import { OUT_OF_TURNS, PROVIDER_DOWN, reply, STOPPED, TOOL, TRACE } from './trialOf.ts';

const ROWS: {
  readonly [K in
    | 'response'
    | 'responseJson'
    | 'responseContains'
    | 'responseMatches'
    | 'responseNotEmpty']: readonly Row[];
} = {
  response: [
    [{ kind: 'response', value: 'It is mild.' }, {}, 'passed'],
    [{ kind: 'response', value: { $startsWith: 'it' } }, {}, 'failed'],
    [{ kind: 'response', value: { $contains: 'mild' } }, { replies: [reply('It is mild.'), reply('Bye.')] }, 'failed'],
    [{ kind: 'response', value: 'x' }, {}, 'notMeasured', { subject: TOOL }],
    [{ kind: 'response', value: 'x' }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
    [{ kind: 'response', value: 'x' }, {}, 'notApplicable', { subject: TRACE, inherited: true }],
    [{ kind: 'response', value: 'x' }, { calls: [silent], end: STOPPED }, 'notApplicable', { execute: false }],
    [{ kind: 'response', value: { $contains: 'mild' } }, { end: OUT_OF_TURNS }, 'notReached'],
    [{ kind: 'response', value: { $contains: 'mild' } }, { end: cutAnswer() }, 'passed'],
    [{ kind: 'response', value: { $not: { $contains: 'cold' } } }, { end: cutAnswer() }, 'notReached'],
    [{ kind: 'response', value: { $matches: '(' } }, {}, 'notMeasured'],
  ],
  responseJson: [
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: '{"n":1,"m":2}' }, 'passed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: 'Here:\n```json\n{"n":1}\n```\nDone.' }, 'passed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: '```sh\nls\n```\n~~~\r\n{"n":1}\r\n~~~' }, 'passed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: '````\n```\n{"n":1}\n```\n````' }, 'failed'],
    [{ kind: 'responseJson', value: { n: 2 } }, { answer: '{"n":1}' }, 'failed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: 'n is 1' }, 'failed'],
    [{ kind: 'responseJson', value: 1 }, { answer: '```json\n1' }, 'failed'],
    [{ kind: 'responseJson', value: { n: 1 } }, { answer: '{"n":1}', end: cutAnswer() }, 'notReached'],
    [{ kind: 'responseJson', value: 1 }, {}, 'notMeasured', { subject: TRACE }],
    [{ kind: 'responseJson', value: 1 }, { end: STOPPED }, 'notApplicable', { execute: false }],
  ],
  responseContains: [
    [{ kind: 'responseContains', value: [['MILD'], ['it']] }, {}, 'passed'],
    [{ kind: 'responseContains', value: [['mild'], ['cold']] }, {}, 'failed'],
    [{ kind: 'responseContains', value: [['mild', 'cold']] }, {}, 'passed'],
    [{ kind: 'responseContains', value: [['mild']] }, { end: cutAnswer() }, 'passed'],
    [{ kind: 'responseContains', value: [['cold']] }, { end: cutAnswer() }, 'notReached'],
    [{ kind: 'responseContains', value: [['mild']] }, { end: PROVIDER_DOWN }, 'notReached'],
    [{ kind: 'responseContains', value: [['mild']] }, {}, 'notMeasured', { subject: TRACE }],
    [{ kind: 'responseContains', value: [['mild']] }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
  ],
  responseMatches: [
    [{ kind: 'responseMatches', value: [['m.ld'], ['^It']] }, {}, 'passed'],
    [{ kind: 'responseMatches', value: [['MILD']] }, {}, 'failed'],
    [{ kind: 'responseMatches', value: [['cold', 'mild']] }, {}, 'passed'],
    [{ kind: 'responseMatches', value: [['^It']] }, { end: cutAnswer() }, 'passed'],
    [{ kind: 'responseMatches', value: [['mild\\.$']] }, { end: cutAnswer() }, 'notReached'],
    [{ kind: 'responseMatches', value: [['(']] }, {}, 'notMeasured'],
    [{ kind: 'responseMatches', value: [['x']] }, { end: STOPPED }, 'notApplicable', { execute: 'untilExpected' }],
  ],
  responseNotEmpty: [
    [{ kind: 'responseNotEmpty', value: null }, {}, 'passed'],
    [{ kind: 'responseNotEmpty', value: null }, { answer: ' \n' }, 'failed'],
    [{ kind: 'responseNotEmpty', value: null }, { replies: [reply('text'), reply('')] }, 'failed'],
    [{ kind: 'responseNotEmpty', value: null }, { end: cutAnswer() }, 'passed'],
    [{ kind: 'responseNotEmpty', value: null }, { answer: null }, 'notMeasured', { subject: TRACE }],
    [{ kind: 'responseNotEmpty', value: null }, { answer: 'An answer.' }, 'passed', { subject: TRACE }],
    [{ kind: 'responseNotEmpty', value: null }, {}, 'notApplicable', { subject: TOOL, inherited: true }],
  ],
};

testRows(ROWS);
