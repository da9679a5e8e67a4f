import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { caseIn, FILE, suiteIn } from './reading.ts';

const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

describe('a suite', () => {
  test('the shortest one has every default', () => {
    const text =
      'mcprove: 1\ncases:\n  - prompt: What is the weather in Berlin?\n    calls: [get_weather: { city: Berlin }]\n';
    const { locate, snapshot, ...suite } = suiteIn(text);
    expect(suite).toEqual({
      file: FILE,
      workspace: '/work space',
      hash: createHash('sha256').update(text).digest('hex'),
      name: 'a',
      description: null,
      tags: [],
      metadata: {},
      servers: null,
      models: null,
      pass: { kind: 'cells', bar: 1, minCompletion: 0.8, maxEvaluatorErrors: 0.1, minGradeable: null },
      cases: [
        {
          at: '/cases/0',
          id: 'what-is-the-weather-in-berlin',
          name: 'What is the weather in Berlin?',
          description: null,
          tags: [],
          metadata: {},
          skip: null,
          only: false,
          requires: { env: [], os: [] },
          subject: { kind: 'prompt', at: '/cases/0/prompt', prompt: 'What is the weather in Berlin?' },
          vars: {},
          route: {
            at: '/cases/0/calls',
            expected: [{ at: '/cases/0/calls/0', tool: 'get_weather', arguments: { city: 'Berlin' }, count: null }],
          },
          match: { arguments: 'partial', order: 'any', extras: 'allow', ignoreTools: [] },
          assertions: [],
          tools: { allow: null, deny: [], readOnly: false },
          execute: true,
          system: null,
          temperature: null,
          maxOutputTokens: null,
          toolChoice: null,
          seed: null,
          trials: 1,
          pass: null,
          timeoutMs: 120_000,
          maxTurns: 20,
          script: null,
        },
      ],
    });
    expect(plain(snapshot)).toEqual({
      mcprove: 1,
      cases: [{ prompt: 'What is the weather in Berlin?', calls: [{ get_weather: { city: 'Berlin' } }] }],
    });
    expect(locate('/cases/0/calls').start).toMatchObject({ line: 4, column: 12 });
  });

  test('its own keys', () => {
    const suite = suiteIn(`mcprove: 1
name: Weather
description: About the weather
tags: [smoke]
metadata: { owner: us, nested: [1, null] }
servers:
  weather: {}
  empty:
  local: { command: node, args: [server.js, --port, 0080, 1.10], env: { LEVEL: 007, NAME: a }, cwd: sub }
models:
  - scripted
  - openai/gpt-5.4-mini
  - { id: local, provider: openai-compatible, model: 'qwen3:8b', baseUrl: 'http://localhost:11434/v1', apiKey: '\${env:LOCAL_KEY}', temperature: 0, maxOutputTokens: 9, toolChoice: required, seed: 1, price: { input: 0.15, output: 0.60, cachedInput: 0.01 } }
  - { provider: openrouter, model: acme/one }
pass: { cell: 80%, minCompletion: 0.9, minGradeable: 3 }
cases: [{ prompt: a, calls: none }]
`);
    expect(plain(suite)).toMatchObject({
      name: 'Weather',
      description: 'About the weather',
      tags: ['smoke'],
      metadata: { owner: 'us', nested: [1, null] },
      servers: [
        { at: '/servers/weather', name: 'weather' },
        { at: '/servers/empty', name: 'empty' },
        {
          at: '/servers/local',
          name: 'local',
          command: 'node',
          args: ['server.js', '--port', '0080', '1.10'],
          env: { LEVEL: '007', NAME: 'a' },
          cwd: 'sub',
        },
      ],
      models: [
        { at: '/models/0', id: 'scripted', provider: 'scripted', model: '' },
        { at: '/models/1', id: 'openai/gpt-5.4-mini', provider: 'openai', model: 'gpt-5.4-mini' },
        {
          at: '/models/2',
          id: 'local',
          provider: 'openai-compatible',
          model: 'qwen3:8b',
          baseUrl: 'http://localhost:11434/v1',
          apiKey: `\${env:LOCAL_KEY}`,
          temperature: 0,
          maxOutputTokens: 9,
          toolChoice: 'required',
          seed: 1,
          price: { input: 0.15, output: 0.6, cachedInput: 0.01 },
        },
        { at: '/models/3', id: 'openrouter/acme/one', provider: 'openrouter', model: 'acme/one' },
      ],
      pass: { kind: 'cells', bar: 0.8, minCompletion: 0.9, maxEvaluatorErrors: 0.1, minGradeable: 3 },
    });
  });

  test.each([
    ['80%', { kind: 'cells', bar: 0.8 }],
    ['0.5', { kind: 'cells', bar: 0.5 }],
    ['100%', { kind: 'cells', bar: 1 }],
    ['99.5%', { kind: 'cells', bar: 0.995 }],
    ['{ trials: 90% }', { kind: 'trials', bar: 0.9 }],
  ])('pass: %s', (written, pass) => {
    expect(suiteIn(`mcprove: 1\npass: ${written}\ncases: [{ prompt: a, calls: none }]\n`).pass).toMatchObject(pass);
  });

  test('servers as a list of names', () => {
    expect(suiteIn('mcprove: 1\nservers: [a, b]\ncases: [{ prompt: a, calls: none }]\n').servers).toEqual([
      { at: '/servers/0', name: 'a' },
      { at: '/servers/1', name: 'b' },
    ]);
  });

  test('data from a file has no prototype', () => {
    const { route } = caseIn('prompt: a\ncalls: [b: { c: { d: 1 } }]');
    const [call] = route?.expected ?? [];
    const args = call !== undefined && 'tool' in call ? call.arguments : undefined;
    expect(Object.getPrototypeOf(args)).toBeNull();
    expect(Object.getPrototypeOf((args as { c: object }).c)).toBeNull();
  });

  test('aliases and merge keys', () => {
    const text = `mcprove: 1
x-base: &base { timeout: 5s, tags: [a], maxTurns: 2 }
x-more: &more { timeout: 7s, execute: false }
cases:
  - { <<: *base, prompt: a, calls: &calls [b] }
  - { prompt: c, calls: *calls, <<: [*base, *more], maxTurns: 3 }
`;
    const [first, second] = suiteIn(text).cases;
    expect(first).toMatchObject({ timeoutMs: 5000, tags: ['a'], maxTurns: 2, execute: true });
    expect(second).toMatchObject({
      timeoutMs: 5000,
      execute: false,
      maxTurns: 3,
      route: { expected: [{ tool: 'b' }] },
    });
  });
});

describe('places', () => {
  const text = `mcprove: 1
x-base: &base { timeout: 5s }
cases:
  - <<: *base
    prompt: 'a'
    calls: &calls
      - get_weather: { city: Berlin, 'a/b~c': 1 }
  - prompt: b
    calls: *calls
`;
  const { locate } = suiteIn(text);

  test.each<[pointer: string, key: boolean, place: string]>([
    ['', false, '1:1-10:1'],
    ['/cases/0/prompt', false, '5:13-5:16'],
    ['/cases/0/prompt', true, '5:5-5:11'],
    ['/cases/0/calls/0/get_weather/city', false, '7:30-7:36'],
    ['/cases/0/calls/0/get_weather/a~1b~0c', true, '7:38-7:45'],
    // Where the text really is: behind the merge key, behind the alias.
    ['/cases/0/timeout', false, '2:26-2:28'],
    ['/cases/1/calls/0/get_weather/city', false, '7:30-7:36'],
    ['/cases/1/calls', false, '9:12-9:18'],
    // The nearest parent of what is not there.
    ['/cases/1/system', false, '8:5-10:1'],
    ['/cases/7/prompt', false, '4:3-10:1'],
  ])('%s (key: %s)', (pointer, key, place) => {
    const { start, end } = locate(pointer, { key });
    expect(`${start.line}:${start.column}-${end.line}:${end.column}`).toBe(place);
    expect(start.offset).toBeLessThanOrEqual(end.offset);
  });
});

describe('a case', () => {
  test('all its keys', () => {
    const testCase = caseIn(`id: full
name: Everything
description: All keys
tags: [a, b]
metadata: { x: 1 }
skip: later
only: true
requires: { env: [TOKEN], os: [linux, macos] }
prompt: '  with space around  '
vars: { n: 3 }
calls: none
match: { arguments: exact, order: inOrder, extras: 2, ignoreTools: ['list_*'] }
tools: { allow: ['get_*'], deny: [get_all], readOnly: true }
execute: false
system: Be brief
temperature: 0.5
maxOutputTokens: 100
toolChoice: { tool: 'get_{{n}}' }
seed: 7
trials: 5
pass: 60%
timeout: 1.5m
maxTurns: 4
script:
  - say: Hello
  - calls: [a, { b: { c: 1 } }, { d: }, { tool: e, arguments: { f: 2 } }]
  - fails: overloaded`);
    expect(plain(testCase)).toEqual({
      at: '/cases/0',
      id: 'full',
      name: 'Everything',
      description: 'All keys',
      tags: ['a', 'b'],
      metadata: { x: 1 },
      skip: 'later',
      only: true,
      requires: { env: ['TOKEN'], os: ['linux', 'macos'] },
      subject: { kind: 'prompt', at: '/cases/0/prompt', prompt: 'with space around' },
      vars: { n: 3 },
      route: { at: '/cases/0/calls', expected: [] },
      match: { arguments: 'exact', order: 'inOrder', extras: 2, ignoreTools: ['list_*'] },
      assertions: [],
      tools: { allow: ['get_*'], deny: ['get_all'], readOnly: true },
      execute: false,
      system: 'Be brief',
      temperature: 0.5,
      maxOutputTokens: 100,
      toolChoice: { tool: 'get_{{n}}' },
      seed: 7,
      trials: 5,
      pass: 0.6,
      timeoutMs: 90_000,
      maxTurns: 4,
      script: [
        { at: '/cases/0/script/0', say: 'Hello', calls: [], fails: null },
        {
          at: '/cases/0/script/1',
          say: null,
          calls: [
            { tool: 'a', arguments: {} },
            { tool: 'b', arguments: { c: 1 } },
            { tool: 'd', arguments: {} },
            { tool: 'e', arguments: { f: 2 } },
          ],
          fails: null,
        },
        { at: '/cases/0/script/2', say: null, calls: [], fails: 'overloaded' },
      ],
    });
  });

  test('a call of the runner', () => {
    const { name, id, subject } = caseIn(
      'tool: weather::get\narguments: { a: $string }\nexpect: { isError: true, text: { $contains: no } }',
    );
    expect({ name, id }).toEqual({ name: 'weather::get', id: 'weather-get' });
    expect(plain(subject)).toEqual({
      kind: 'tool',
      at: '/cases/0/tool',
      tool: 'weather::get',
      arguments: { a: '$string' },
      expect: { at: '/cases/0/expect', isError: true, text: { $contains: 'no' } },
    });
  });

  test('a trace lies beside the suite', () => {
    const { name, subject } = caseIn('trace: traces/a.json\ncalls: [b]');
    expect(name).toBe('traces/a.json');
    expect(subject).toEqual({ kind: 'trace', at: '/cases/0/trace', path: '/work space/suites/traces/a.json' });
  });

  test.each([
    ['What is the weather?', 'what-is-the-weather'],
    ['  Übergrößen & Äpfel!', 'übergrößen-äpfel'],
    ['東京の天気は？', '東京の天気は'],
    ['हिन्दी में', 'हिन्दी-में'],
    ['Order #42: 3.5 kg', 'order-42-3-5-kg'],
    ['a\u0301bc', 'ábc'],
    [
      'one two three four five six seven eight nine ten eleven twelve thirteen',
      'one-two-three-four-five-six-seven-eight-nine-ten-eleven-twelve',
    ],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('the id of %j', (prompt, id) => {
    expect(caseIn(`prompt: ${JSON.stringify(prompt)}\ncalls: none`).id).toBe(id);
  });

  test('a long prompt gives a short name', () => {
    const { name } = caseIn(`prompt: |\n  ${'word '.repeat(30)}\n  second line\ncalls: none`);
    expect(name).toHaveLength(80);
    expect(name.endsWith('…')).toBe(true);
  });
});

describe('defaults', () => {
  const head = `tags: [suite]
defaults:
  system: Be kind
  tags: [default]
  tools: { allow: ['get_*'], readOnly: true }
  match: { order: inOrder, extras: forbid }
  vars: { a: 1, b: 2 }
  requires: { env: [A] }
  execute: untilExpected
  trials: 3
  timeout: 30s
  maxTurns: 5
  assert: [noToolErrors, { limits: { turns: 3 }, role: advisory }]`;

  test('lie under a case', () => {
    expect(plain(caseIn('prompt: a\ncalls: [b]', head))).toMatchObject({
      tags: ['suite', 'default'],
      tools: { allow: ['get_*'], deny: [], readOnly: true },
      match: { arguments: 'partial', order: 'inOrder', extras: 'forbid' },
      vars: { a: 1, b: 2 },
      requires: { env: ['A'], os: [] },
      execute: 'untilExpected',
      system: 'Be kind',
      trials: 3,
      timeoutMs: 30_000,
      maxTurns: 5,
      assertions: [
        { kind: 'noToolErrors', at: '/defaults/assert/0', inherited: true, role: 'required' },
        { kind: 'limits', at: '/defaults/assert/1', inherited: true, role: 'advisory' },
      ],
    });
  });

  test('maps merge key by key, lists replace, tags and assertions add', () => {
    const keys = `prompt: a
calls: [b]
tags: [case, suite]
tools: { allow: [c], deny: [d] }
match: { order: any }
vars: { b: 3, c: 4 }
requires: { os: [linux] }
execute: true
system: Be brief
assert: [responseNotEmpty]`;
    expect(plain(caseIn(keys, head))).toMatchObject({
      tags: ['suite', 'default', 'case'],
      tools: { allow: ['c'], deny: ['d'], readOnly: true },
      match: { order: 'any', extras: 'forbid' },
      vars: { a: 1, b: 3, c: 4 },
      requires: { env: ['A'], os: ['linux'] },
      execute: true,
      system: 'Be brief',
      assertions: [
        { at: '/defaults/assert/0' },
        { at: '/defaults/assert/1' },
        { kind: 'responseNotEmpty', at: '/cases/0/assert/0', inherited: false },
      ],
    });
  });

  test('assertions can be replaced', () => {
    const { assertions } = caseIn('prompt: a\ncalls: [b]\nassert: { replace: [responseNotEmpty] }', head);
    expect(assertions).toMatchObject([{ kind: 'responseNotEmpty', at: '/cases/0/assert/replace/0' }]);
  });

  test('an order that is exact leaves no room for the extras of the defaults', () => {
    const { match } = caseIn('prompt: a\ncalls: [b]\nmatch: { order: exact }', 'defaults: { match: { extras: 3 } }');
    expect(match).toMatchObject({ order: 'exact', extras: 'forbid' });
  });
});

describe('expected calls', () => {
  test('every form', () => {
    const { route } = caseIn(`prompt: a
calls:
  - a
  - b: { c: 1 }
  - d:
  - tool: weather::e
    arguments: { f: $string }
    count: 2
    result: { json: { g: 1 }, isError: false }
  - { tool: h, count: { min: 0, max: 3 } }
  - anyOf: [i, { j: { k: 1 } }, [l, { tool: m, count: 1 }]]`);
    const at = (rest: string) => `/cases/0/calls/${rest}`;
    expect(plain(route?.expected)).toEqual([
      { at: at('0'), tool: 'a', count: null },
      { at: at('1'), tool: 'b', arguments: { c: 1 }, count: null },
      { at: at('2'), tool: 'd', count: null },
      {
        at: at('3'),
        tool: 'weather::e',
        arguments: { f: '$string' },
        count: { min: 2, max: 2 },
        result: { at: at('3/result'), json: { g: 1 }, isError: false },
      },
      { at: at('4'), tool: 'h', count: { min: 0, max: 3 } },
      {
        at: at('5'),
        anyOf: [
          [{ at: at('5/anyOf/0'), tool: 'i', count: null }],
          [{ at: at('5/anyOf/1'), tool: 'j', arguments: { k: 1 }, count: null }],
          [
            { at: at('5/anyOf/2/0'), tool: 'l', count: null },
            { at: at('5/anyOf/2/1'), tool: 'm', count: { min: 1, max: 1 } },
          ],
        ],
      },
    ]);
  });
});

describe('assertions', () => {
  test.each<[written: string, label: string, body: object]>([
    ['noToolErrors', 'noToolErrors', { kind: 'noToolErrors', value: null }],
    ['{ argumentsValid: true }', 'argumentsValid', { kind: 'argumentsValid', value: null }],
    ['resultsValid', 'resultsValid', { kind: 'resultsValid', value: { last: false } }],
    [
      '{ resultsValid: { last: true } }',
      'resultsValid: the last of each tool',
      { kind: 'resultsValid', value: { last: true } },
    ],
    ['responseNotEmpty', 'responseNotEmpty', { kind: 'responseNotEmpty', value: null }],
    ['{ toolCalled: a }', 'toolCalled: a', { kind: 'toolCalled', value: { tools: [['a']], count: null } }],
    [
      "{ toolNotCalled: ['delete_*', { anyOf: [b, c] }] }",
      'toolNotCalled: delete_*, b or c',
      { kind: 'toolNotCalled', value: { tools: [['delete_*'], ['b', 'c']], count: null } },
    ],
    [
      '{ toolCalled: { anyOf: [a, b] } }',
      'toolCalled: a or b',
      { kind: 'toolCalled', value: { tools: [['a', 'b']], count: null } },
    ],
    [
      '{ toolCalled: { tool: a, arguments: { b: 1 }, count: { min: 2 }, result: { isError: true } } }',
      'toolCalled: a {"b":1} at least 2 times with an error',
      {
        kind: 'toolCalled',
        value: {
          tools: [['a']],
          arguments: { b: 1 },
          count: { min: 2, max: Number.MAX_SAFE_INTEGER },
          result: { at: '/cases/0/assert/0/toolCalled/result', isError: true },
        },
      },
    ],
    ["{ onlyTools: ['get_*', b] }", 'onlyTools: get_*, b', { kind: 'onlyTools', value: ['get_*', 'b'] }],
    ['{ firstTool: a }', 'firstTool: a', { kind: 'firstTool', value: 'a' }],
    ['{ lastTool: a }', 'lastTool: a', { kind: 'lastTool', value: 'a' }],
    ['{ toolOrder: [a, b, c] }', 'toolOrder: a → b → c', { kind: 'toolOrder', value: ['a', 'b', 'c'] }],
    [
      '{ result: { tool: a, text: { $contains: b } } }',
      'result: a text {"$contains":"b"}',
      {
        kind: 'result',
        value: { tool: 'a', expect: { at: '/cases/0/assert/0/result', text: { $contains: 'b' } } },
      },
    ],
    ['{ resultContains: a }', 'resultContains: a', { kind: 'resultContains', value: [['a']] }],
    [
      '{ responseContains: [a, { anyOf: [b, c] }] }',
      'responseContains: a, b or c',
      { kind: 'responseContains', value: [['a'], ['b', 'c']] },
    ],
    ["{ responseMatches: '^a' }", 'responseMatches: ^a', { kind: 'responseMatches', value: [['^a']] }],
    [
      '{ response: { $startsWith: a } }',
      'response: {"$startsWith":"a"}',
      { kind: 'response', value: { $startsWith: 'a' } },
    ],
    ['{ responseJson: { a: 1 } }', 'responseJson: {"a":1}', { kind: 'responseJson', value: { a: 1 } }],
    [
      '{ limits: { toolCalls: 3, turns: { min: 1 }, tokens: { min: 1, max: 9 }, duration: 90s, toolDuration: { a: 500ms } } }',
      'limits: toolCalls ≤ 3, turns ≥ 1, 1 ≤ tokens ≤ 9, duration ≤ 90s, a ≤ 500ms',
      {
        kind: 'limits',
        value: {
          toolCalls: { min: null, max: 3 },
          turns: { min: 1, max: null },
          tokens: { min: 1, max: 9 },
          durationMs: { min: null, max: 90_000 },
          toolDurationMs: { a: { min: null, max: 500 } },
        },
      },
    ],
    [
      '{ responseContains: a, name: Says a, role: advisory }',
      'Says a',
      { kind: 'responseContains', value: [['a']], role: 'advisory' },
    ],
  ])('%s', (written, label, body) => {
    const [assertion] = caseIn(`prompt: a\ncalls: none\nassert: [${written}]`).assertions;
    expect(plain(assertion)).toEqual({ at: '/cases/0/assert/0', label, role: 'required', inherited: false, ...body });
  });

  test('a long label is cut', () => {
    const [assertion] = caseIn(`prompt: a\nassert: [responseContains: ${'word '.repeat(40)}]`).assertions;
    expect(assertion?.label).toHaveLength(80);
  });
});
