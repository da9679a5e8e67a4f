import { describe, expect, it } from 'vitest';
import { transcriptLines } from '../../../src/cli/trial/transcript.ts';
import type { Call } from '../../../src/engine/index.ts';
import { call, planned, trial } from '../../fixtures/events/build.ts';
import { fakeOutput } from './fakeStream.ts';

const { ink } = fakeOutput().output;

/** What is told of one call, without its title. */
function told(more: Partial<Call>, columns = 60): string {
  const of = trial(planned('a'), 'passed', { calls: [call('c1', 'get', { id: 1 }, more)] });
  const lines = transcriptLines(of, { columns, ink });
  const from = lines.findIndex((line) => line.startsWith('call '));
  const to = lines.indexOf('', from);
  return lines.slice(from, to).join('\n');
}

const result = (content: Call['arguments'][], more: object = {}) => ({
  result: { content, isError: false, bytes: 10, cut: false, ...more },
});

describe('a call', () => {
  it.each<[string, Partial<Call>, string[]]>([
    ['that gave text', result([{ type: 'text', text: 'one\ntwo' }]), ['  → one', '    two']],
    ['that gave nothing', result([]), ['  → (empty)']],
    [
      'whose structured content is its text is told once',
      result([{ type: 'text', text: '{"sum":3}' }], { structured: { sum: 3 } }),
      ['  → {"sum":3}'],
    ],
    [
      'whose structured content is another',
      result([{ type: 'text', text: 'three' }], { structured: { sum: 3 } }),
      ['  → three', '    structured', '    { sum: 3 }'],
    ],
    [
      'that gave an image',
      result([{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(4000) }]),
      ['  → (image, image/png, 3,000 bytes)'],
    ],
    [
      'that was refused',
      {
        ...result([{ type: 'text', text: 'no \u001b[31mred' }], { isError: true }),
        error: { kind: 'content', text: 'no' },
      },
      ['  ✗ answered with an error', '    no \\x1b[31mred'],
    ],
    [
      'whose result was cut',
      result([{ type: 'text', text: 'beginning' }], { cut: true, bytes: 2_000_000 }),
      ['  → beginning', '    (cut off here; 2,000,000 bytes in all)'],
    ],
    [
      'that crashed the server',
      { error: { kind: 'crashed', text: 'exited with code 9\nabout to exit' } },
      ['  ✗ server crashed: exited with code 9', '    about to exit'],
    ],
  ])('%s', (_, more, lines) => {
    expect(told(more).split('\n').slice(1)).toEqual(['  { id: 1 }', ...lines]);
  });

  it('says who made it, and what its schemas say', () => {
    expect(told({ by: 'runner', mocked: true, argumentsValid: false, resultValid: false }, 200).split('\n')[0]).toBe(
      "call weather::get  3 ms · made by the runner · mocked · arguments break the tool's schema · result breaks the tool's output schema",
    );
  });

  it('with many arguments shows them one below the other', () => {
    expect(told({ arguments: { city: 'Berlin', note: 'so many words that no line could hold them all' } })).toBe(
      [
        'call weather::get  3 ms',
        '  {',
        '    "city": "Berlin",',
        '    "note": "so many words that no line could hold them all"',
        '  }',
      ].join('\n'),
    );
  });
});
