import { describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { fakeContext } from './fakeContext.ts';

async function mcprove(args: string[], cwd = '/') {
  const { context, out, err } = fakeContext(cwd);
  const code = await runProgram(args, context);
  return { code, out: out.written, err: err.written };
}

describe('help', () => {
  it.each([['--help'], ['run', '--help'], ['init', '--help'], ['doctor', '--help'], ['help', 'show']])(
    '%s %s',
    async (...args) => {
      const words = args.filter((word) => word !== undefined);
      const { code, out, err } = await mcprove(words);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      await expect(out).toMatchFileSnapshot(`golden/help ${words.join(' ')}.txt`);
    },
  );

  it('fits a narrow page', async () => {
    for (const words of [['--help'], ['run', '--help'], ['show', '--help'], ['doctor', '--help']]) {
      const { context, out } = fakeContext('/', { columns: 60 });
      await runProgram(words, context);
      for (const line of out.written.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
    }
  });

  it('is what a call without a command gets, on stderr and with 2', async () => {
    const { code, out, err } = await mcprove([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Usage: mcprove');
  });
});

it('knows its version', async () => {
  expect(await mcprove(['-V'])).toEqual({ code: 0, out: '0.0.0-test\n', err: '' });
});

describe('usage', () => {
  it.each([
    [['rnu'], "error unknown command 'rnu'\n(Did you mean run?)"],
    [['run', '--tag'], "error option '--tag <tag>' argument missing"],
    [['run', '--trails', '3'], "error unknown option '--trails'\n(Did you mean --trials?)"],
    [
      ['run', '--trials', 'many'],
      "error option '--trials <n>' argument 'many' is invalid. It must be a whole number from 1.",
    ],
    [['run', '--reporter', 'xml'], 'There is no reporter "xml".'],
    [['run', '--match', 'ordr=any'], 'There is no "ordr" in match. Did you mean "order"?'],
    [['run', '--bail'], "error option '--bail <n>' argument missing"],
    [['validate', '--trials', '3'], "error unknown option '--trials'"],
    [['run', 'no/such.eval.yaml'], 'error FIND001 there is no file or folder "no/such.eval.yaml".'],
  ])('%j is refused', async (args, message) => {
    const { code, out, err } = await mcprove(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('a bug of ours', () => {
  const broken = null as unknown as string;

  it('is told as one, without a stack trace, and is no verdict', async () => {
    const { code, err } = await mcprove(['show'], broken);
    expect(code).toBe(3);
    expect(err).toMatch(/^error mcprove itself failed: .+ This is a bug in mcprove, not in the suite\.\n/);
    expect(err).not.toMatch(/^\s+at /m);
  });

  it('comes with its stack trace where that is asked for', async () => {
    expect((await mcprove(['show', '--verbose'], broken)).err).toMatch(/^ {4}at /m);
  });
});
