/** `--max-cost`, with a model that costs something. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';
import { Workspace } from './workspace.ts';

let server: ModelServer;
let workspace: Workspace;

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(async () => {
  await workspace.serversGone(3000);
  workspace.remove();
});

/** Every trial of it costs the same. */
function suite(trials: number, price = 'price: { input: 100, output: 100 }'): string {
  return `mcprove: 1
servers:
  fault: { command: node, args: [fault.mjs, ok], env: { TEST_MARK: '@MARK@' } }
models:
  - { id: local, provider: openai-compatible, model: any, baseUrl: '${server.baseUrls.compatible}', ${price} }
cases:
  - id: echoes
    trials: ${trials}
    prompt: 'plan: echo {"text":"hello"} | say hello'
    calls: [echo: { text: hello }]
`;
}

test('is for all suites of a command together', async () => {
  workspace.write('a.eval.yaml', suite(1));
  expect((await workspace.run(['run', '--max-cost', '$1000'])).code).toBe(0);
  const one = workspace.runs()[0]?.end?.costUsd ?? 0;
  expect(one).toBeGreaterThan(0);

  workspace.write('b.eval.yaml', suite(3));
  const { code, out } = await workspace.run(['run', '--max-cost', (2.5 * one).toFixed(9)]);
  expect(code).toBe(3);
  expect(out).toContain('Cut short by --max-cost: 2 of 3 trials not carried out.');
  expect(workspace.runs().map(({ trials }) => trials.length)).toEqual([1, 1, 1]);
});

test('needs the price of the model, and says so before anything starts', async () => {
  workspace.write('a.eval.yaml', suite(1, ''));
  server.reset();
  const { code, err } = await workspace.run(['run', '--max-cost', '5']);
  expect(code).toBe(2);
  expect(err).toMatch(/PLAN009 --max-cost needs the price of model "local"/);
  expect(err).toContain('`price:`');
  expect([server.requests, workspace.runs()]).toEqual([[], []]);
});

test.each(['0', '-1', 'much', '5€', '$'])('takes no %s', async (amount) => {
  const { code, err } = await workspace.run(['run', `--max-cost=${amount}`]);
  expect(code).toBe(2);
  expect(err).toContain('It must be an amount such as 5 or $0.50.');
});
