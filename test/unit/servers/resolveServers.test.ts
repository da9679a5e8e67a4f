import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, resolve, root } from './resolving.ts';

const weather = { command: 'node', args: ['server.js'] };

describe('where servers come from', () => {
  test('a suite that names none gets all of the nearest .mcp.json', () => {
    const { servers, problems, workspace } = resolve({ mcp: { mcpServers: { a: weather, b: { command: 'uvx' } } } });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([
      {
        ...{ name: 'a', kind: 'stdio', command: 'node', args: ['server.js'], env: {}, cwd: workspace },
        isolation: 'shared',
        origin: { file: join(workspace, '.mcp.json'), pointer: '/mcpServers/a' },
        range: { start: { line: 3, column: 5 } },
        ...{ startTimeoutMs: 30_000, callTimeoutMs: 60_000 },
      },
      { name: 'b', command: 'uvx', args: [] },
    ]);
  });

  test('there may be no file', () => {
    expect(resolve({})).toMatchObject({ servers: [], problems: [] });
  });

  test('the nearest file counts, also the one beside the suite', () => {
    const { servers } = resolve({ mcp: { mcpServers: { near: weather } }, at: 'suites/.mcp.json' });
    expect(servers).toMatchObject([{ name: 'near', cwd: expect.stringMatching(/suites$/) }]);
  });

  test('no file above the workspace counts', () => {
    writeFileSync(join(root, '.mcp.json'), '{"mcpServers": {"outside": {"command": "node"}}}');
    expect(resolve({}).servers).toEqual([]);
    rmSync(join(root, '.mcp.json'));
  });

  test('a suite takes those it names, in its order', () => {
    const { servers } = resolve({
      suite: 'servers: [b, a]\n',
      mcp: { mcpServers: { a: weather, b: weather, c: weather } },
    });
    expect(servers.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  test('an inline server needs no file, and runs in the folder of the suite', () => {
    const { servers, problems, workspace } = resolve({
      suite: 'servers:\n  local: { command: node, args: [a.js, 3000, 1.10], env: { PORT: 0x1F } }\n',
    });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([
      {
        ...{ name: 'local', command: 'node', args: ['a.js', '3000', '1.10'], env: { PORT: '0x1F' } },
        cwd: join(workspace, 'suites'),
        origin: { file: join(workspace, 'suites/a.eval.yaml'), pointer: '/servers/local' },
        range: { start: { line: 3, column: 3 } },
      },
    ]);
  });

  test('what the suite says lies over the file, env name by name', () => {
    const { servers, workspace } = resolve({
      suite: 'servers:\n  a: { args: [other.js], env: { B: suite, C: suite } }\n',
      mcp: { mcpServers: { a: { ...weather, env: { A: 'file', B: 'file' } } } },
    });
    expect(servers).toMatchObject([
      {
        command: 'node',
        args: ['other.js'],
        env: { A: 'file', B: 'suite', C: 'suite' },
        cwd: workspace,
        origin: { pointer: '/mcpServers/a' },
      },
    ]);
  });

  test('a command in the suite makes a stdio server of one that was none', () => {
    const { servers, problems } = resolve({
      suite: 'servers:\n  a: { command: node }\n',
      mcp: { mcpServers: { a: { type: 'http', url: 'https://example.com' } } },
    });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([{ command: 'node', origin: { pointer: '/servers/a' } }]);
  });

  test('errors in servers that are not used do not matter', () => {
    const { problems } = resolve({
      suite: 'servers: [a]\n',
      mcp: { mcpServers: { a: weather, b: { url: 'https://x' }, c: 5 } },
    });
    expect(problems).toEqual([]);
  });

  test('numbers become text as they are written', () => {
    const mcp = '{"mcpServers": {"a": {"command": "node", "args": [3000, 1.10, 1e3], "env": {"PORT": 8080}}}}';
    expect(resolve({ mcp }).servers).toMatchObject([{ args: ['3000', '1.10', '1e3'], env: { PORT: '8080' } }]);
  });

  test('cwd is relative to the file that says it, and a command path to cwd', () => {
    const { servers, workspace } = resolve({
      suite: 'servers:\n  a: { cwd: sub folder }\n',
      mcp: { mcpServers: { a: { command: './run.sh', cwd: 'suites' } } },
    });
    const cwd = join(workspace, 'suites/sub folder');
    expect(servers).toMatchObject([{ cwd, command: join(cwd, 'run.sh') }]);
  });
});

describe('variables', () => {
  const env = { HOME: '/home/me', EMPTY: '', API_KEY: 'key-12345678', PORT: '80', SHORT_TOKEN: 'abc' };

  test.for([
    { written: `\${HOME}/x`, filled: '/home/me/x' },
    { written: `\${NONE:-fallback}`, filled: 'fallback' },
    { written: `\${NONE:-}`, filled: '' },
    { written: `\${EMPTY}`, filled: '' },
    { written: `\${EMPTY:-shell}`, filled: 'shell' },
    { written: `\${HOME}\${PORT:-1}`, filled: '/home/me80' },
    { written: `$HOME and \${`, filled: `$HOME and \${` },
  ])('.mcp.json: $written', ({ written, filled }) => {
    const { servers, problems } = resolve({
      mcp: { mcpServers: { a: { command: 'node', args: [written], env: { X: written } } } },
      env,
    });
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([{ args: [filled], env: { X: filled } }]);
  });

  test(`in a suite: \${env:VAR}, also in command and cwd`, () => {
    const suite = `servers:\n  a: { command: '\${env:NODE}', args: ['\${env:PORT}'], env: { X: '\${env:HOME}' }, cwd: '\${env:DIR}' }\n`;
    const { servers, workspace } = resolve({ suite, env: { ...env, NODE: 'node', DIR: 'sub folder' } });
    expect(servers).toMatchObject([
      { command: 'node', args: ['80'], env: { X: '/home/me' }, cwd: join(workspace, 'suites/sub folder') },
    ]);
  });

  test('what a variable holds is not filled again', () => {
    const { servers } = resolve({
      mcp: { mcpServers: { a: { command: 'node', args: [`\${A}`] } } },
      env: { A: `\${B} $& $1`, B: 'b' },
    });
    expect(servers).toMatchObject([{ args: [`\${B} $& $1`] }]);
  });

  test('secrets are told: by the name they go under and by the name they come from', () => {
    const { told } = resolve({
      suite: `servers:\n  a: { env: { DB_PASSWORD: literally-secret, X: '\${env:API_KEY}', PORT: '12345678', MY_KEY: '\${env:SHORT_TOKEN}' } }\n`,
      mcp: {
        mcpServers: {
          a: { command: 'node', args: [`--key=\${API_KEY}`, `\${SHORT_TOKEN}`, `\${OTHER_SECRET:-default-secret}`] },
        },
      },
      env,
    });
    expect(new Set(told)).toEqual(new Set(['literally-secret', 'key-12345678', 'default-secret']));
  });
});

describe('problems', () => {
  const server = (entry: string): string => `{\n  "mcpServers": {\n    "db": ${entry}\n  }\n}\n`;

  test.for<Files & { name: string; shown: (string | RegExp)[]; usable?: number }>([
    {
      name: '28 a comment',
      mcp: '{\n  // mine\n  "mcpServers": {"db": {"command": "node"},}\n}',
      shown: ['.mcp.json:2:3 warning MCP001 other tools may refuse comments here.'],
      usable: 1,
    },
    {
      name: '28 a trailing comma',
      mcp: server('{"command": "node",}'),
      shown: ['.mcp.json:3:29 warning MCP001 other tools may refuse trailing commas here.'],
      usable: 1,
    },
    { name: '29 a byte order mark', mcp: `\uFEFF${server('{"command": "node"}')}`, shown: [], usable: 1 },
    {
      name: '29 a cut file',
      mcp: '{"mcpServers": {\n  "db": {"command": "node", "args": ["a", "b',
      shown: ['.mcp.json:2:45 error MCP002 the file ends inside "args" opened at 2:37.'],
    },
    {
      name: '29 a file cut after a comma',
      mcp: '{"mcpServers": {"db": {"command": "node",',
      shown: [/error MCP002 the file ends inside "db" opened at 1:23/],
    },
    {
      name: 'a missing comma',
      mcp: server('{"command": "node" "args": []}'),
      shown: ['.mcp.json:3:30 error MCP002 not valid JSON: a comma is expected here.'],
    },
    {
      name: 'a string over the end of its line',
      mcp: server('{"command": "node}'),
      shown: [/3:23 error MCP002 not valid JSON: this string is never closed/],
    },
    {
      name: 'something behind the end',
      mcp: '{"mcpServers": {}} {}',
      shown: [/1:20 error MCP002 not valid JSON: something follows the end/],
    },
    { name: 'an empty file', mcp: ' \n', shown: [/1:1 error MCP002 the file is empty/] },
    {
      name: '30 a key that is set twice',
      mcp: server('{\n      "command": "node",\n      "command": "sh"}'),
      shown: ['.mcp.json:5:7 error MCP003 "command" is set twice for "db" (4:7, 5:7); refusing to guess.'],
    },
    {
      name: '30 a server that is set twice',
      mcp: '{"mcpServers": {"db": {"command": "a"}, "db": {"command": "b"}}}',
      shown: [/1:41 error MCP003 "db" is set twice \(1:17, 1:41\)/],
    },
    {
      name: '30 a key that is set twice in other letters',
      mcp: server('{"command": "node", "\\u0063ommand": "sh"}'),
      shown: [/MCP003 "command" is set twice/],
    },
    {
      name: '31 __proto__',
      mcp: '{"mcpServers": {"db": {"__proto__": {"command": "sh"}}}}',
      shown: ['.mcp.json:1:24 error MCP004 reserved key "__proto__".'],
    },
    {
      name: '31 constructor, prototype',
      mcp: '{"mcpServers": {"constructor": {"command": "sh", "env": {"prototype": "x"}}}}',
      shown: [/1:17 .*"constructor"/, /1:58 .*"prototype"/],
    },
    {
      name: '32 command and url',
      mcp: server('{"command": "node", "url": "https://x"}'),
      shown: ['.mcp.json:3:38 error MCP005 server "db" needs exactly one of command or url. Remove one of them.'],
    },
    {
      name: '32 neither',
      mcp: server('{"args": []}'),
      shown: [/3:5 error MCP005 server "db" has neither command nor url/],
    },
    {
      name: '33 a command line',
      mcp: server('{"command": "npx -y pkg"}'),
      shown: [
        '.mcp.json:3:23 error MCP006 "command" holds spaces, and there is no such file. Put "npx" in command and ["-y","pkg"] in args.',
      ],
    },
    { name: 'an empty command', mcp: server('{"command": " "}'), shown: [/MCP005 "command" is empty/] },
    {
      name: '34 arguments that are no text',
      mcp: server('{"command": "node", "args": ["a", true, null, {}]}'),
      shown: [
        /3:45 error MCP007 args\[1\] must be text; found true\. Quote it/,
        /args\[2\] must be text; found null/,
        /args\[3\] must be text; found an object/,
      ],
    },
    {
      name: '34 env that is no text',
      mcp: server('{"command": "node", "env": {"DEBUG": true}}'),
      shown: ['.mcp.json:3:48 error MCP007 env "DEBUG" must be text; found true. Quote it.'],
    },
    {
      name: 'args that are no list',
      mcp: server('{"command": "node", "args": "a.js"}'),
      shown: [/MCP016 "args" must be a list; found text/],
    },
    {
      name: 'env that is no object',
      mcp: server('{"command": "node", "env": ["A=1"]}'),
      shown: [/MCP016 "env" must be an object; found a list/],
    },
    {
      name: 'a command that is a list',
      mcp: server('{"command": ["npx", "pkg"]}'),
      shown: [/MCP016 "command" must be text; found a list/],
    },
    {
      name: 'a server that is no object',
      mcp: server('"node"'),
      shown: [/3:5 error MCP016 server "db" must be an object; found text/],
    },
    {
      name: 'the dialect of VS Code',
      mcp: '{"servers": {}}',
      shown: [
        '.mcp.json:1:2 error MCP019 "servers" means nothing in .mcp.json, where servers stand under "mcpServers". Rename it to "mcpServers".',
      ],
    },
    { name: 'a list on top', mcp: '[]', shown: [/1:1 error MCP016/] },
    {
      name: 'mcpServers that is no object',
      mcp: '{"mcpServers": []}',
      shown: [/1:16 error MCP016 "mcpServers" must be an object; found a list/],
    },
    { name: 'stdio by type', mcp: server('{"type": "stdio", "command": "node"}'), shown: [], usable: 1 },
    {
      name: 'S02 no such folder',
      mcp: server('{"command": "node", "cwd": "no/such"}'),
      shown: [/3:38 error MCP015 working directory "no\/such" does not exist\. It is looked for from /],
    },
    {
      name: 'too deep',
      mcp: `{"a": ${'['.repeat(200_000)}`,
      shown: [/1:70 error MCP017 nesting deeper than 64 levels/],
    },
    {
      name: 'too large',
      mcp: `{"a": "${'x'.repeat(1024 * 1024)}"}`,
      shown: [/1:1 error MCP017 the file is larger than 1 MiB/],
    },
    { name: 'not UTF-8', mcp: Buffer.from([0x7b, 0xff, 0x7d]), shown: [/1:1 error MCP017 the file is not UTF-8 text/] },
    {
      name: 'a variable that is not set',
      mcp: server(`{"command": "node", "env": {"A": "x\${NONE}", "B": "\${KEY}"}}`),
      env: { KEY: 'value-of-the-key' },
      shown: [
        `.mcp.json:3:44 error MCP014 environment variable "NONE" is not set (needed by server "db"). Set it, or write \${NONE:-default}.`,
      ],
    },
    {
      name: 'a variable named like a property of every object',
      mcp: server(`{"command": "node", "args": ["\${constructor}"]}`),
      shown: [/"constructor" is not set/],
    },
    {
      name: 'variables of other dialects',
      mcp: server(`{"command": "node", "args": ["\${env:HOME}", "\${input:key}"]}`),
      shown: [
        /\$\{env:HOME\} is not a variable that is known here\. Known are \$\{NAME\} and \$\{NAME:-default\}/,
        /\$\{input:key\}/,
      ],
    },
    {
      name: 'a variable of a suite that is not set',
      suite: `servers:\n  a: { command: node, args: [x, '\${env:NONE}'] }\n`,
      shown: [
        'suites/a.eval.yaml:3:33 error SUITE013 environment variable "NONE" is not set (needed by server "a"). Set it before the run.',
      ],
    },
    {
      name: 'the variables of .mcp.json in a suite',
      suite: `servers:\n  a: { command: node, env: { A: '\${HOME}' } }\n`,
      env: { HOME: '/x' },
      shown: [/SUITE013 \$\{HOME\} is not a variable that is known here\. Known are \$\{env:NAME\}/],
    },
    {
      name: 'S02 no such folder, from a suite',
      suite: 'servers:\n  a: { command: node, cwd: nowhere }\n',
      shown: [/suites\/a\.eval\.yaml:3:28 error MCP015 working directory "nowhere" does not exist/],
    },
    {
      name: '17 an unknown server',
      suite: 'servers: [githb]\n',
      mcp: { mcpServers: { github: weather, memory: weather } },
      shown: [
        /^suites\/a\.eval\.yaml:2:11 error SUITE006 server "githb" is not in .*\.mcp\.json\. Did you mean "github"\? Known: github, memory\.$/,
      ],
    },
    {
      name: 'an unknown server and no file',
      suite: 'servers: [github]\n',
      shown: [
        'suites/a.eval.yaml:2:11 error SUITE006 server "github" has neither command nor url, and no configuration file has it. Give it a "command" or "url" here, or a place in .mcp.json.',
      ],
    },
    {
      name: 'a file that is broken tells no server missing',
      suite: 'servers:\n  a: {}\n  b: { command: node }\n',
      mcp: '{',
      shown: [/^\.mcp\.json:1:2 error MCP002/],
      usable: 1,
    },
  ])('$name', ({ name: _name, shown, usable = 0, ...files }) => {
    const { problems, servers } = resolve(files);
    expect(problems).toHaveLength(shown.length);
    for (const [index, expected] of shown.entries()) {
      if (typeof expected === 'string') expect(problems[index]).toBe(expected);
      else expect(problems[index]).toMatch(expected);
    }
    expect(servers).toHaveLength(usable);
    expect(problems.join('\n')).not.toContain('value-of-the-key');
  });

  test('all of both files, by place, at most 50', () => {
    const args = Array.from({ length: 80 }, () => null);
    const { problems } = resolve({
      suite: 'servers: [a, lost]\n',
      mcp: { mcpServers: { a: { command: 'node', args } } },
    });
    expect(problems).toHaveLength(50);
    expect(problems[0]).toMatch(/args\[0\]/);
  });

  test('a command whose path holds spaces is a file like any other', () => {
    const program = join(root, 'my program');
    writeFileSync(program, '');
    expect(resolve({ mcp: { mcpServers: { a: { command: program } } } })).toMatchObject({
      servers: [{ command: program }],
      problems: [],
    });
  });
});
