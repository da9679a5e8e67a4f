import { describe, expect, test } from 'vitest';
import { type Bad, resolve } from './resolving.ts';

const env = { API_KEY: 'key-12345678', HOST: 'example.com', LINE: 'two\r\nlines', WORD: 'prüfen', FTP: 'ftp://x' };

describe('headers are secrets', () => {
  test.for<[name: string, headers: object, told: string[]]>([
    ['with their credentials', { Authorization: `Bearer \${API_KEY}` }, ['key-12345678', 'Bearer key-12345678']],
    ['whatever they are called', { 'X-Team': 'the-weather-team' }, ['the-weather-team']],
    ['if they are long enough', { 'X-Team': 'weather' }, []],
    ['unless all the world sends them', { Accept: 'application/json', 'user-agent': 'someone/1.0' }, []],
  ])('%s', ([, headers, told]) => {
    const mcp = { mcpServers: { a: { url: 'https://example.com', headers } } };
    expect(new Set(resolve({ mcp, env }).told)).toEqual(new Set(told));
  });
});

const server = (entry: string): string => `{\n  "mcpServers": {\n    "db": ${entry}\n  }\n}\n`;

test.for<Bad>([
  {
    name: '35 ftp',
    mcp: server('{"url": "ftp://example.com"}'),
    shown: ['.mcp.json:3:19 error MCP008 scheme "ftp" is not known. Servers are spoken to over http or https.'],
  },
  {
    name: '35 unix',
    mcp: server('{"url": "unix:///tmp/s"}'),
    shown: ['.mcp.json:3:19 error MCP008 scheme "unix" is not known. Servers are'],
  },
  {
    name: '35 no URL',
    mcp: server('{"url": "example.com/mcp"}'),
    shown: ['.mcp.json:3:19 error MCP008 this is no URL. Write the whole address: https://example.com/mcp.'],
  },
  { name: '35 a scheme from a variable', mcp: server(`{"url": "\${FTP}"}`), shown: [/3:19 error MCP008 scheme "ftp"/] },
  {
    name: '35 user and password',
    mcp: server(`{"url": "https://me:\${API_KEY}@example.com"}`),
    shown: [
      '.mcp.json:3:19 error MCP009 the URL holds a user name or password. Send them in a header, from a variable.',
    ],
  },
  {
    name: '35 secrets without TLS',
    mcp: server(`{"url": "http://\${HOST}/mcp", "headers": {"X-Api-Key": "\${API_KEY}"}}`),
    shown: ['.mcp.json:3:19 warning MCP010 header "X-Api-Key" is sent without TLS to another machine. Use https.'],
    usable: 1,
  },
  {
    name: '35 no secrets without TLS',
    mcp: server('{"url": "http://example.com", "headers": {"Accept": "*/*"}}'),
    shown: [],
    usable: 1,
  },
  ...['localhost:3000', '127.0.0.1', '127.1.2.3:80', '[::1]:80', 'a.localhost'].map((host) => ({
    ...{ name: `35 this machine: ${host}`, shown: [], usable: 1 },
    mcp: server(`{"url": "http://${host}/mcp", "headers": {"X-Api-Key": "k"}}`),
  })),
  ...['127.0.0.1.example.com', '0.0.0.0', '128.0.0.1', 'localhost.example.com'].map((host) => ({
    ...{ name: `35 another machine: ${host}`, shown: [/warning MCP010/], usable: 1 },
    mcp: server(`{"url": "http://${host}/mcp", "headers": {"X-Api-Key": "k"}}`),
  })),
  {
    name: '37 a line break',
    mcp: server('{"url": "https://x", "headers": {"X-Id": "abcd\\r\\nX-Admin: 1"}}'),
    shown: ['.mcp.json:3:52 error MCP012 header "X-Id" contains a line break at character 5. Look for what came along'],
  },
  {
    name: '37 a line break from a variable',
    mcp: server(`{"url": "https://x", "headers": {"X-Id": "\${LINE}"}}`),
    shown: [/a line break at character 4/],
  },
  {
    name: '37 beyond ASCII',
    mcp: server(`{"url": "https://x", "headers": {"X-Id": "\${WORD}"}}`),
    shown: ['.mcp.json:3:52 error MCP012 header "X-Id" contains a character that is not plain ASCII at character 3.'],
  },
  {
    name: '37 a name that is none',
    mcp: server('{"url": "https://x", "headers": {"X Id": "a", "": "b"}}'),
    shown: [/MCP012 "X Id" is no name of a header/, /MCP012 "" is no name of a header/],
  },
  {
    name: 'from a suite',
    suite: `servers:\n  a:\n    url: 'http://\${env:HOST}'\n    headers: { X-Key: '\${input:none}', X-Id: '\${env:LINE}' }\n`,
    shown: [
      'suites/a.eval.yaml:4:10 warning MCP010',
      'suites/a.eval.yaml:5:23 error MCP011 input "none" has no value (needed by server "a").',
      'suites/a.eval.yaml:5:46 error MCP012 header "X-Id" contains a line break at character 4.',
    ],
  },
])('$name', ({ name: _name, shown, usable = 0, ...files }) => {
  const { problems, servers } = resolve({ env, ...files });
  expect(problems).toHaveLength(shown.length);
  for (const [index, expected] of shown.entries()) {
    if (typeof expected === 'string') expect(problems[index]?.slice(0, expected.length)).toBe(expected);
    else expect(problems[index]).toMatch(expected);
  }
  expect(servers).toHaveLength(usable);
  expect(problems.join('\n')).not.toMatch(/key-1234|prüfen|lines/);
});
