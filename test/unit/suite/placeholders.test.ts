import { describe, expect, test } from 'vitest';
import { type Case, fillCase } from '../../../src/engine/suite/index.ts';
import { caseIn, problemsIn, withCase } from './reading.ts';

const values = { env: { CITY: 'Bonn', WORD: '$string' }, trialId: 'a#1' };
const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

/** The case of these keys, filled. */
function filled(keys: string, head = ''): Case {
  return fillCase(caseIn(keys, head), values);
}

describe('placeholders that cannot be filled', () => {
  test.each<[name: string, keys: string, problems: string[]]>([
    [
      'an unknown name',
      "prompt: 'Hi {{nam}}'\nvars: { name: a }\ncalls: none",
      ['3:17 error SUITE015 variable {{nam}} is not defined in case "Hi {{nam}}". Did you mean "name"?'],
    ],
    [
      'deep inside',
      "prompt: a\ncalls: [b: { c: [{ d: '{{x}}' }] }]",
      [
        '4:28 error SUITE015 variable {{x}} is not defined in case "a". Define it under vars; for a literal "{{" write "{{{{".',
      ],
    ],
    [
      'never closed',
      "prompt: 'a {{b'\ncalls: none",
      ['3:16 error SUITE015 "{{" is never closed. For a literal "{{" write "{{{{".'],
    ],
    [
      'a variable of the environment that is not required',
      "prompt: '{{env.CITY}}'\ncalls: none\nrequires: { env: [TOWN] }",
      [
        '3:14 error SUITE015 {{env.CITY}} needs "CITY" in requires.env. Add CITY to requires.env, so that the case is skipped where it is not set.',
      ],
    ],
    [
      'calls outside of a script',
      "prompt: 'a {{calls[0].text}}'\ncalls: none\nscript: [{ say: '{{calls[0].text}} {{calls[-1].json.a[0]}} {{calls}}' }]",
      [
        '3:16 error SUITE015 variable {{calls[0].text}} is not defined in case "a {{calls[0].text}}". Only scripts know {{calls[0].text}} and {{calls[0].json.key}}.',
        '5:64 error SUITE015 {{calls}} names no result of a call. Write {{calls[0].text}} or {{calls[-1].json.items[0].id}}.',
      ],
    ],
    [
      'an item that is counted from the end',
      "prompt: a\ncalls: none\nscript: [{ say: '{{calls[1].json.items[-1].id}}' }]",
      [
        '5:22 error SUITE015 {{calls[1].json.items[-1].id}} names no result of a call. Only calls are counted from the end, not the items of a list. Write {{calls[0].text}} or {{calls[-1].json.items[0].id}}.',
      ],
    ],
    [
      'a circle',
      "prompt: a\ncalls: none\nvars: { a: '{{b}}', b: ['{{c}}'], c: { d: '{{a}}' }, e: '{{e}}' }",
      ['5:16 error SUITE015 {{a}} refers to itself via {{b}}, {{c}}.', '5:61 error SUITE015 {{e}} refers to itself.'],
    ],
    [
      'what they may name',
      "prompt: '{{a}} {{ b }} {{trial.id}} {{env.X}} {{{{a}}'\ncalls: none\nvars: { a: 1, b: '{{a}}' }\nrequires: { env: [X] }",
      [],
    ],
    [
      'ids, tags, metadata and paths are not filled',
      "id: a\ntrace: '{{a}}.json'\ntags: ['{{b}}']\nmetadata: { c: '{{d}}' }\ncalls: none",
      [],
    ],
  ])('%s', (_, keys, problems) => {
    expect(problemsIn(withCase(keys))).toEqual(problems);
  });

  test('a text of the defaults is told once, and only where it holds', () => {
    const text = `mcprove: 1
defaults: { system: 'For {{who}}', vars: { where: here }, assert: [{ responseContains: '{{who}}' }] }
cases:
  - { prompt: a, calls: none, system: b, assert: { replace: [] } }
  - { prompt: c, calls: none, vars: { who: me } }
  - { prompt: d, calls: none }
  - { prompt: e, calls: none }
`;
    expect(problemsIn(text)).toEqual([
      expect.stringMatching(/^2:26 error SUITE015 variable \{\{who\}\} is not defined in case "d"/),
      expect.stringMatching(/^2:89 error SUITE015 variable \{\{who\}\} is not defined in case "d"/),
    ]);
  });

  test('variables that grow are counted, not expanded', () => {
    const doubling = Array.from({ length: 40 }, (_, index) => `v${index + 1}: '{{v${index}}}{{v${index}}}'`).join(', ');
    expect(problemsIn(withCase(`prompt: '{{v40}}'\ncalls: none\nvars: { v0: abc, ${doubling} }`))[0]).toMatch(
      /^3:14 error SUITE015 the placeholders of case "\{\{v40\}\}" expand to more than 5,000,000 characters\./,
    );
  });

  test('variables nested deeper than 100', () => {
    const chain = Array.from({ length: 200 }, (_, index) => `v${index}: '{{v${index + 1}}}'`).join(', ');
    expect(problemsIn(withCase(`prompt: a\ncalls: none\nvars: { ${chain}, v200: a }`))[0]).toBe(
      '5:17 error SUITE015 {{v0}} needs variables nested deeper than 100 levels.',
    );
  });
});

describe('fillCase', () => {
  test('fills every text, and keeps the type of a value that stands alone', () => {
    const testCase = filled(`name: 'Case {{n}}'
description: 'About {{list}}'
prompt: 'In {{env.CITY}}, {{n}} times, {{list}}, {{{{n}} ({{trial.id}})'
vars: { n: 3, list: [1, { a: null }], t: get_weather, twice: '{{n}}{{n}}', same: '{{list}}' }
requires: { env: [CITY] }
calls:
  - tool: '{{t}}'
    arguments: { n: '{{n}}', text: 'n={{n}}', twice: '{{twice}}', same: '{{same}}' }
    result: { json: '{{list}}', text: '{{env.CITY}}' }
  - anyOf: [{ tool: '{{t}}', arguments: {} }]
match: { ignoreTools: ['{{t}}*'] }
tools: { allow: ['{{t}}'], deny: ['x{{n}}'] }
system: '{{t}}'
assert:
  - toolCalled: { tool: ['{{t}}'], arguments: { n: '{{n}}' } }
  - toolOrder: ['{{t}}', b]
  - firstTool: '{{t}}'
  - result: { tool: '{{t}}', text: '{{t}}' }
  - responseContains: [a, { anyOf: ['{{n}}'] }]
  - response: '{{t}}'
script:
  - say: '{{calls[0].text}} {{n}} {{ calls[-1].json.a }}'
  - calls: [{ tool: '{{t}}', arguments: { n: '{{n}}', before: '{{calls[0].json.id}}' } }]
  - fails: '{{t}}'`);
    expect(plain(testCase)).toMatchObject({
      id: 'case-n',
      name: 'Case 3',
      description: 'About [1,{"a":null}]',
      subject: { prompt: 'In Bonn, 3 times, [1,{"a":null}], {{n}} (a#1)' },
      route: {
        expected: [
          {
            tool: 'get_weather',
            arguments: { n: 3, text: 'n=3', twice: '33', same: [1, { a: null }] },
            result: { json: [1, { a: null }], text: 'Bonn' },
          },
          { anyOf: [[{ tool: 'get_weather' }]] },
        ],
      },
      match: { ignoreTools: ['get_weather*'] },
      tools: { allow: ['get_weather'], deny: ['x3'] },
      system: 'get_weather',
      assertions: [
        { value: { tools: [['get_weather']], arguments: { n: 3 } }, label: 'toolCalled: get_weather {"n":"3"}' },
        { value: ['get_weather', 'b'] },
        { value: 'get_weather' },
        { value: { tool: 'get_weather', expect: { text: 'get_weather' } } },
        { value: [['a'], ['3']] },
        { value: 'get_weather' },
      ],
      script: [
        { say: '{{calls[0].text}} 3 {{calls[-1].json.a}}' },
        { calls: [{ tool: 'get_weather', arguments: { n: 3, before: '{{calls[0].json.id}}' } }] },
        { fails: 'get_weather' },
      ],
    });
  });

  test('a call of the runner, and what is expected of it', () => {
    const { subject } = filled(
      "tool: get_{{w}}\nvars: { w: weather, n: 1 }\narguments: { n: '{{n}}', m: { $eq: '{{w}}' } }\nexpect: { text: { $contains: '{{w}}' } }",
    );
    expect(plain(subject)).toMatchObject({
      tool: 'get_weather',
      arguments: { n: 1, m: { $eq: 'weather' } },
      expect: { text: { $contains: 'weather' } },
    });
  });

  test('a value in a pattern is escaped', () => {
    const { route, assertions } = filled(`prompt: a
vars: { price: '$5 (a+b)' }
calls: [b: { c: { $matches: '^{{price}}$' }, d: { $not: { $matches: '{{price}}' } } }]
assert: [responseMatches: ['{{price}}']]`);
    const escaped = '\\$5 \\(a\\+b\\)';
    expect(plain(route)).toMatchObject({
      expected: [{ arguments: { c: { $matches: `^${escaped}$` }, d: { $not: { $matches: escaped } } } }],
    });
    expect(assertions).toMatchObject([{ value: [[escaped]] }]);
  });

  test('a value from the environment never becomes a matcher', () => {
    const { route } = filled("prompt: a\nrequires: { env: [WORD] }\ncalls: [b: { c: '{{env.WORD}}' }]");
    expect(plain(route)).toMatchObject({ expected: [{ arguments: { c: { $eq: '$string' } } }] });
  });

  test('is pure', () => {
    const testCase = caseIn("prompt: '{{n}}'\nvars: { n: [1] }\ncalls: [b: { c: '{{n}}' }]");
    const before = plain(testCase);
    const first = fillCase(testCase, values);
    expect(plain(testCase)).toEqual(before);
    expect(plain(fillCase(testCase, values))).toEqual(plain(first));
  });

  test('a variable of the environment that is not set', () => {
    const testCase = caseIn("prompt: '{{env.CITY}}'\nrequires: { env: [CITY] }\ncalls: none");
    expect(() => fillCase(testCase, { env: {}, trialId: 'a#1' })).toThrowError(
      expect.objectContaining({ code: 'SUITE013', message: 'environment variable "CITY" is not set' }),
    );
  });
});
