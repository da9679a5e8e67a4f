import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { fakeContext } from './fakeContext.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'mcprove-starts-')));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;

/** Runs in a folder of its own that holds these files. */
async function mcprove(args: string[], files: Record<string, string>, env: Record<string, string> = {}) {
  const folder = join(root, `f${++folders}`);
  for (const [name, text] of Object.entries({ '.mcprove/x': '', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { context, out, err } = fakeContext(folder, { env });
  const code = await runProgram(args, context);
  return { code, out: out.written.replaceAll(folder, '<folder>'), err: err.written };
}

const SUITE = `mcprove: 1
servers:
  weather: {}
  local:
    command: node
    args: ['my server.mjs', '--key=\${input:key}']
    cwd: sub
    env: { API_TOKEN: '\${env:TOKEN}', PORT: 80 }
  remote:
    url: 'https://example.com/mcp?id=\${input:key}&b=1'
    headers: { Authorization: 'Bearer \${input:key}' }
models: [scripted]
cases: [{ tool: 'weather::a' }]
`;
const FILES = {
  'a.eval.yaml': SUITE,
  'sub/x': '',
  '.mcp.json': '{"mcpServers": {"weather": {"command": "./weather", "args": ["\\u001b[31m"]}}}',
};
const GIVEN = ['--input', 'key=secret-of-the-run'];
const ENV = { TOKEN: 'token-12345678' };

describe('validate --starts', () => {
  it('lists each command line and URL, and no secret', async () => {
    const { code, out, err } = await mcprove(['validate', '--starts', ...GIVEN], FILES, ENV);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      '✓ a.eval.yaml  1 case · 1 trial',
      '    weather  <folder>/weather "\\u001b[31m"',
      '             in <folder> · from .mcp.json:1:17',
      expect.stringMatching(/^ {4}local {4}node "my server\.mjs" .*--key=/),
      '             in sub · env API_TOKEN, PORT · from a.eval.yaml:4:3',
      '    remote   https://example.com/mcp?id=…&b=…',
      '             http · headers Authorization · from a.eval.yaml:9:3',
      '1 suite valid',
      '',
    ]);
    expect(out).not.toMatch(/secret-of|token-/);
  });

  it('says so where nothing is started', async () => {
    const suite = 'mcprove: 1\nservers: { a: { command: node } }\ncases: [{ trace: t.json, calls: none }]\n';
    const { out } = await mcprove(['validate', '--starts'], { 'a.eval.yaml': suite, 't.json': '[]' });
    expect(out).toBe('✓ a.eval.yaml  1 case · 1 trial\n    nothing is started\n1 suite valid\n');
  });

  it('lists nothing of a suite that cannot run', async () => {
    const { code, out } = await mcprove(['validate', '--starts'], FILES, ENV);
    expect(code).toBe(2);
    expect(out).toContain('error MCP011 input "key" has no value');
    expect(out).not.toContain('    local');
  });
});

describe('--input', () => {
  it.each(['validate', 'run'])('is asked for before anything starts by %s', async (command) => {
    const { code, out, err } = await mcprove([command], FILES, ENV);
    expect(code).toBe(2);
    expect(out + err).toContain('Give it with --input key=…, or set MCPROVE_INPUT_KEY.');
  });

  it('may come from the environment', async () => {
    const { code } = await mcprove(['validate'], FILES, { ...ENV, MCPROVE_INPUT_KEY: 'secret-of-the-run' });
    expect(code).toBe(0);
  });

  it.each(['secret-of-the-run', '=secret-of-the-run'])('is refused without an id, and not shown: %s', async (given) => {
    const { code, out, err } = await mcprove(['run', '--input', given], FILES, ENV);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe('error MCP011 there is an --input without id or value. Write --input id=value.\n');
  });
});
