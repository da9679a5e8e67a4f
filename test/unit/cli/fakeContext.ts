/** A world for a command: fake streams, a folder, no signals. */
import { EventEmitter } from 'node:events';
import type { Ask } from '../../../src/cli/ask.ts';
import type { Context } from '../../../src/cli/context.ts';
import { type FakeStream, fakeOutput } from './fakeStream.ts';

export function fakeContext(
  cwd: string,
  { columns = 0, env = {}, ask = null }: { columns?: number; env?: Record<string, string>; ask?: Ask | null } = {},
): { context: Context; out: FakeStream; err: FakeStream } {
  const out = fakeOutput(columns);
  const err = fakeOutput();
  const context: Context = {
    out: out.output,
    err: err.output,
    cwd,
    env,
    version: '0.0.0-test',
    signals: new EventEmitter(),
    ask,
    leave: () => {
      throw new Error('left at once');
    },
  };
  return { context, out: out.stream, err: err.stream };
}
