import { describe, expect, test } from 'vitest';
import { type Bad, type Files, resolve } from './resolving.ts';

const INPUTS = [
  { id: 'key', type: 'promptString', description: 'Key of the weather service', password: true },
  { id: 'unit', type: 'pickString', description: 'Unit', options: ['celsius', { label: 'F', value: 'fahrenheit' }] },
  { id: 'city name', type: 'promptString', description: 'City.', default: 'Berlin' },
  { id: 'branch', type: 'command', command: 'git.branch' },
];

/** `.vscode/mcp.json` with a server `a` that uses an input. */
function using(id: string, inputs: unknown = INPUTS): Files {
  const server = { command: 'node', env: { X: `\${input:${id}}` } };
  return { files: { '.vscode/mcp.json': { inputs, servers: { a: server } } } };
}

describe('where the value of an input comes from', () => {
  test.for<[name: string, files: Files, value: string]>([
    ['the run', { ...using('key'), inputs: { key: 'of the run' } }, 'of the run'],
    ['the environment', { ...using('key'), env: { MCPROVE_INPUT_KEY: 'of the env' } }, 'of the env'],
    [
      'the run before the environment',
      { ...using('key'), inputs: { key: 'run' }, env: { MCPROVE_INPUT_KEY: 'env' } },
      'run',
    ],
    ['the run, also an empty text', { ...using('city name'), inputs: { 'city name': '' } }, ''],
    ['the name of the variable', { ...using('city name'), env: { MCPROVE_INPUT_CITY_NAME: 'Bonn' } }, 'Bonn'],
    ['the default', using('city name'), 'Berlin'],
    ['the default before an empty variable', { ...using('city name'), env: { MCPROVE_INPUT_CITY_NAME: '' } }, 'Berlin'],
    ['one of the options', { ...using('unit'), inputs: { unit: 'celsius' } }, 'celsius'],
    ['the value of an option', { ...using('unit'), inputs: { unit: 'fahrenheit' } }, 'fahrenheit'],
    ['the run, for a command', { ...using('branch'), inputs: { branch: 'main' } }, 'main'],
    ['what is in it is not filled again', { ...using('key'), inputs: { key: `\${env:HOME}` } }, `\${env:HOME}`],
  ])('%s', ([, files, value]) => {
    const { servers, problems } = resolve(files);
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([{ env: { X: value } }]);
  });

  test('settings and dev containers declare theirs themselves', () => {
    const mcp = { inputs: INPUTS, servers: { a: { command: 'node', args: [`\${input:key}`] } } };
    for (const files of [
      { '.vscode/settings.json': { mcp } },
      { '.devcontainer/devcontainer.json': { customizations: { vscode: { mcp } } } },
    ]) {
      expect(resolve({ files, inputs: { key: 'k' } })).toMatchObject({ problems: [], servers: [{ args: ['k'] }] });
    }
  });

  test('a suite needs no declaration, and takes one from the files above it', () => {
    const suite = `servers:\n  b: { command: node, args: ['\${input:city name}', '\${input:free}'] }\n`;
    const { servers, problems } = resolve({ ...using('key'), suite, inputs: { free: 'given' } });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([{ name: 'b', args: ['Berlin', 'given'] }]);
  });
});

describe('secrets', () => {
  test.for<[name: string, files: Files, told: string[]]>([
    ['a password', { ...using('key'), inputs: { key: 'long-enough' } }, ['long-enough']],
    ['too short', { ...using('key'), inputs: { key: '1234567' } }, []],
    ['no password', { ...using('city name'), inputs: { 'city name': 'Frankfurt (Oder)' } }, []],
    [
      'no password, but named like one',
      { ...using('api-token', [{ id: 'api-token', type: 'promptString' }]), inputs: { 'api-token': 'long-enough' } },
      ['long-enough'],
    ],
  ])('%s', ([, files, told]) => {
    expect(new Set(resolve(files).told)).toEqual(new Set(told));
  });
});

test.for<Bad>([
  {
    name: '36 not declared',
    ...using('kei'),
    shown: [
      /^\.vscode\/mcp\.json:37:14 error MCP011 input "kei" is not declared: "inputs" \(line 2\) does not have it\. Did you mean "key"\?$/,
    ],
  },
  {
    name: '36 no inputs',
    files: { '.vscode/mcp.json': { servers: { a: { command: 'node', env: { X: `\${input:key}` } } } } },
    shown: [/error MCP011 input "key" is not declared: the file has no "inputs"\. Declare it under "inputs"\.$/],
  },
  {
    name: '36 no value',
    ...using('key'),
    shown: [
      /error MCP011 input "key" has no value: Key of the weather service \(needed by server "a"\)\. Give it with --input key=…, or set MCPROVE_INPUT_KEY\.$/,
    ],
  },
  {
    name: 'an empty variable is no value',
    ...using('key'),
    env: { MCPROVE_INPUT_KEY: '' },
    shown: [/MCP011 input "key" has no value/],
  },
  {
    name: 'nothing picked',
    ...using('unit'),
    shown: [/input "unit" has no value: Unit \(needed by server "a"\).* It is one of celsius, fahrenheit\.$/],
  },
  {
    name: 'something else picked',
    ...using('unit'),
    inputs: { unit: 'kelvin-secret' },
    shown: [/error MCP011 the value given for input "unit" is none of its options\. They are celsius, fahrenheit\.$/],
  },
  {
    name: 'a command',
    ...using('branch'),
    shown: [
      /error MCP011 input "branch" comes from a command, which only an editor can run\. Give it with --input branch=…, or set MCPROVE_INPUT_BRANCH\.$/,
    ],
  },
  {
    name: 'of a suite',
    suite: `servers:\n  a: { command: node, args: ['\${input:free}'] }\n`,
    shown: [
      'suites/a.eval.yaml:3:30 error MCP011 input "free" has no value (needed by server "a"). Give it with --input free=…, or set MCPROVE_INPUT_FREE.',
    ],
  },
  {
    name: 'inputs that are no list',
    ...using('key', {}),
    shown: ['.vscode/mcp.json:2:3 error MCP016 "inputs" must be a list.'],
  },
  {
    name: 'an input without id, one of an unknown type, one twice',
    ...using('key', [{ type: 'promptString' }, { id: 'x', type: 'prompt' }, ...INPUTS, INPUTS[0]]),
    shown: [
      /MCP016 inputs\[0\] must be an object with "id" and "type"\. The types are promptString, pickString, command\.$/,
      /MCP016 inputs\[1\] must be/,
      /MCP016 input "key" is declared twice\. Remove one of them\.$/,
    ],
  },
])('$name', ({ name: _name, shown, ...files }) => {
  const { problems, servers } = resolve(files);
  expect(problems).toHaveLength(shown.length);
  for (const [index, expected] of shown.entries()) {
    if (typeof expected === 'string') expect(problems[index]).toBe(expected);
    else expect(problems[index]).toMatch(expected);
  }
  expect(servers).toEqual([]);
  expect(problems.join('\n')).not.toContain('kelvin');
});

test('a missing value leads to the declaration', () => {
  const { raw } = resolve(using('key'));
  expect(raw[0]?.related).toMatchObject({ message: 'declared here', range: { start: { line: 3, column: 5 } } });
});
