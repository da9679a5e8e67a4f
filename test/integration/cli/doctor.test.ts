/** `mcprove doctor`, as built, on workspaces that are well and on such that are not. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passing } from './suites.ts';
import { ended, Workspace } from './workspace.ts';

const weather = { command: 'node', args: [join(import.meta.dirname, '../../../examples/weather/server.mjs')] };
const fault = (...args: string[]) => ({ command: 'node', args: ['fault.mjs', ...args], env: { TEST_MARK: '@MARK@' } });
let workspace: Workspace;

beforeEach(() => {
  workspace = new Workspace();
});

afterEach(() => workspace.remove());

function configure(mcpServers: Record<string, object>): void {
  workspace.write('.mcp.json', JSON.stringify({ mcpServers }, null, 2));
}

test('a workspace that is well', async () => {
  configure({ weather });
  const { code, out, err } = await workspace.run(['doctor'], { OPENAI_API_KEY: 'sk-very-secret' });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^This machine\n {2}✓ Node\.js \d+\.\d+\.\d+ on /);
  expect(out).toMatch(/^ {2}✓ node is .+$/m);
  expect(out).toMatch(/^ {2}✓ openai: OPENAI_API_KEY set$/m);
  expect(out).not.toContain('sk-very-secret');
  expect(out).toMatch(
    /^weather {2}\.mcp\.json:3:5\n {2}node \S+\n {2}✓ answers after [\d,]+ ms: version 1\.0\.0, MCP 2/m,
  );
  expect(out).toMatch(/^ {2}✓ 3 tools/m);
  expect(out).toMatch(/^ {2}– none in this folder or below\n {4}Write one with `mcprove init`\.$/m);
  expect(out).toMatch(/\n\nAll is well\.\n$/);
});

test('resources and prompts are counted too', async () => {
  const script = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js';
  configure({ everything: { command: 'node', args: [join(import.meta.dirname, '../../..', script)] } });
  expect((await workspace.run(['doctor'])).out).toMatch(/^ {2}✓ \d+ tools, \d+ resources, \d+ prompts$/m);
});

describe('a server that', () => {
  test.each<[string, object, string, string]>([
    ['does not exist', { command: 'no-such-program' }, 'no-such-program is not on the PATH; needed by it', 'SERVER001'],
    ['ends at once', fault('exit'), 'SERVER004  exited with code 3', 'by hand'],
    ['cannot list its tools', fault('list-error'), 'the tool registry is down', 'SERVER007'],
    ['has two tools of one name', fault('same-name'), 'two tools named "echo"', 'SERVER008'],
  ])('%s fails', async (_, server, ...messages) => {
    configure({ it: server, other: fault('ok') });
    const { code, out } = await workspace.run(['doctor']);
    expect(code, out).toBe(1);
    for (const message of messages) expect(out.replaceAll(/\n {4}/g, ' ')).toContain(message);
    // One does not keep the other from being examined.
    expect(out).toContain('✓ 8 tools');
    expect(workspace.servers).toBe(0);
  });

  test('misbehaves is warned of', async () => {
    configure({ it: fault('junk') });
    const { code, out } = await workspace.run(['doctor']);
    expect(code).toBe(0);
    expect(out).toMatch(/! .+\n(?: {4}.+\n)* {4}stdout is for messages alone: let it log to stderr\./);
  });

  test('stands in a suite is examined too, and once', async () => {
    configure({ fault: fault('ok') });
    workspace.write('a.eval.yaml', passing);
    workspace.write('b.eval.yaml', passing);
    workspace.write('c.eval.yaml', 'mcprove: 1\nservers: [fault]\ncases: [{ tool: echo }]\n');
    const { code, out } = await workspace.run(['doctor']);
    expect(code, out).toBe(0);
    expect(out.match(/answers after/g)).toHaveLength(1);
    expect(out).toContain('  ✓ a.eval.yaml  2 cases\n');
  });
});

describe('a mistake in a file is told at its place, with 2:', () => {
  test('in a suite', async () => {
    workspace.write('a.eval.yaml', passing.replace('prompt:', 'promt:'));
    const { code, out } = await workspace.run(['doctor']);
    expect(code).toBe(2);
    expect(out).toMatch(/✗ a\.eval\.yaml:7:5 {2}SUITE002 /);
  });

  test('in the configuration', async () => {
    configure({ it: { ...fault('ok'), cwd: 'nowhere' } });
    const { code, out } = await workspace.run(['doctor']);
    expect(code).toBe(2);
    expect(out).toMatch(/^Configuration of servers\n {2}✗ \.mcp\.json:\d+:\d+ {2}MCP015 /m);
  });
});

test('no secret of a server is shown', async () => {
  const secret = 'tok-0123456789abcdef';
  configure({ it: { ...fault('exit', `\${API_TOKEN}`), env: { TEST_MARK: '@MARK@', API_TOKEN: `\${API_TOKEN}` } } });
  const { out, err } = await workspace.run(['doctor'], { API_TOKEN: secret });
  expect(out).toContain('[redacted]');
  expect(out + err).not.toContain(secret);
});

test('--json holds the same', async () => {
  configure({ it: fault('ok'), gone: fault('exit') });
  const { code, out } = await workspace.run(['doctor', '--json']);
  expect(code).toBe(1);
  const report = JSON.parse(out);
  expect(report).toMatchObject({ format: 1, ok: false, errors: 1 });
  expect(report.examinations.map(({ kind, title }: { kind: string; title: string }) => `${kind} ${title}`)).toEqual([
    'machine This machine',
    'providers Keys of model providers',
    'server it',
    'server gone',
    'suites Suites',
  ]);
  expect(report.examinations[3].findings).toEqual([
    { level: 'error', code: 'SERVER004', text: expect.any(String), remedy: expect.any(String) },
  ]);
});

test('Ctrl-C ends every server', async () => {
  configure({ a: fault('mute'), b: fault('mute'), c: fault('ok') });
  const child = workspace.start(['doctor']);
  const end = ended(child);
  await expect.poll(() => workspace.servers, { timeout: 5000 }).toBe(3);
  await wait(100);
  child.kill('SIGINT');
  expect(await end).toMatchObject({ code: 130, err: expect.stringContaining('Cancelling') });
  expect(workspace.servers).toBe(0);
});
