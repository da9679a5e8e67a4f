import { expect, test } from 'vitest';
import { chooseServer } from '../../../src/cli/commands/chooseServer.ts';
import type { WorkspaceServers } from '../../../src/engine/index.ts';
import { fakeContext } from './fakeContext.ts';

const servers = ['weather', 'orders', '日本'].map((name) => ({
  name,
  origin: { file: '/w/.mcp.json', pointer: `/mcpServers/${name}` },
})) as WorkspaceServers['servers'];
const configured = { servers, problems: [] };

function answering(...answers: (string | null)[]) {
  const asked: string[] = [];
  const world = fakeContext('/w', {
    ask: async (question) => {
      asked.push(question);
      return answers.shift() ?? null;
    },
  });
  return { ...world, asked };
}

test.each([
  ['', 'weather'],
  ['2', 'orders'],
  ['orders', 'orders'],
])('"%s" chooses %s', async (answer, name) => {
  const { context, err, asked } = answering(answer);
  expect((await chooseServer(configured, {}, context))?.name).toBe(name);
  expect(asked).toEqual(['Number or name [1]: ']);
  expect(err.written).toBe(
    'Which server is the suite for?\n  1  weather  .mcp.json\n  2  orders   .mcp.json\n  3  日本     .mcp.json\n',
  );
});

test('asks again after what is none', async () => {
  const { context, err } = answering('4', '0', 'weather');
  expect((await chooseServer(configured, {}, context))?.name).toBe('weather');
  expect(err.written).toContain('There is no "4": a number from 1 to 3, or a name.\n');
});

test('takes no answer for an answer', async () => {
  expect(await chooseServer(configured, {}, answering(null).context)).toBeNull();
});

test.each([
  [{ server: 'orders' }, 'orders'],
  [{ yes: true }, 'weather'],
])('%j asks nothing', async (options, name) => {
  const { context, asked } = answering();
  expect((await chooseServer(configured, options, context))?.name).toBe(name);
  expect(asked).toEqual([]);
});
