import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Bad, resolve } from './resolving.ts';

const named = (...names: readonly string[]): string => `servers: [${names.join(', ')}]\n`;
const map = (from: string, ...names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { command: 'node', args: [from] }]));

/** Every kind of file at once: each has the server `all`, one it shares with the next, and one of its own. */
const EVERYWHERE = {
  '.mcp.json': { mcpServers: map('claude', 'claude', 'both') },
  '.vscode/mcp.json': { servers: map('vscode', 'vscode', 'both', 'next') },
  '.cursor/mcp.json': { mcpServers: map('cursor', 'cursor', 'next', 'more') },
  '.vscode/settings.json': { mcp: { servers: map('settings', 'settings', 'more', 'last') } },
  '.devcontainer/devcontainer.json': {
    customizations: { vscode: { mcp: { servers: map('container', 'container', 'last') } } },
  },
  'home/.copilot/mcp-config.json': { mcpServers: map('copilot', 'copilot', 'users', 'both') },
  'home/.cursor/mcp.json': { mcpServers: map('user cursor', 'userCursor', 'users') },
  'home/.config/Claude/claude_desktop_config.json': { mcpServers: map('desktop', 'desktop') },
  'home/.codeium/windsurf/mcp_config.json': { mcpServers: map('windsurf', 'windsurf') },
};

describe('all files at once', () => {
  test('a suite that names none gets those of the workspace, the first of each name', () => {
    const { servers, problems } = resolve({ files: EVERYWHERE });
    const from = servers.map(({ name, ...rest }) => [name, 'args' in rest ? rest.args[0] : '']);
    expect(Object.fromEntries(from)).toEqual({
      ...{ claude: 'claude', vscode: 'vscode', cursor: 'cursor', settings: 'settings', container: 'container' },
      ...{ both: 'claude', next: 'vscode', more: 'cursor', last: 'settings' },
    });
    expect(problems.map((problem) => /MCP018 server "\w+"/.exec(problem)?.[0])).toEqual([
      'MCP018 server "more"',
      'MCP018 server "both"',
      'MCP018 server "next"',
      'MCP018 server "last"',
    ]);
  });

  test('a suite gets what it names, from the user too, and hears of that alone', () => {
    const names = ['windsurf', 'both', 'users', 'desktop', 'container', 'userCursor', 'copilot'];
    const { servers, problems, raw, workspace } = resolve({ suite: named(...names), files: EVERYWHERE });
    expect(servers.map(({ name, ...rest }) => [name, 'args' in rest ? rest.args[0] : ''])).toEqual([
      ['windsurf', 'windsurf'],
      ['both', 'claude'],
      ['users', 'copilot'],
      ['desktop', 'desktop'],
      ['container', 'container'],
      ['userCursor', 'user cursor'],
      ['copilot', 'copilot'],
    ]);
    expect(problems).toEqual([
      '.mcp.json:9:5 warning MCP018 server "both" is also defined, differently, at .vscode/mcp.json:9:5; this one is used. Remove one, or write both alike.',
    ]);
    expect(raw[0]?.related?.range).toMatchObject({ file: join(workspace, '.vscode/mcp.json'), start: { line: 9 } });
  });
});

describe('two files of one folder', () => {
  const twice = (first: object, second: object) => ({
    files: { '.mcp.json': { mcpServers: { a: first } }, '.vscode/mcp.json': { servers: { a: second } } },
    env: { X: 'x' },
  });

  test.for<[name: string, first: object, second: object]>([
    [
      'alike',
      { command: 'node', env: { A: '1', B: '2' } },
      { type: 'stdio', command: 'node', args: [], env: { B: '2', A: '1' } },
    ],
    ['each with its variables', { command: 'node', args: [`\${X}`] }, { command: 'node', args: [`\${env:X}`] }],
    ['an address', { url: 'https://x' }, { type: 'http', url: 'https://x' }],
  ])('may say the same: %s', ([, first, second]) => {
    expect(resolve(twice(first, second)).problems).toEqual([]);
  });

  test.for<[name: string, first: object, second: object]>([
    ['other arguments', { command: 'node', args: ['a', 'b'] }, { command: 'node', args: ['b', 'a'] }],
    ['another environment', { command: 'node' }, { command: 'node', env: { A: '1' } }],
    ['another transport', { type: 'sse', url: 'https://x' }, { url: 'https://x' }],
    ['other headers', { url: 'https://x', headers: { A: '1' } }, { url: 'https://x', headers: { A: '2' } }],
  ])('may not differ: %s', ([, first, second]) => {
    const { servers, problems } = resolve(twice(first, second));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^\.mcp\.json:3:5 warning MCP018/);
    expect(servers).toHaveLength(1);
  });
});

describe('folders', () => {
  test('the nearest that has the server counts', () => {
    const files = {
      '.mcp.json': { mcpServers: map('top', 'a', 'b') },
      'suites/.vscode/mcp.json': { servers: map('near', 'a', 'c') },
    };
    expect(resolve({ suite: named('a', 'b', 'c'), files })).toMatchObject({
      problems: [],
      servers: [{ args: ['near'] }, { args: ['top'] }, { args: ['near'] }],
    });
    expect(resolve({ files }).servers.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  test('settings without servers are no such file', () => {
    const files = { '.mcp.json': { mcpServers: map('top', 'a') }, 'suites/.vscode/settings.json': { 'a.b': 1 } };
    expect(resolve({ files }).servers).toMatchObject([{ args: ['top'] }]);
  });

  test('a server runs in the folder that its file belongs to', () => {
    const files = {
      'suites/.vscode/mcp.json': { servers: { a: { command: './run', cwd: 'sub folder' }, b: { command: 'x' } } },
    };
    const { servers, workspace } = resolve({ files });
    const cwd = join(workspace, 'suites/sub folder');
    expect(servers).toMatchObject([{ cwd, command: join(cwd, 'run') }, { cwd: join(workspace, 'suites') }]);
  });
});

describe('what a suite says', () => {
  const files = {
    '.mcp.json': {
      mcpServers: {
        a: { command: 'node', args: ['x'], env: { A: '1' } },
        b: { url: 'https://b', headers: { H: '1' } },
      },
    },
  };

  test('of time and isolation lies over the file', () => {
    const suite =
      'servers:\n  a: { isolation: trial, startTimeout: 5s, callTimeout: 2m }\n  b: { type: sse, headers: { I: 2 } }\n';
    expect(resolve({ suite, files })).toMatchObject({
      problems: [],
      servers: [
        { kind: 'stdio', command: 'node', isolation: 'trial', startTimeoutMs: 5000, callTimeoutMs: 120_000 },
        { kind: 'sse', url: 'https://b', headers: { H: '1', I: '2' }, isolation: 'shared' },
      ],
    });
  });

  test('a URL replaces a command with all that belongs to it, and the other way about', () => {
    const suite = 'servers:\n  a: { url: "https://a" }\n  b: { command: sh }\n';
    const { servers, problems } = resolve({ suite, files });
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      expect.objectContaining({ kind: 'http', url: 'https://a', headers: {} }),
      expect.objectContaining({ kind: 'stdio', command: 'sh', args: [], env: {} }),
    ]);
  });

  test.for<[platform: NodeJS.Platform, expected: object]>([
    ['linux', { kind: 'stdio', command: 'node', args: ['l'], env: { A: '1', B: 'l' } }],
    ['darwin', { kind: 'http', url: 'https://mac' }],
    ['win32', { kind: 'stdio', command: 'node.exe', args: ['x'], env: { A: '1' }, startTimeoutMs: 60_000 }],
    ['freebsd', { kind: 'stdio', command: 'node', args: ['x'] }],
  ])('of one system lies over the rest: %s', ([platform, expected]) => {
    const suite =
      'servers:\n  s:\n    command: node\n    args: [x]\n    env: { A: 1 }\n    os:\n' +
      '      linux: { args: [l], env: { B: l } }\n      macos: { url: "https://mac" }\n      windows: { command: node.exe, startTimeout: 1m }\n';
    const { servers, problems } = resolve({ suite, platform });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([{ ...expected, origin: { pointer: '/servers/s' } }]);
  });

  test('an envFile is looked for beside the suite', () => {
    const suite = 'servers:\n  a: { envFile: my.env }\n';
    const { servers, problems } = resolve({ suite, files: { ...files, 'suites/my.env': 'A=file\nB=2' } });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([{ env: { A: '1', B: '2' } }]);
  });

  test('a server that is all the suite’s has nothing of the user’s', () => {
    const suite = 'servers:\n  mine: { command: sh }\n';
    const users = { 'home/.cursor/mcp.json': { mcpServers: { mine: { command: 'node', env: { A: '1' } } } } };
    expect(resolve({ suite, files: users })).toMatchObject({ problems: [], servers: [{ command: 'sh', env: {} }] });
  });
});

describe('problems', () => {
  test.for<Bad>([
    {
      name: 'an unknown server names every file that was read',
      suite: named('githb'),
      files: {
        '.mcp.json': { mcpServers: map('', 'github') },
        'suites/.cursor/mcp.json': { mcpServers: map('', 'memory') },
      },
      shown: [
        'suites/a.eval.yaml:2:11 error SUITE006 server "githb" is not in suites/.cursor/mcp.json, .mcp.json. Did you mean "github"? Known: memory, github.',
      ],
    },
    {
      name: 'a broken file behind the one that has the server says nothing',
      suite: named('a'),
      files: { '.mcp.json': { mcpServers: map('', 'a') }, '.vscode/mcp.json': '{', 'home/.cursor/mcp.json': '{' },
      shown: [],
      usable: 1,
    },
    {
      name: 'a broken file before it does',
      suite: named('a'),
      files: { '.mcp.json': '{', '.vscode/mcp.json': { servers: map('', 'a') } },
      shown: [/^\.mcp\.json:1:2 error MCP002/],
      usable: 1,
    },
    {
      name: 'a broken file may have held what is nowhere else',
      suite: named('a'),
      files: { 'suites/.vscode/mcp.json': '{', '.mcp.json': { mcpServers: map('', 'a') } },
      shown: [/^suites\/\.vscode\/mcp\.json:1:2 error MCP002/],
    },
    {
      name: 'so may one of the user',
      suite: named('a'),
      files: { 'home/.cursor/mcp.json': '{' },
      shown: [/^home\/\.cursor\/mcp\.json:1:2 error MCP002/],
    },
    {
      name: 'an envFile outside the workspace',
      suite: 'servers:\n  a: { command: node, envFile: ../../x.env }\n',
      shown: [/^suites\/a\.eval\.yaml:3:32 error SUITE012 path "\.\.\/\.\.\/x\.env" is outside the workspace folder/],
    },
    {
      name: 'headers for a command of the file',
      suite: 'servers:\n  a: { headers: { X: 1 } }\n',
      files: { '.mcp.json': { mcpServers: map('', 'a') } },
      shown: [
        'suites/a.eval.yaml:3:22 error SUITE023 "headers" goes with "url", which this server does not have. Leave it out.',
      ],
    },
    {
      name: 'arguments, environment and folder for a URL of the file',
      suite: 'servers:\n  a: { args: [x], env: { A: 1 }, cwd: y, envFile: z }\n',
      files: { '.mcp.json': { mcpServers: { a: { url: 'https://x' } } } },
      shown: [/3:15 error SUITE023 "args"/, /3:29 error SUITE023 "env"/, /3:39 .*"cwd"/, /3:51 .*"envFile"/],
    },
    {
      name: 'a type that the file’s server has not',
      suite: 'servers:\n  a: { type: http }\n',
      files: { '.mcp.json': { mcpServers: map('', 'a') } },
      shown: [/3:14 error MCP005 server "a" has a command, and its type is http/],
    },
  ])('$name', ({ name: _name, shown, usable = 0, ...given }) => {
    const { problems, servers } = resolve(given);
    expect(problems).toHaveLength(shown.length);
    for (const [index, expected] of shown.entries()) {
      if (typeof expected === 'string') expect(problems[index]).toBe(expected);
      else expect(problems[index]).toMatch(expected);
    }
    expect(servers).toHaveLength(usable);
  });
});
