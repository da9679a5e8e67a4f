import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../../src/engine/errors.ts';
import { FILE, problemsIn, read, withCase } from './reading.ts';

const CASES = 'cases: [{ prompt: a, calls: none }]\n';

describe('the top level', () => {
  test.each<[name: string, text: string, problems: string[]]>([
    ['no cases', 'mcprove: 1\n', ['1:1 error SUITE001 the suite has no "cases".']],
    [
      'an unknown key with a near one',
      `mcprove: 1\nserver: [a]\n${CASES}`,
      ['2:1 error SUITE002 unknown key "server" in the suite. Did you mean "servers"?'],
    ],
    [
      'an unknown key with none near lists the few there are',
      `mcprove: 1\ngates: {}\n${CASES}`,
      [
        '2:1 error SUITE002 unknown key "gates" in the suite. Known: mcprove, name, description, tags, metadata, servers, models, defaults, pass, cases.',
      ],
    ],
    ['keys that begin with x-', `mcprove: 1\nx-anything: [{ a: 1 }]\n${CASES}`, []],
    [
      'a newer format, and nothing else about it',
      'mcprove: 2\nsteps: []\n',
      ['1:10 error SUITE025 the file is of format 2; this version reads 1. Upgrade MCProve.'],
    ],
    ['a mark that is text', `mcprove: '1'\n${CASES}`, [`1:10 error SUITE003 "mcprove" must be 1; found text "1".`]],
    [
      'no list of cases',
      'mcprove: 1\ncases: {}\n',
      ['2:8 error SUITE003 "cases" must be a list of at least one case; found an empty map.'],
    ],
    [
      'no case',
      'mcprove: 1\ncases: []\n',
      ['2:8 error SUITE003 "cases" must be a list of at least one case; found an empty list.'],
    ],
    [
      'a case that is no map',
      'mcprove: 1\ncases: [a]\n',
      ['2:9 error SUITE003 "cases[0]" must be a case; found text "a".'],
    ],
    [
      'too many cases are counted and not read',
      `mcprove: 1\ncases:\n${'  - {}\n'.repeat(10_001)}`,
      ['2:1 error SUITE011 10,001 cases; the limit is 10,000. Split the suite.'],
    ],
    [
      'a number for a name',
      `mcprove: 1\nname: 007\n${CASES}`,
      [`2:7 error SUITE003 "name" must be text; found number 7. Quote it: '007'.`],
    ],
    ['an empty name', `mcprove: 1\nname:\n${CASES}`, ['2:6 error SUITE003 "name" must be text; found nothing.']],
    [
      'servers named twice',
      `mcprove: 1\nservers: [a, b, a]\n${CASES}`,
      ['2:17 error SUITE005 server "a" is already named at 2:11.'],
    ],
    [
      'keys of a server',
      `mcprove: 1\nservers:\n  a: { comand: node }\n  b: { command: npx -y pkg }\n  'c::d': {}\n  e: { env: { A: true } }\n  f:\n  g: { command: 'C:/Program Files/node.exe', args: [-p, 0080] }\n${CASES}`,
      [
        '3:8 error SUITE002 unknown key "comand" in a server. Did you mean "command"?',
        '4:17 error SUITE027 "command" holds a command line; it names the program alone. Put "npx" in command and ["-y", "pkg"] in args.',
        '5:3 error SUITE003 the key "c::d" must be the name of a server, without "::".',
        `6:18 error SUITE003 "A" must be text or a number; found true. Quote it: 'true'.`,
      ],
    ],
    [
      'how a server is reached',
      `mcprove: 1\nservers:\n  a: { command: node, url: 'https://x' }\n  b: { type: htpp, url: 'ftp://x' }\n  c: { type: stdio, url: 'https://x' }\n  d: { type: sse, command: node }\n  e: { url: '\${env:URL}' }\n${CASES}`,
      [
        '3:23 error SUITE023 a server has a command or a url, not both. Leave one of them out.',
        '4:14 error SUITE003 "type" must be stdio, http or sse; found text "htpp". Did you mean "http"?',
        '4:25 error SUITE003 "url" must begin with http:// or https://.',
        '5:14 error SUITE023 the type stdio does not go with a url. Leave one of them out.',
        '6:14 error SUITE023 the type sse does not go with a command. Leave one of them out.',
      ],
    ],
    [
      'times, isolation and systems of a server',
      `mcprove: 1\nservers:\n  a: { isolation: each, startTimeout: 30, callTimeout: 11m }\n  b: { os: { win: {}, linux: { comand: x, os: {} }, macos: { command: a, url: 'https://x' } } }\n  c: { headers: { A: true }, envFile: 1, callTimeout: 10m }\n${CASES}`,
      [
        '3:19 error SUITE003 "isolation" must be shared or trial; found text "each".',
        '3:39 error SUITE003 "startTimeout" must be a duration with a unit, such as 30s; found number 30. Write the unit: 30s, or 30ms.',
        '3:56 error SUITE016 a timeout must be over 0 and at most 10m.',
        '4:14 error SUITE002 unknown key "win" in "os". Known: windows, macos, linux.',
        '4:32 error SUITE002 unknown key "comand" in a server. Did you mean "command"?',
        '4:43 error SUITE002 unknown key "os" in a server. Known: type, command, args, env, envFile, cwd, url, headers, isolation, startTimeout, callTimeout.',
        '4:74 error SUITE023 a server has a command or a url, not both. Leave one of them out.',
        `5:22 error SUITE003 "A" must be text or a number; found true. Quote it: 'true'.`,
        `5:39 error SUITE003 "envFile" must be text; found number 1. Quote it: '1'.`,
      ],
    ],
    [
      'models',
      `mcprove: 1\nmodels: [scripted, gpt-5, openai/gpt-5, scripted]\n${CASES}`,
      ['2:20 error SUITE003 "models[1]" must be scripted, or "provider/model"; found text "gpt-5".'],
    ],
    [
      'a model alone',
      `mcprove: 1\nmodels: scripted\n${CASES}`,
      ['2:9 error SUITE003 "models" must be a list of models; found text "scripted". Write a list: [scripted].'],
    ],
    [
      'the same model twice',
      `mcprove: 1\nmodels: [scripted, scripted]\n${CASES}`,
      ['2:20 error SUITE005 model "scripted" is already named at 2:10.'],
    ],
    [
      'keys of models',
      `mcprove: 1
models:
  - { provider: openai }
  - { provider: openai, model: a, baseUrl: localhost:80, apikey: x }
  - { id: two words, provider: openai, model: b, temperature: 3, seed: -1 }
  - { provider: openai, model: c, price: { input: -1 }, toolChoice: always }
  - { provider: openai, model: d, toolChoice: { tool: 'get_*' } }
  - { id: scripted, provider: openai, model: e }
${CASES}`,
      [
        '3:5 error SUITE003 "model" is missing in "models[0]".',
        '4:44 error SUITE003 "baseUrl" must be an address that begins with http:// or https://; found text "localhost:80".',
        '4:58 error SUITE002 unknown key "apikey" in a model. Did you mean "apiKey"?',
        '5:11 error SUITE003 "id" must be text without white space; found text "two words".',
        '5:63 error SUITE016 "temperature" must be a number from 0 to 2; found number 3.',
        '5:72 error SUITE016 "seed" must be a whole number from 0 to 2147483647; found number -1.',
        '6:42 error SUITE003 "output" is missing in "price".',
        '6:51 error SUITE016 "input" must be US dollars per million tokens; found number -1.',
        '6:69 error SUITE003 "toolChoice" must be one of auto, required, none; found text "always".',
        '7:55 error SUITE003 "get_*" is a pattern; a tool that is called needs its full name.',
        '8:11 error SUITE003 "scripted" is the model that plays scripts; take another id.',
      ],
    ],
    [
      'a model that is named and described',
      `mcprove: 1\nmodels:\n  - openai/a\n  - { provider: openai, model: a, temperature: 1 }\n${CASES}`,
      ['4:5 error SUITE005 model "openai/a" is already named at 3:5.'],
    ],
    [
      'a rate over 1',
      `mcprove: 1\npass: 80\n${CASES}`,
      ['2:7 error SUITE016 "pass" must be a rate such as 90% or 0.9; found number 80. Did you mean 80%?'],
    ],
    [
      'one rate for all trials goes with nothing else',
      `mcprove: 1\npass: { trials: 90%, minCompletion: 0.9 }\n${CASES}`,
      [
        '2:22 error SUITE002 unknown key "minCompletion" in "pass" with "trials", to which no other rule applies. Known: trials.',
      ],
    ],
    [
      'an empty pass',
      `mcprove: 1\npass: {}\n${CASES}`,
      ['2:7 error SUITE003 expected cell or trials; found an empty map.'],
    ],
    [
      'keys of defaults',
      `mcprove: 1\ndefaults: { prompt: a, trials: 0, match: { order: exact, extras: 1 } }\n${CASES}`,
      [
        '2:13 error SUITE002 unknown key "prompt" in "defaults".',
        '2:32 error SUITE016 "trials" must be a whole number from 1 to 100; found number 0.',
        '2:58 error SUITE023 the order exact leaves no room for extras. Leave one of them out.',
      ],
    ],
  ])('%s', (_, text, problems) => {
    expect(problemsIn(text)).toEqual(problems);
  });
});

describe('keys of a case', () => {
  test.each<[name: string, keys: string, problems: string[]]>([
    ...['no', 'Off', 'NO', 'y', "'false'"].map((word): [string, string, string[]] => {
      const text = word.replaceAll("'", '');
      const meant = text === 'y' ? 'true' : 'false';
      const hint = text === 'false' ? 'Remove the quotes.' : `"${text}" is text in YAML 1.2; write ${meant}.`;
      return [
        `a reason that looks like a boolean: ${word}`,
        `prompt: a\ncalls: none\nskip: ${word}`,
        [`5:11 error SUITE004 "${text}" is read as a reason, which counts as true. ${hint}`],
      ];
    }),
    ['a reason that begins so', 'prompt: a\ncalls: none\nskip: no network here', []],
    [
      'a word for a boolean beside others',
      'prompt: a\ncalls: none\nexecute: off',
      [
        '5:14 error SUITE003 "execute" must be true, false or untilExpected; found text "off". "off" is text in YAML 1.2; write false.',
      ],
    ],
    [
      'a call of a script that lacks its braces',
      'prompt: a\ncalls: none\nscript: [calls: [tool: b, arguments: { c: 1 }]]',
      [
        '5:31 error SUITE003 "arguments" stands beside the call that it belongs to, as a call of its own. Write { tool: b, arguments: … }, or a block with each key on a line of its own.',
      ],
    ],
    [
      'an unknown key says in which case',
      'id: login\nprompt: a\ncalls: none\nasert: []',
      ['6:5 error SUITE002 unknown key "asert" in case "login". Did you mean "assert"?'],
    ],
    [
      'another spelling',
      'prompt: a\ncalls: none\nmax_turns: 3',
      ['5:5 error SUITE002 unknown key "max_turns" in case "a". Did you mean "maxTurns"?'],
    ],
    [
      'a key of a later step',
      'prompt: a\ncalls: none\nmocks: {}',
      ['5:5 error SUITE002 unknown key "mocks" in case "a".'],
    ],
    [
      'text for a number',
      'prompt: a\ncalls: none\nmaxTurns: ten',
      ['5:15 error SUITE003 "maxTurns" must be a whole number from 1 to 1000; found text "ten".'],
    ],
    [
      'a number in quotes',
      "prompt: a\ncalls: none\ntrials: '5'",
      ['5:13 error SUITE003 "trials" must be a whole number from 1 to 100; found text "5". Remove the quotes.'],
    ],
    [
      'a number out of bounds',
      'prompt: a\ncalls: none\ntrials: 101',
      ['5:13 error SUITE016 "trials" must be a whole number from 1 to 100; found number 101.'],
    ],
    [
      'yes for true',
      'prompt: a\ncalls: none\nonly: yes',
      ['5:11 error SUITE003 "only" must be true or false; found text "yes". "yes" is text in YAML 1.2; write true.'],
    ],
    [
      'a duration without a unit',
      'prompt: a\ncalls: none\ntimeout: 30',
      [
        '5:14 error SUITE003 "timeout" must be a duration with a unit, such as 30s; found number 30. Write the unit: 30s, or 30ms.',
      ],
    ],
    [
      'a timeout of nothing',
      'prompt: a\ncalls: none\ntimeout: 0s',
      ['5:14 error SUITE016 a timeout must be over 0 and at most 1d.'],
    ],
    [
      'a rate in quotes',
      "prompt: a\ncalls: none\npass: '0.9'",
      ['5:11 error SUITE003 "pass" must be a rate such as 90% or 0.9; found text "0.9". Remove the quotes.'],
    ],
    [
      'a text that YAML cuts at a #',
      'prompt: order #42 now # a comment\ncalls: none',
      [
        `3:13 error SUITE004 YAML takes "#42 now # a comment" for a comment; the text ends before it. Quote it: 'order #42 now # a comment'.`,
      ],
    ],
    ['a comment with a space is one', 'prompt: order # 42\ncalls: none', []],
    ['a # in quotes', "prompt: 'order #42'\ncalls: none", []],
    [
      'no subject',
      'name: a\ncalls: none',
      ['3:5 error SUITE020 case "a" has nothing to try. Give it one of prompt, tool, trace.'],
    ],
    [
      'two subjects',
      'prompt: a\ncalls: none\ntool: b',
      ['5:5 error SUITE020 case "a" has both "prompt" and "tool"; it takes one of them. Make two cases of it.'],
    ],
    [
      'nothing can fail',
      'prompt: a\nassert: [{ limits: { turns: 3 }, role: advisory }]',
      ['3:5 error SUITE019 nothing can fail case "a". Add calls (or calls: none), or an assertion that is required.'],
    ],
    ['a call of the runner can fail', 'tool: a', []],
    [
      'keys that mean nothing beside a tool',
      'tool: a\ncalls: none\nscript: [{ say: b }]',
      [
        '4:5 error SUITE023 "calls" means nothing in a case with "tool". It goes with prompt or trace.',
        '5:5 error SUITE023 "script" means nothing in a case with "tool". It goes with prompt.',
      ],
    ],
    [
      'keys that mean nothing beside a prompt',
      'prompt: a\ncalls: none\nexpect: { isError: true }',
      ['5:5 error SUITE023 "expect" means nothing in a case with "prompt". It goes with tool.'],
    ],
    [
      'a pattern for the tool that is called',
      'tool: get_*',
      ['3:11 error SUITE003 "get_*" is a pattern; a tool that is called needs its full name.'],
    ],
    [
      'a trace outside of the workspace',
      'trace: ../../secret.json\ncalls: none',
      [
        '3:12 error SUITE012 path "../../secret.json" is outside the workspace folder. A suite may only name files inside its workspace folder.',
      ],
    ],
    [
      'exact order with extras',
      'prompt: a\ncalls: [b]\nmatch: { order: exact, extras: allow }',
      ['5:28 error SUITE023 the order exact leaves no room for extras. Leave one of them out.'],
    ],
    [
      'stopping when calls are made that are not named',
      'prompt: a\ncalls: none\nexecute: untilExpected',
      ['5:5 error SUITE023 untilExpected needs calls that are expected. Name the expected calls under calls.'],
    ],
    [
      'an id that is none',
      "id: 'a b'\nprompt: a\ncalls: none",
      ['3:9 error SUITE003 "id" must be letters, digits, "-", "_" and "."; found text "a b".'],
    ],
    [
      'a prompt without letters',
      "prompt: '???'\ncalls: none",
      ['3:13 error SUITE005 no id can be made of the prompt of case "???". Give the case an id.'],
    ],
    [
      'names of systems and variables',
      'prompt: a\ncalls: none\nrequires: { env: [MY-VAR], os: [mcos] }',
      [
        '5:23 error SUITE003 "env[0]" must be the name of an environment variable; found text "MY-VAR".',
        '5:37 error SUITE003 "os[0]" must be one of linux, macos, windows; found text "mcos". Did you mean "macos"?',
      ],
    ],
  ])('%s', (_, keys, problems) => {
    expect(problemsIn(withCase(keys))).toEqual(problems);
  });

  test('equal ids and slugs name the first place', () => {
    const text = `mcprove: 1
cases:
  - { id: login, prompt: a, calls: none }
  - { name: Login!, prompt: b, calls: none }
  - { id: login, prompt: c, calls: none }
`;
    expect(problemsIn(text)).toEqual([
      '4:13 error SUITE005 case id "login" is already used at 3:11. It is made of the name; give this case an id of its own.',
      '5:11 error SUITE005 case id "login" is already used at 3:11. Ids are unique in a suite.',
    ]);
  });
});

describe('expected calls', () => {
  test.each<[name: string, calls: string, problems: string[]]>([
    ...['result: { isError: true }', 'arguments: { a: 1 }', 'count: 2'].map((pair): [string, string, string[]] => {
      const [key = ''] = pair.split(':');
      return [
        `the long form without its braces: ${pair}`,
        `[tool: b, ${pair}]`,
        [
          `4:22 error SUITE003 "${key}" stands beside the call that it belongs to, as a call of its own. Write { tool: b, ${key}: … }, or a block with each key on a line of its own.`,
        ],
      ];
    }),
    ['tools with the names of keys', '[{ tool: b }, { tool: result }, { c: }, { result: { a: 1 } }]', []],
    [
      'a map of calls',
      '{ get_weather: { city: Berlin } }',
      [
        '4:12 error SUITE003 "calls" must be a list of expected calls, or none; found a map. Write a list: "- get_weather: {…}".',
      ],
    ],
    [
      'a name instead of a list',
      'get_weather',
      [
        '4:12 error SUITE003 "calls" must be a list of expected calls, or none; found text "get_weather". Write a list: [get_weather].',
      ],
    ],
    [
      'an empty list',
      '[]',
      [
        '4:12 error SUITE003 "calls" must be a list of expected calls, or none; found an empty list. For "no tool may be called" write none.',
      ],
    ],
    [
      'arguments that are no map',
      '[get_weather: Berlin]',
      ['4:26 error SUITE003 "get_weather" must be a map of arguments; found text "Berlin".'],
    ],
    [
      'keys beside the short form',
      '[{ get_weather: {}, count: 2 }]',
      [
        '4:13 error SUITE003 an expected call has one key, its tool; found get_weather, count. With more write { tool: get_weather, arguments: …, count: … }.',
      ],
    ],
    [
      'a misspelt long form',
      '[{ tol: a, count: 2 }, { anyof: [a] }, { tool: a, argument: {} }]',
      [
        '4:15 error SUITE002 unknown key "tol" in an expected call. Did you mean "tool"?',
        '4:37 error SUITE002 unknown key "anyof" in an expected call. Did you mean "anyOf"?',
        '4:62 error SUITE002 unknown key "argument" in an expected call. Did you mean "arguments"?',
      ],
    ],
    ['a tool that is called almost like a key', '[{ tools: { a: 1 } }, { anyof: }]', []],
    [
      'counts',
      '[{ tool: a, count: 0 }, { tool: a, count: { min: 3, max: 2 } }, { tool: a, count: { min: 1 } }]',
      [
        '4:31 error SUITE016 "count" must be a whole number from 1 to 1000; found number 0. For "never called" use toolNotCalled.',
        '4:54 error SUITE016 min 3 is greater than max 2.',
        '4:94 error SUITE003 "max" is missing in "count".',
      ],
    ],
    [
      'an entry that is none',
      '[3]',
      [
        '4:13 error SUITE003 "calls[0]" must be the name of a tool, { name: arguments }, or { tool, arguments, … }; found number 3.',
      ],
    ],
    [
      'nothing expected of a result',
      '[{ tool: a, result: {} }]',
      ['4:32 error SUITE003 expected text, json or isError; found an empty map.'],
    ],
    [
      'a placeholder in a key',
      "[{ '{{tool}}': {} }]",
      [`4:15 error SUITE015 a placeholder in a key is not filled. Write { tool: '{{tool}}' }.`],
    ],
    ['too many stars', "['*a*b*c*d*']", ['4:13 error SUITE016 a tool pattern takes at most 4 "*"; found 5.']],
    [
      'alternatives in alternatives',
      '[anyOf: [{ anyOf: [a] }]]',
      ['4:23 error SUITE003 alternatives cannot hold alternatives. List them side by side.'],
    ],
    ['64 combinations', `[${'anyOf: [a, b], '.repeat(6)}c]`, []],
    [
      '65 and more',
      `[${'anyOf: [a, b], '.repeat(7)}c]`,
      ['4:5 error SUITE024 the alternatives make 128 routes; the limit is 64. Make several cases of it.'],
    ],
  ])('%s', (_, calls, problems) => {
    expect(problemsIn(withCase(`prompt: a\ncalls: ${calls}`))).toEqual(problems);
  });

  test('a range of calls needs the order any', () => {
    const keys =
      'prompt: a\ncalls: [{ tool: b, count: { min: 1, max: 2 } }, { tool: c, count: 2 }]\nmatch: { order: inOrder }';
    expect(problemsIn(withCase(keys))).toEqual([
      '4:24 error SUITE023 a range of calls needs the order any; here it is inOrder. Give an exact number, or leave out match.order.',
    ]);
  });
});

describe('assertions', () => {
  test.each<[name: string, assertion: string, problem: string]>([
    [
      'a misspelt name',
      'noToolErors',
      '4:14 error SUITE003 "assert[0]" must be the name of an assertion, or a map { assertion: value }; found text "noToolErors". Did you mean "noToolErrors"?',
    ],
    [
      'a name that needs a value',
      'toolCalled',
      '4:14 error SUITE003 "assert[0]" must be the name of an assertion, or a map { assertion: value }; found text "toolCalled". It needs a value: toolCalled: …',
    ],
    [
      'a misspelt key',
      '{ toolCaled: a }',
      '4:16 error SUITE002 unknown key "toolCaled" in an assertion. Did you mean "toolCalled"?',
    ],
    ['one of a later step', '{ judge: polite }', '4:16 error SUITE002 unknown key "judge" in an assertion.'],
    [
      'two in one',
      '{ toolCalled: a, firstTool: a }',
      '4:14 error SUITE003 one entry holds several assertions: toolCalled, firstTool. Begin each with "- ".',
    ],
    [
      'false',
      '{ noToolErrors: false }',
      '4:30 error SUITE003 "noToolErrors" must be true; found false. Leave the assertion out.',
    ],
    [
      'a role',
      '{ firstTool: a, role: optional }',
      '4:36 error SUITE003 "role" must be one of required, advisory; found text "optional".',
    ],
    [
      'an order of one',
      '{ toolOrder: [a] }',
      '4:27 error SUITE003 "toolOrder" must be a list of at least two tools; found one.',
    ],
    [
      'an empty word',
      "{ responseContains: '' }",
      '4:34 error SUITE003 "responseContains" must be text; found an empty text.',
    ],
    ['a result of nothing', '{ result: { tool: a } }', '4:24 error SUITE003 expected text, json or isError.'],
    ['no limit', '{ limits: {} }', '4:24 error SUITE003 expected a limit; found an empty map.'],
    [
      'an unknown limit',
      '{ limits: { price: 1 } }',
      '4:26 error SUITE002 unknown key "price" in "limits". Known: toolCalls, turns, tokens, cost, duration, toolDuration.',
    ],
    [
      'a cost without its currency',
      '{ limits: { cost: 0.05 } }',
      '4:32 error SUITE003 "cost" must be an amount of US dollars such as $0.05; found number 0.05. Write $0.05.',
    ],
    [
      'a cost in another currency',
      "{ limits: { cost: '0,05 €' } }",
      '4:32 error SUITE003 "cost" must be an amount of US dollars such as $0.05; found text "0,05 €".',
    ],
    [
      'costs upside down',
      '{ limits: { cost: { min: $1, max: $0.5 } } }',
      '4:32 error SUITE016 min $1 is greater than max $0.5.',
    ],
    [
      'a limit upside down',
      '{ limits: { duration: { min: 2s, max: 1s } } }',
      '4:36 error SUITE016 min 2s is greater than max 1s.',
    ],
    [
      'a limit without unit',
      '{ limits: { toolDuration: { a: 5 } } }',
      '4:45 error SUITE003 "a" must be a duration with a unit, such as 30s; found number 5. Write the unit: 5s, or 5ms.',
    ],
    [
      'a pattern that is none',
      "{ responseMatches: ['ok', '[abc'] }",
      '4:40 error SUITE009 not a regular expression: missing closing ].',
    ],
    [
      'a pattern with look-ahead',
      "{ responseMatches: '^(?!no)yes' }",
      `4:33 error SUITE010 "(?!" is look-around, which the linear-time engine (RE2) does not have. Write two patterns: $allOf: [{ $matches: '^yes' }, { $not: { $matches: 'no' } }].`,
    ],
    [
      'a pattern with a back-reference',
      "{ responseMatches: '(a)\\1' }",
      '4:33 error SUITE010 "\\\\1" is a back-reference, which the linear-time engine (RE2) does not have. Write the repeated part out, or combine patterns: $allOf: [{ $matches: … }, { $not: { $matches: … } }].',
    ],
    [
      'a long condition',
      '{ toolCalled: { tool: a, cuont: 1 } }',
      '4:39 error SUITE002 unknown key "cuont" in "toolCalled". Did you mean "count"?',
    ],
  ])('%s', (_, assertion, problem) => {
    expect(problemsIn(withCase(`prompt: a\nassert: [${assertion}]\ncalls: none`))).toEqual([problem]);
  });

  test('one that stands alone in the map needs a name of an assertion', () => {
    expect(problemsIn(withCase('prompt: a\nassert: [{ name: b }]\ncalls: none'))).toEqual([
      expect.stringMatching(/^4:14 error SUITE003 the entry names no assertion\. Known: toolCalled, .*limits\.$/),
    ]);
  });
});

describe('matchers', () => {
  test.each<[name: string, args: string, problems: string[]]>([
    [
      'every matcher there is',
      "a: { $gte: 1, $lt: 2 }, b: { $approx: { value: 1, tolerance: 0.1 } }, c: { $size: { min: 1 } }, d: { $empty: true }, e: { $absent: true }, f: { $unordered: [$any, { $exact: { $partial: 1 } }] }, g: { $anyOf: [1, { $allOf: [{ $not: { $eq: { $x: 1 } } }] }] }, h: { $matches: '^a' }, i: { $contains: { $startsWith: a } }, j: { $endsWith: a }, k: { $equalsIgnoreCase: a }, l: { $ne: 1 }, m: { $gt: 1, $lte: 1 }, n: { $size: 3 }, o: [$string, $number, $integer, $boolean, $object, $array, $null]",
      [],
    ],
    ['an unknown one', 'a: { $match: b }', ['4:23 error SUITE021 unknown matcher "$match". Did you mean "$matches"?']],
    [
      'one of a later step',
      'a: { $schema: {} }',
      ['4:23 error SUITE021 unknown matcher "$schema". Put a key that really begins with "$" inside $eq.'],
    ],
    ['an unknown word', 'a: $sting', ['4:21 error SUITE021 unknown matcher "$sting". Did you mean "$string"?']],
    ['a price is a text', 'a: $5.00', []],
    [
      'a word that needs a value',
      'a: $matches',
      ['4:21 error SUITE021 unknown matcher "$matches". It takes a value: { $matches: … }.'],
    ],
    [
      'a type as a key',
      'a: { $string: true }',
      ['4:23 error SUITE021 unknown matcher "$string". $string stands alone, as a text.'],
    ],
    [
      'mixed with plain keys',
      'a: { b: 1, $gt: 2 }',
      [
        '4:29 error SUITE022 $gt and "b" stand in one map; either all keys begin with "$" or none. Combine them: $allOf: [{ $gt: … }, { b: … }]; a key that really begins with "$" goes inside $eq.',
      ],
    ],
    [
      'operands of the wrong type',
      'a: { $gt: b }, c: { $anyOf: [] }, d: { $empty: false }, e: { $size: -1 }, f: { $approx: 3 }, g: { $matches: 3 }',
      [
        '4:28 error SUITE003 "$gt" must be a number; found text "b".',
        '4:46 error SUITE003 "$anyOf" must be a list with at least one value; found an empty list.',
        '4:65 error SUITE003 "$empty" must be true; found false. For the contrary use $not.',
        '4:86 error SUITE003 "$size" must be a whole number from 0, or { min, max }; found number -1.',
        '4:106 error SUITE003 "$approx" must be a map { value, tolerance } of numbers; found number 3.',
        `4:126 error SUITE003 "$matches" must be text; found number 3. Quote it: '3'.`,
      ],
    ],
    ['an operand that is a placeholder', "a: { $gt: '{{trial.id}}' }", []],
    ['a pattern with a placeholder', "a: { $matches: '^{{trial.id}}$' }", []],
    ['nothing inside $eq is a matcher', 'a: { $eq: { $foo: $bar } }', []],
    ['a bare type word', 'a: string', ['4:21 hint SUITE004 "string" is the word itself. Did you mean $string?']],
    ['a bare type word where types are named', 'type: string', []],
    [
      'numbers that are written otherwise',
      'a: 007, b: 1.10, c: +49, d: 0x1F, e: 1.5, f: -3, g: 12345678901234567890',
      [
        `4:21 warning SUITE004 007 is the number 7. Quote it if you mean the text: '007'.`,
        `4:29 warning SUITE004 1.10 is the number 1.1. Quote it if you mean the text: '1.10'.`,
        `4:38 warning SUITE004 +49 is the number 49. Quote it if you mean the text: '+49'.`,
        `4:46 warning SUITE004 0x1F is the number 31. Quote it if you mean the text: '0x1F'.`,
        `4:70 warning SUITE004 12345678901234567890 is the number 12345678901234567000. Quote it if you mean the text: '12345678901234567890'.`,
      ],
    ],
  ])('%s', (_, args, problems) => {
    expect(problemsIn(withCase(`prompt: a\ncalls: [t: { ${args} }]`))).toEqual(problems);
  });
});

describe('problems in general', () => {
  test('line ends of Windows', () => {
    const text = 'mcprove: 1\r\ncases:\r\n  - prompt: order #42\r\n    asert: []\r\n    calls: none\r\n';
    expect(problemsIn(text)).toEqual([
      `3:13 error SUITE004 YAML takes "#42" for a comment; the text ends before it. Quote it: 'order #42'.`,
      '4:5 error SUITE002 unknown key "asert" in case "order". Did you mean "assert"?',
    ]);
  });

  test('all of a file in one pass, sorted by place', () => {
    const text = `mcprove: 1
nam: a
cases:
  - prompt: 'Hi {{who}}'
    asert: []
    calls: [{ a: { b: { $matches: '[' } } }]
    timeout: 30
  - prompt: b
`;
    expect(problemsIn(text).map((problem) => problem.slice(0, 20))).toEqual([
      '2:1 error SUITE002 u',
      '4:17 error SUITE015 ',
      '5:5 error SUITE002 u',
      '6:35 error SUITE009 ',
      '7:14 error SUITE003 ',
      '8:5 error SUITE019 n',
    ]);
  });

  test('defaults are counted before they are laid under the cases', () => {
    const many = 'noToolErrors, '.repeat(5000);
    const text = `mcprove: 1\ndefaults: { assert: [${many}] }\ncases:\n${'  - { prompt: a, assert: [] }\n'.repeat(3000)}`;
    expect(problemsIn(text)).toEqual([
      '2:1 error SUITE011 5,002 values of defaults and tags under 3000 cases are more than 10,000,000. Split the suite, or shorten the defaults.',
    ]);
  });

  test('hints without end leave room for an error', () => {
    const many = Array.from({ length: 3000 }, (_, index) => `k${index}: string`).join(', ');
    expect(problemsIn(withCase(`prompt: a\ncalls: [t: { ${many} }]\nfoo: 1`)).at(-1)).toMatch(/^5:5 error SUITE002/);
  });

  test('at most 50 are shown, errors before hints', () => {
    const many = Array.from({ length: 60 }, (_, index) => `k${index}: string`).join(', ');
    const problems = problemsIn(withCase(`prompt: a\ncalls: [t: { ${many} }]\nfoo: 1`));
    expect(problems).toHaveLength(50);
    expect(problems.at(-1)).toMatch(/^5:5 error SUITE002/);
  });

  test('an edit that mends it', () => {
    const result = read(withCase('prompt: a\ncalls: none\nasert: []'));
    const [problem] = result.kind === 'broken' ? result.problems : [];
    expect(problem).toMatchObject({
      code: 'SUITE002',
      pointer: '/cases/0/asert',
      range: { file: FILE, start: { line: 5, column: 5 }, end: { line: 5, column: 10 } },
      fix: { title: 'Change to "assert"', text: 'assert' },
    });
    expect(problem && formatProblem(problem, 'a.eval.yaml')).toBe(
      'a.eval.yaml:5:5 error SUITE002 unknown key "asert" in case "a". Did you mean "assert"?',
    );
  });

  test('the key of a model in plain sight is a warning', () => {
    const head = `models: [{ provider: openai, model: a, apiKey: hunter22 }, { provider: openai, model: b, apiKey: '\${env:B}' }]`;
    expect(problemsIn(withCase('prompt: a\ncalls: none', head))).toEqual([
      `2:48 warning SUITE014 "apiKey" stands here in plain sight. Put it in the environment and write \${env:NAME}.`,
    ]);
  });

  test('so are headers, and what stands for one system alone', () => {
    const head = `servers: { a: { headers: { Authorization: Bearer abc, cookie: hunter22, X-Id: hunter22, X-Key: '\${input:k}' }, os: { linux: { env: { API_KEY: hunter22 } } } } }`;
    const hint = `Put it in the environment and write \${env:NAME}.`;
    expect(problemsIn(withCase('prompt: a\ncalls: none', head))).toEqual([
      `2:43 warning SUITE014 "Authorization" stands here in plain sight. ${hint}`,
      `2:63 warning SUITE014 "cookie" stands here in plain sight. ${hint}`,
      `2:143 warning SUITE014 "API_KEY" stands here in plain sight. ${hint}`,
    ]);
  });

  test('keys in plain sight are a warning, and not repeated', () => {
    const key = `sk-ant-api03-${'x'.repeat(24)}f3`;
    const head = `servers: { a: { env: { KEY: ${key}, API_TOKEN: hunter22, PORT: '30003000', B_KEY: '\${env:B}' } } }`;
    const hint = `Put it in the environment and write \${env:NAME}.`;
    expect(problemsIn(withCase('prompt: a\ncalls: none', head))).toEqual([
      `2:29 warning SUITE014 this looks like an Anthropic key (sk-ant…f3). ${hint}`,
      `2:81 warning SUITE014 "API_TOKEN" stands here in plain sight. ${hint}`,
    ]);
  });
});
