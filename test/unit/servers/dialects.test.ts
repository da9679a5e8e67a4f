import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Bad, type Files, resolve } from './resolving.ts';

/** Each kind of file, with the server `a` in it. */
const DIALECTS: Readonly<Record<string, (entry: object, more?: object) => Pick<Files, 'files' | 'suite'>>> = {
  '.mcp.json': (entry, more) => ({ files: { '.mcp.json': { mcpServers: { a: entry }, ...more } } }),
  '.mcp.json, bare': (entry) => ({ files: { '.mcp.json': { a: entry } } }),
  '.vscode/mcp.json': (entry, more) => ({ files: { '.vscode/mcp.json': { servers: { a: entry }, ...more } } }),
  '.cursor/mcp.json': (entry, more) => ({ files: { '.cursor/mcp.json': { mcpServers: { a: entry }, ...more } } }),
  '.vscode/settings.json': (entry, more) => ({
    files: { '.vscode/settings.json': { 'editor.tabSize': 2, mcp: { servers: { a: entry }, ...more } } },
  }),
  '.devcontainer/devcontainer.json': (entry, more) => ({
    files: {
      '.devcontainer/devcontainer.json': {
        image: 'node',
        customizations: { vscode: { mcp: { servers: { a: entry }, ...more } } },
      },
    },
  }),
  'Copilot CLI': (entry) => ({
    suite: 'servers: [a]\n',
    files: { 'home/.copilot/mcp-config.json': { mcpServers: { a: entry } } },
  }),
  'Cursor, user': (entry) => ({
    suite: 'servers: [a]\n',
    files: { 'home/.cursor/mcp.json': { mcpServers: { a: entry } } },
  }),
  'Claude Desktop': (entry) => ({
    suite: 'servers: [a]\n',
    files: { 'home/.config/Claude/claude_desktop_config.json': { mcpServers: { a: entry } } },
  }),
  Windsurf: (entry) => ({
    suite: 'servers: [a]\n',
    files: { 'home/.codeium/windsurf/mcp_config.json': { mcpServers: { a: entry } } },
  }),
};

function inDialect(name: string, entry: object, more?: object): Pick<Files, 'files' | 'suite'> {
  const write = DIALECTS[name];
  if (write === undefined) throw new Error(`no dialect ${name}`);
  return write(entry, more);
}

describe.each(Object.keys(DIALECTS))('%s', (name) => {
  test('a command', () => {
    const entry = { command: 'npx', args: ['-y', 'pkg', 3000], env: { LEVEL: 'debug', PORT: 8080 } };
    const { servers, problems, workspace } = resolve(inDialect(name, entry));
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([
      {
        ...{ name: 'a', kind: 'stdio', command: 'npx', args: ['-y', 'pkg', '3000'] },
        env: { LEVEL: 'debug', PORT: '8080' },
        cwd: name === 'Claude Desktop' ? join(workspace, 'home') : workspace,
      },
    ]);
    expect(servers[0]?.origin.pointer).toMatch(/\/a$/);
    expect(servers[0]?.range?.start.line).toBeGreaterThan(1);
  });

  test('an address', () => {
    const { servers, problems } = resolve(
      inDialect(name, { url: 'https://example.com/mcp', headers: { 'X-Team': 'weather' } }),
    );
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([
      { name: 'a', kind: 'http', url: 'https://example.com/mcp', headers: { 'X-Team': 'weather' } },
    ]);
  });

  test.for([
    ['stdio', { command: 'node' }, 'stdio'],
    ['local', { command: 'node' }, 'stdio'],
    ['http', { url: 'https://example.com' }, 'http'],
    ['streamable-http', { url: 'https://example.com' }, 'http'],
    ['sse', { url: 'https://example.com' }, 'sse'],
  ] as const)('type %s', ([type, entry, kind]) => {
    const { servers, problems } = resolve(inDialect(name, { type, ...entry }));
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([{ kind }]);
  });

  test('keys of the tool alone do not matter', () => {
    const entry = {
      command: 'node',
      disabled: false,
      tools: ['*'],
      dev: { watch: 'src/**' },
      gallery: true,
      version: '1',
    };
    expect(resolve(inDialect(name, entry))).toMatchObject({ problems: [], servers: [{ command: 'node' }] });
  });
});

test('Windsurf has a key of its own for a URL', () => {
  expect(resolve(inDialect('Windsurf', { serverUrl: 'https://example.com/mcp' }))).toMatchObject({
    problems: [],
    servers: [{ kind: 'http', url: 'https://example.com/mcp' }],
  });
});

test.for<[platform: NodeJS.Platform, env: NodeJS.ProcessEnv, file: string]>([
  ['darwin', {}, 'home/Library/Application Support/Claude/claude_desktop_config.json'],
  ['win32', {}, 'home/AppData/Roaming/Claude/claude_desktop_config.json'],
  ['linux', {}, 'home/.config/Claude/claude_desktop_config.json'],
])('Claude Desktop on %s', ([platform, env, file]) => {
  const files = { [file]: { mcpServers: { a: { command: 'node' } } } };
  expect(resolve({ suite: 'servers: [a]\n', files, platform, env }).servers).toMatchObject([{ name: 'a' }]);
});

describe('variables', () => {
  const env = { NAME: 'value', EMPTY: '' };
  const ALL = `\${env:NAME} \${workspaceFolder} \${workspaceFolderBasename} \${userHome} \${pathSeparator} \${/}`;

  test.for<[dialect: string, written: string, filled: (workspace: string) => string]>([
    ['.mcp.json', `\${NAME} \${NONE:-x} \${EMPTY:-y}`, () => 'value x y'],
    ['.mcp.json, bare', `\${NAME}`, () => 'value'],
    ['Copilot CLI', `\${NAME} \${NONE:-x}`, () => 'value x'],
    ['Windsurf', `\${env:NAME}`, () => 'value'],
    ['Claude Desktop', `\${NAME} \${env:NAME}`, () => `\${NAME} \${env:NAME}`],
    ...[
      '.vscode/mcp.json',
      '.cursor/mcp.json',
      '.vscode/settings.json',
      '.devcontainer/devcontainer.json',
      'Cursor, user',
    ].map((dialect): [string, string, (workspace: string) => string] => [
      dialect,
      ALL,
      (workspace) => `value ${workspace} ${workspace.split('/').at(-1)} ${workspace}/home / /`,
    ]),
    ['.vscode/mcp.json', `\${cwd}`, (workspace) => workspace],
  ])('%s: %s', ([dialect, written, filled]) => {
    const command = { command: 'node', args: [written], env: { X: written } };
    const { servers, problems, workspace } = resolve({ ...inDialect(dialect, command), env });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([{ args: [filled(workspace)], env: { X: filled(workspace) } }]);
  });

  test.for<[dialect: string, variable: string]>([
    ['.mcp.json', 'env:NAME'],
    ['.mcp.json', 'workspaceFolder:x'],
    ['.vscode/mcp.json', 'config:editor.tabSize'],
    ['.vscode/mcp.json', 'command:pick'],
    ['.vscode/mcp.json', 'file'],
    ['.vscode/mcp.json', 'fileBasenameNoExtension'],
    ['.vscode/mcp.json', 'selectedText'],
    ['.vscode/mcp.json', 'workspaceFolder:other'],
    ['.vscode/mcp.json', 'env:'],
    ['.vscode/mcp.json', ''],
    ['.vscode/settings.json', 'execPath'],
    ['.cursor/mcp.json', 'input:key'],
    ['Windsurf', 'NAME'],
    ['Windsurf', 'workspaceFolder'],
  ])(`%s does not know \${%s}`, ([dialect, variable]) => {
    const { servers, problems } = resolve({
      ...inDialect(dialect, { command: 'node', args: [`\${${variable}}`] }),
      env,
    });
    expect(servers).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`error MCP014 \${${variable}} is not a variable that is known here. Known `);
  });

  test.for(Object.keys(DIALECTS).filter((dialect) => dialect !== 'Claude Desktop'))(
    '%s: none is ever empty',
    (dialect) => {
      const written =
        /mcp\.json(?:, bare)?$|Copilot/.test(dialect) && !/vscode|cursor/.test(dialect) ? 'NONE' : 'env:NONE';
      const { servers, problems } = resolve(inDialect(dialect, { command: 'node', env: { KEY: `\${${written}}` } }));
      expect(servers).toEqual([]);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain(
        'error MCP014 environment variable "NONE" is not set (needed by server "a"). Set it',
      );
    },
  );

  test.for([
    ['NAME', `env:NAME`],
    ['workspaceFoldr', 'workspaceFolder'],
  ])(`bare \${%s} in .vscode/mcp.json is handed on, with a warning and a fix`, ([written, meant]) => {
    const { servers, raw } = resolve({
      ...inDialect('.vscode/mcp.json', { command: 'node', args: [`-x "\${${written}}"`] }),
      env,
    });
    expect(servers).toMatchObject([{ args: [`-x "\${${written}}"`] }]);
    expect(raw).toMatchObject([
      {
        ...{ code: 'MCP014', severity: 'warning', pointer: '/servers/a/args/0', hint: `Write \${${meant}}.` },
        message: `\${${written}} is not filled in here, and is handed on as it stands`,
        fix: { text: `"-x \\"\${${meant}}\\""` },
      },
    ]);
    expect(raw[0]?.fix?.range).toEqual(raw[0]?.range);
  });

  test('names of the environment are one in any case on Windows alone', () => {
    const files = inDialect('.vscode/mcp.json', { command: 'node', args: [`\${env:path}`] });
    expect(resolve({ ...files, env: { Path: 'x' }, platform: 'win32' }).servers).toMatchObject([{ args: ['x'] }]);
    expect(resolve({ ...files, env: { Path: 'x' } }).servers).toEqual([]);
  });
});

describe('environments', () => {
  const env = { SECRET_FROM: 'of-the-run-1' };

  test('a file lies under env, and null takes away', () => {
    const { servers, problems, told } = resolve({
      files: {
        '.vscode/mcp.json': {
          servers: {
            a: { command: 'node', envFile: `\${workspaceFolder}/my.env`, env: { B: 'own', C: null, HOME: null } },
          },
        },
        'my.env': 'A="from the file"\nB=file\nC=file\nAPI_KEY=key-of-the-file # mine\n',
      },
    });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([
      { env: { A: 'from the file', B: 'own', C: null, HOME: null, API_KEY: 'key-of-the-file' } },
    ]);
    expect(told).toEqual(['key-of-the-file']);
  });

  test.for<[dialect: string, base: string]>([
    ['.vscode/mcp.json', ''],
    ['.cursor/mcp.json', ''],
    ['.devcontainer/devcontainer.json', ''],
    ['Cursor, user', ''],
  ])('%s: the file is looked for from the folder', ([dialect, base]) => {
    const { files, ...rest } = inDialect(dialect, { command: 'node', envFile: 'conf/.env' });
    const { servers } = resolve({ ...rest, files: { ...files, [`${base}conf/.env`]: 'A=1' }, env });
    expect(servers).toMatchObject([{ env: { A: '1' } }]);
  });

  test('.mcp.json has no such key', () => {
    expect(resolve(inDialect('.mcp.json', { command: 'node', envFile: 'no/such' })).problems).toEqual([]);
  });
});

describe('problems', () => {
  const vscode = (entry: string, more = ''): Files => ({
    files: { '.vscode/mcp.json': `{\n  "servers": {\n    "db": ${entry}\n  }${more}\n}\n` },
  });

  test.for<Bad>([
    {
      name: '28 comments are at home in .vscode/mcp.json',
      ...vscode('{"command": "node",} // mine'),
      shown: [],
      usable: 1,
    },
    {
      name: '29 a cut file',
      files: { '.cursor/mcp.json': '{"mcpServers": {"a": {' },
      shown: ['.cursor/mcp.json:1:23 error MCP002 the file ends inside "a" opened at 1:22.'],
    },
    {
      name: '30 a key that is set twice',
      ...vscode('{"command": "a", "command": "b"}'),
      shown: ['.vscode/mcp.json:3:28 error MCP003 "command" is set twice for "db" (3:12, 3:28)'],
    },
    {
      name: '31 __proto__',
      ...vscode('{"command": "a", "env": {"__proto__": "b"}}'),
      shown: ['.vscode/mcp.json:3:36 error MCP004 reserved key "__proto__".'],
    },
    {
      name: '32 both, also in settings',
      files: { '.vscode/settings.json': '{"mcp": {"servers": {"db": {"command": "node", "url": "https://x"}}}}' },
      shown: [/settings\.json:1:55 error MCP005 server "db" needs exactly one of command or url/],
    },
    {
      name: '33 a command line',
      ...vscode('{"command": "npx -y pkg"}'),
      shown: ['.vscode/mcp.json:3:23 error MCP006 "command" holds spaces, and there is no such file. Put "npx" in'],
    },
    {
      name: '34 args and headers with non-text',
      ...vscode('{"url": "https://x", "headers": {"A": true}}'),
      shown: ['.vscode/mcp.json:3:49 error MCP007 header "A" must be text; found true. Quote it.'],
    },
    {
      name: 'null in env means nothing in .mcp.json',
      mcp: '{"mcpServers": {"db": {"command": "node", "env": {"A": null}}}}',
      shown: [/error MCP007 env "A" must be text; found null/],
    },
    {
      name: 'what no program can be given',
      ...vscode('{"command": "node", "args": ["a\\u0000b"], "env": {"A=B": "1", "": "2"}}'),
      shown: [
        /^\.vscode\/mcp\.json:3:40 error MCP016 the text holds a NUL character/,
        /MCP016 "A=B" is no name of a variable/,
        /MCP016 "" is no name of a variable/,
      ],
    },
    {
      name: 'an unknown type',
      ...vscode('{"type": "htpp", "url": "https://x"}'),
      shown: [
        '.vscode/mcp.json:3:20 error MCP016 "type" must be stdio, http or sse; found "htpp". Did you mean "http"?',
      ],
    },
    {
      name: 'a type that is no text',
      ...vscode('{"type": 1, "url": "https://x"}'),
      shown: [/MCP016 "type" must be stdio, http or sse; found a number\. Known are stdio, http and sse\./],
    },
    {
      name: 'a type without what it needs',
      ...vscode('{"type": "http"}'),
      shown: [/3:5 error MCP005 server "db" has neither command nor url/],
    },
    {
      name: 'a type that its command has not',
      ...vscode('{"type": "sse", "command": "node"}'),
      shown: ['.vscode/mcp.json:3:20 error MCP005 server "db" has a command, and its type is sse. Remove "type".'],
    },
    {
      name: 'a type that its URL has not',
      ...vscode('{"type": "stdio", "url": "https://x"}'),
      shown: ['.vscode/mcp.json:3:20 error MCP005 server "db" has a URL, and its type is stdio. Write http or sse.'],
    },
    {
      name: 'mcpServers in .vscode/mcp.json',
      files: { '.vscode/mcp.json': '{\n  "mcpServers": {}\n}' },
      shown: [
        '.vscode/mcp.json:2:3 error MCP019 "mcpServers" means nothing in .vscode/mcp.json, where servers stand under "servers". Rename it to "servers".',
      ],
    },
    {
      name: 'mcpServers beside servers',
      ...vscode('{"command": "node"}', ',\n  "mcpServers": {}'),
      shown: [
        '.vscode/mcp.json:5:3 warning MCP019 "mcpServers" means nothing in .vscode/mcp.json, where servers stand',
      ],
      usable: 1,
    },
    {
      name: 'servers in .cursor/mcp.json',
      files: { '.cursor/mcp.json': '{"servers": {}}' },
      shown: [/1:2 error MCP019 "servers" means nothing in \.cursor\/mcp\.json.*Rename it to "mcpServers"/],
    },
    {
      name: 'neither in .vscode/mcp.json',
      files: { '.vscode/mcp.json': '{"inputs": []}' },
      shown: ['.vscode/mcp.json:1:1 error MCP016 expected an object with "servers".'],
    },
    {
      name: 'an empty file',
      files: { '.vscode/mcp.json': '' },
      shown: ['.vscode/mcp.json:1:1 error MCP002 the file is empty. It needs at least {"servers": {}}.'],
    },
    {
      name: 'a bare map with something else in it',
      mcp: '{"a": {"command": "node"}, "b": 1}',
      shown: [/1:1 error MCP016 expected an object with "mcpServers"/],
    },
    {
      name: 'settings without servers',
      files: { '.vscode/settings.json': '{ "mcp": {}, "x": 1, "x": 2, }', '.devcontainer/devcontainer.json': '{}' },
      shown: [],
    },
    {
      name: 'settings with mistakes elsewhere',
      files: {
        '.vscode/settings.json':
          '{ "x": 1, "x": 2, "__proto__": 3, "mcp": { "servers": { "a": { "command": "node" } } } }',
      },
      shown: [],
      usable: 1,
    },
    {
      name: 'settings with mistakes in servers',
      files: { '.vscode/settings.json': '{ "mcp": { "servers": { "a": {}, "a": {} } } }' },
      shown: [/1:34 error MCP003 "a" is set twice/],
    },
    {
      name: 'settings with servers twice',
      files: { '.vscode/settings.json': '{ "mcp": { "servers": {}, "servers": {} } }' },
      shown: ['.vscode/settings.json:1:27 error MCP003 "servers" is set twice; refusing to guess.'],
    },
    {
      name: 'settings that are no JSON',
      files: { '.vscode/settings.json': '{ "mcp": { "servers": } }' },
      shown: [/settings\.json:1:\d+ warning MCP002 not valid JSON.*Servers that it may hold are not seen\./],
    },
    {
      name: 'no such envFile',
      ...vscode(`{"command": "node", "envFile": "\${workspaceFolder}/no.env"}`),
      shown: [
        /^\.vscode\/mcp\.json:3:42 error MCP020 env file "\$\{workspaceFolder\}\/no\.env" cannot be read: there is no such file\. It is looked for from /,
      ],
    },
    {
      name: 'an envFile with a value that no program can be given',
      files: {
        '.vscode/mcp.json': `{"servers": {"db": {"command": "node", "envFile": "\${workspaceFolder}/nul.env"}}}`,
        'nul.env': 'A=b\0c',
      },
      shown: [/error MCP020 env file ".*nul\.env" holds a NUL character in the value of A/],
    },
    {
      name: 'an envFile that is a folder',
      ...vscode('{"command": "node", "envFile": "suites"}'),
      shown: [/error MCP020 env file "suites" cannot be read: it is no file/],
    },
    {
      name: 'an envFile with an unknown variable',
      ...vscode(`{"command": "node", "envFile": "\${config:x}"}`),
      shown: [/error MCP014 \$\{config:x\} is not a variable/],
    },
    {
      name: 'no such cwd',
      ...vscode(`{"command": "node", "cwd": "\${workspaceFolder}/no"}`),
      shown: [/error MCP015 working directory "\$\{workspaceFolder\}\/no" does not exist/],
    },
  ])('$name', ({ name: _name, shown, usable = 0, ...files }) => {
    const { problems, servers } = resolve(files);
    expect(problems).toHaveLength(shown.length);
    for (const [index, expected] of shown.entries()) {
      if (typeof expected === 'string') expect(problems[index]?.slice(0, expected.length)).toBe(expected);
      else expect(problems[index]).toMatch(expected);
    }
    expect(servers).toHaveLength(usable);
  });

  test('the fix of a mistaken key is the right one', () => {
    const { raw } = resolve({ files: { '.vscode/mcp.json': '{"mcpServers": {}}' } });
    expect(raw[0]?.fix).toMatchObject({ text: '"servers"', range: { start: { offset: 1 }, end: { offset: 13 } } });
  });
});
