import { describe, expect, test } from 'vitest';
import { readFault, readFaults } from '../../modelServer/fault.ts';
import { fillResults, fillResultsInText } from '../../modelServer/fillResults.ts';
import { PlanError, planTextIn, readPlan } from '../../modelServer/planText.ts';

describe('readPlan', () => {
  test.each([
    ['say Hello, world.', [{ say: 'Hello, world.' }]],
    ['add {"a":1} | say Done', [{ calls: [{ tool: 'add', arguments: { a: 1 } }] }, { say: 'Done' }]],
    ['now', [{ calls: [{ tool: 'now' }] }]],
    ['say a|b & add|say c', null],
    ['say a|b | say R&D', [{ say: 'a|b' }, { say: 'R&D' }]],
    ['say "a | b & c\\n" | say d', [{ say: 'a | b & c\n' }, { say: 'd' }]],
    [
      'think Hm & say Both & add {"text":"} | & \\" {"} & get_time',
      [
        {
          think: 'Hm',
          say: 'Both',
          calls: [{ tool: 'add', arguments: { text: '} | & " {' } }, { tool: 'get_time' }],
        },
      ],
    ],
    ['\n  say one\n\n  say two  |\n', [{ say: 'one' }, { say: 'two' }]],
    ['!429 times=2 & say Hi | !hang', [{ faults: '429 times=2', say: 'Hi' }, { faults: 'hang' }]],
    ['srv::tool-x.y {}', null],
    ['ns.tool-x/y:z {}', [{ calls: [{ tool: 'ns.tool-x/y:z', arguments: {} }] }]],
  ])('%j', (text, replies) => {
    if (replies === null) return expect(() => readPlan(text)).not.toThrow();
    expect(readPlan(text)).toEqual({ replies, loops: false });
  });

  test('!loop', () => {
    expect(readPlan('add {"a":1} | !loop')).toEqual({
      replies: [{ calls: [{ tool: 'add', arguments: { a: 1 } }] }],
      loops: true,
    });
  });

  test.each([
    ['', 'cannot read the plan at character 1: the plan is empty'],
    ['!loop', 'character 6: !loop needs a reply before it'],
    ['say a | !loop | say b', 'character 17: nothing may follow !loop'],
    ['say a & say b', 'a reply has one "say"'],
    ['add [1]', 'character 5: expected " | ", " & " or the end'],
    ['add {"a":1', 'the arguments never end'],
    ['add {a:1}', /character 10: .*JSON/],
    ['{"a":1}', 'character 1: expected say, think, !fault or the name of a tool'],
  ])('refuses %j', (text, message) => {
    expect(() => readPlan(text)).toThrow(PlanError);
    expect(() => readPlan(text)).toThrow(message);
  });
});

test.each([
  ['Please. plan: say a\nand more', 'say a'],
  ['plan:say a', undefined],
  ['my-plan: say a', undefined],
  ['plan: say a\n```plan\nsay b\n```', 'say b\n'],
  ['nothing', undefined],
])('planTextIn(%j)', (prompt, text) => {
  expect(planTextIn(prompt)).toBe(text);
});

describe('fillResults', () => {
  const results = [
    '{"sum":3,"list":[{"x":"deep"}]}',
    'plain',
    { content: [{ type: 'text', text: 'whole' }], structuredContent: { n: 7 } },
    [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
    { error: 'it broke' },
    { sum: 4 },
  ];

  test.each([
    ['<<calls[0].json.sum>>', 3],
    ['<<calls[0].json.list[0].x>>', 'deep'],
    ['<<calls[0].json>>', { sum: 3, list: [{ x: 'deep' }] }],
    ['<<calls[0].json.sum.nothing>>', null],
    ['<<calls[1].json.nothing>>', null],
    ['<< calls[1].text >>', 'plain'],
    ['<<calls[2].text>> <<calls[2].json.n>> <<calls[2].json.m>>.', 'whole 7 .'],
    ['<<calls[3].text>>', 'one\ntwo'],
    ['<<calls[4].text>>', 'it broke'],
    ['<<calls[-1].text>>', '{"sum":4}'],
    ['a << b', 'a << b'],
  ])('%s', (text, value) => {
    expect(fillResults({ list: [text], same: 1 }, results)).toEqual({ list: [value], same: 1 });
  });

  test.each([
    ['<<calls[9].text>>', 'only 6 calls were made so far'],
    ['<<result>>', 'write <<calls[0].text>>'],
  ])('refuses %s', (text, message) => {
    expect(() => fillResultsInText(text, results)).toThrow(message);
  });
});

describe('readFault', () => {
  test('knows statuses, values and several words', () => {
    expect(readFault('429 retry-after=date:2 body=html latency=5')).toEqual({
      words: '429 retry-after=date:2 body=html latency=5',
      spoils: [],
      status: 429,
      retryAfter: { seconds: 2, as: 'date' },
      body: 'html',
      latencyMs: 5,
    });
  });

  test('a list repeats what has times', () => {
    expect(readFaults(['429 times=2', 'ok', 'hang']).map(({ status, hang }) => status ?? hang)).toEqual([
      429,
      429,
      undefined,
      true,
    ]);
  });

  test.each([
    ['4290', 'unknown fault "4290"'],
    ['toString', 'unknown fault "toString"'],
    ['cut=x', 'the fault "cut" needs a whole number'],
    ['latency=-1', 'the fault "latency" needs a number from 0'],
    ['retry-after=date:', 'the fault "retry-after" needs a number from 0'],
    ['ids=odd', 'the fault "ids" takes duplicate, missing'],
    ['finish', 'the fault "finish" needs a value'],
  ])('refuses %s', (words, message) => {
    expect(() => readFault(words)).toThrow(message);
  });
});
