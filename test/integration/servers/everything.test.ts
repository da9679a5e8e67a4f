import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { connect, faultServer, never } from './faultServer.ts';

const everything = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);

test('a server nobody here wrote is listed and called', async (context) => {
  const server = faultServer('everything', { args: [everything, 'stdio'] });
  const { connection, notices } = await connect(context, server);
  expect(connection.tools.map(({ name }) => name)).toContain('get-sum');
  expect(await connection.call('get-sum', { a: 2, b: 3 }, never)).toMatchObject({
    result: { content: [{ type: 'text', text: expect.stringContaining('5') }], isError: false },
    argumentsValid: true,
    resultValid: null,
  });
  expect(await connection.call('get-structured-content', { location: 'New York' }, never)).toMatchObject({
    result: { structured: { temperature: expect.any(Number) } },
    resultValid: true,
  });
  expect(await connection.call('get-sum', { a: 'two' }, never)).toMatchObject({
    argumentsValid: false,
    error: { kind: 'content' },
  });
  const call = await connection.call('trigger-long-running-operation', { duration: 0.2, steps: 2 }, never);
  expect(call.error).toBeUndefined();
  expect([connection.violations, notices]).toEqual([[], []]);
});
