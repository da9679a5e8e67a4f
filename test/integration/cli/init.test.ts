/** `mcprove init`, as built, against real servers: what it writes passes. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const project = join(import.meta.dirname, '../../..');
const example = (name: string) => ({ command: 'node', args: [join(project, 'examples', name, 'server.mjs')] });
const fault = (mode: string) => ({ command: 'node', args: ['fault.mjs', mode], env: { TEST_MARK: '@MARK@' } });
const everything = {
  command: 'node',
  args: [join(project, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')],
};
let workspace: Workspace;

beforeEach(() => {
  workspace = new Workspace();
});

afterEach(() => workspace.remove());

function configure(mcpServers: Record<string, object>): void {
  workspace.write('.mcp.json', JSON.stringify({ mcpServers }));
}

describe('the suite that is written', () => {
  test.each([
    ['weather', example('weather'), 'get_weather'],
    ['notes', example('notes'), 'list_notes'],
    ['orders', example('orders'), 'find_orders'],
    ['everything', everything, 'get-annotated-message'],
    ['fault', fault('ok'), 'echo'],
  ])('passes for %s', async (name, server, tool) => {
    configure({ [name]: server });
    const written = await workspace.run(['init']);
    expect(written, written.err).toMatchObject({ code: 0 });
    expect(written.out).toContain(`✓ ${name}.eval.yaml  2 cases for ${tool}, one of`);
    expect(written.out).toMatch(/\n\n {2}mcprove run .+\.eval\.yaml\n$/);
    const ran = await workspace.run(['run', `${name}.eval.yaml`]);
    expect(ran.code, ran.out).toBe(0);
    expect(workspace.runs()[0]?.end?.totals).toMatchObject({ planned: 2, passed: 2 });
    expect((await workspace.run(['validate'])).out).toContain('1 suite valid');
    expect(workspace.servers).toBe(0);
  });

  test('stands beside an earlier one', async () => {
    configure({ fault: fault('ok') });
    workspace.write('fault.eval.yaml', 'mine');
    expect((await workspace.run(['init'])).out).toContain('fault-2.eval.yaml');
    expect(workspace.read('fault.eval.yaml')).toBe('mine');
  });

  test('says what to fill in where the made-up call failed', async () => {
    configure({ orders: example('orders') });
    const { code, out } = await workspace.run(['init', '--tool', 'get_order', 'evals']);
    expect(code).toBe(0);
    expect(out).toMatch(/! get_order refused the values made up for it: No order hello\./);
    const line = Number(/Fill in id at evals\.eval\.yaml:(\d+):7/.exec(out)?.[1]);
    expect(workspace.read('evals.eval.yaml').split('\n')[line - 1]).toBe(`      id: 'hello'`);
    expect((await workspace.run(['run', 'evals.eval.yaml'])).code).toBe(1);
  });
});

test('a server that asks for an input gets what is given', async () => {
  workspace.write(
    '.vscode/mcp.json',
    JSON.stringify({
      inputs: [{ id: 'mark', type: 'promptString', description: 'Any word' }],
      servers: { fault: { ...fault('ok'), env: { TEST_MARK: '@MARK@', MARK: `\${input:mark}` } } },
    }),
  );
  expect(await workspace.run(['init'])).toMatchObject({ code: 2, err: expect.stringContaining('MCP011') });
  const { code, out } = await workspace.run(['init', '--input', 'mark=word']);
  expect(code).toBe(0);
  expect(out).toMatch(/\n {2}mcprove run fault\.eval\.yaml --input mark=…\n$/);
  expect((await workspace.run(['doctor'])).code).toBe(2);
  expect((await workspace.run(['doctor', '--input', 'mark=word'])).out).toContain('✓ 8 tools');
});

describe('a tool that may change something', () => {
  test('is not called unasked', async () => {
    configure({ fault: fault('ok') });
    const { code, out } = await workspace.run(['init', '--tool', 'add']);
    expect(code).toBe(0);
    expect(out).toContain('! add may change something, so it was not called');
    expect(workspace.read('fault.eval.yaml')).toContain('isError: false');
  });

  test('is called with --yes, and the suite asks for the fields it declares', async () => {
    configure({ fault: fault('ok') });
    expect((await workspace.run(['init', '--tool', 'add', '--yes'])).code).toBe(0);
    expect(workspace.read('fault.eval.yaml')).toContain(`      json:\n        sum: '$number'`);
  });
});

describe('what stands in the way', () => {
  test.each<[string, Record<string, object>, string[], string]>([
    ['no server', {}, [], 'INIT001 no MCP server is configured here'],
    [
      'several servers',
      { b: fault('ok'), a: fault('ok') },
      [],
      'INIT002 2 servers are configured: b, a. Say which one: mcprove init --server b',
    ],
    [
      'a wrong name',
      { weather: fault('ok') },
      ['--server', 'wether'],
      'INIT003 no server "wether" is configured here. Did',
    ],
    [
      'a wrong tool',
      { a: fault('ok') },
      ['--tool', 'ecko'],
      'INIT003 server "a" has no tool "ecko". Did you mean "echo"?',
    ],
    ['a file that is there', { a: fault('ok') }, ['a'], 'exists already. Nothing is overwritten'],
    ['no such folder', { a: fault('ok') }, ['x/a'], 'INIT005 there is no folder'],
    ['a server that ends at once', { a: fault('exit') }, [], 'SERVER004'],
  ])('%s', async (_, servers, args, message) => {
    configure(servers);
    workspace.write('a.eval.yaml', 'mine');
    const { code, out, err } = await workspace.run(['init', ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(workspace.read('a.eval.yaml')).toBe('mine');
    expect(workspace.servers).toBe(0);
  });
});
