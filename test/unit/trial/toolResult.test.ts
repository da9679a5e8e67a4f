import { describe, expect, test } from 'vitest';
import type { CallResult, Json } from '../../../src/engine/record.ts';
import { MAX_IMAGE_BYTES, MAX_TEXT_BYTES, tellResult } from '../../../src/engine/trial/toolResult.ts';
import { callWith, text } from '../models/calls.ts';

const tell = (result: Partial<CallResult>) => tellResult(callWith(result));
const image = (data: string, mimeType = 'image/png'): Json => ({ type: 'image', data, mimeType });

test.each<[string, Partial<CallResult>, string]>([
  ['one text', { content: [text('sunny')] }, 'sunny'],
  ['several texts', { content: [text('a'), text('b')] }, 'a\nb'],
  ['nothing', { content: [] }, '(the tool returned nothing)'],
  ['an empty text', { content: [text('')] }, '(the tool returned nothing)'],
  ['an embedded text', { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'inside' } }] }, 'inside'],
  [
    'an embedded file',
    { content: [{ type: 'resource', resource: { uri: 'file:///a.zip', blob: 'AAAA', mimeType: 'application/zip' } }] },
    '[resource file:///a.zip, application/zip, 4 bytes]',
  ],
  [
    'a link',
    { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a.txt', description: 'the first' }] },
    '[resource link: a.txt, file:///a, the first]',
  ],
  [
    'audio',
    { content: [{ type: 'audio', data: 'A'.repeat(2048), mimeType: 'audio/wav' }] },
    '[audio, audio/wav, 2 KiB]',
  ],
  [
    'an image that providers do not take',
    { content: [image('AAAA', 'image/svg+xml')] },
    '[image, image/svg+xml, 4 bytes]',
  ],
  ['an unknown type', { content: [{ type: 'hologram', depth: 3 }] }, '[content of unknown type "hologram", 29 bytes]'],
  ['a block without a type', { content: [{ x: 1 }] }, '[content of unknown type "none", 7 bytes]'],
  ['no block at all', { content: [7] }, '[content of unknown type "number", 1 bytes]'],
  ['structure alone', { content: [], structured: { sum: 3 } }, '{"sum":3}'],
  ['structure and the same text', { content: [text('{"sum":3}')], structured: { sum: 3 } }, '{"sum":3}'],
  [
    'structure and the same text, written otherwise',
    { content: [text('{\n "b": [1, {"c": null}],\n "a": 1 }')], structured: { a: 1, b: [1, { c: null }] } },
    '{\n "b": [1, {"c": null}],\n "a": 1 }',
  ],
  ['structure and another text', { content: [text('three')], structured: { sum: 3 } }, 'three\n{"sum":3}'],
  ['structure and part of it', { content: [text('{"a":1}')], structured: { a: 1, b: 2 } }, '{"a":1}\n{"a":1,"b":2}'],
])('%s is told as a text', (_, result, value) => {
  expect(tell(result)).toEqual({ output: { type: 'text', value }, note: null });
});

test('images are told as images, in their place', () => {
  expect(tell({ content: [text('before'), image('iVBO'), text('after')] }).output).toEqual({
    type: 'content',
    value: [
      { type: 'text', text: 'before' },
      { type: 'file', data: { type: 'data', data: 'iVBO' }, mediaType: 'image/png' },
      { type: 'text', text: 'after' },
    ],
  });
});

describe('errors', () => {
  test('of the tool are told as errors', () => {
    expect(tell({ content: [text('no such city'), image('iVBO')], isError: true }).output).toEqual({
      type: 'error-text',
      value: 'no such city\n[image, image/png, 4 bytes]',
    });
  });

  test('without a result are told in their words', () => {
    const call = callWith(null, { error: { kind: 'timeout', text: 'no answer within 60 s' } });
    expect(tellResult(call).output).toEqual({ type: 'error-text', value: 'no answer within 60 s' });
  });
});

describe('too much', () => {
  test('text is cut at the cap, and the model and the record are told', () => {
    const { output, note } = tell({ content: [text('x'.repeat(MAX_TEXT_BYTES + 1))] });
    expect(note).toBe('cut for the model: 256 KiB of 256 KiB of text');
    expect(output).toEqual({ type: 'text', value: `${'x'.repeat(MAX_TEXT_BYTES)}\n[${note}]` });
  });

  test('text exactly at the cap is whole', () => {
    expect(tell({ content: [text('x'.repeat(MAX_TEXT_BYTES))] }).note).toBeNull();
  });

  test('no character is cut in two', () => {
    const { output } = tell({ content: [text(`x${'😀'.repeat(MAX_TEXT_BYTES / 2)}`)] });
    const value = 'value' in output ? String(output.value) : '';
    expect(value).toMatch(/^x(?:😀)+\n\[cut for the model: 256 KiB of 512 KiB of text\]$/u);
    expect(Buffer.byteLength(value.split('\n')[0] ?? '')).toBe(MAX_TEXT_BYTES - 3);
  });

  test('several texts share the cap', () => {
    const { output } = tell({ content: [text('a'.repeat(MAX_TEXT_BYTES - 2)), text('bbbb'), text('cccc')] });
    expect('value' in output && output.value).toMatch(/a\nbb\n\[cut for the model: /);
  });

  test('images past their cap are only named', () => {
    const half = 'A'.repeat(MAX_IMAGE_BYTES / 2);
    const { output } = tell({ content: [image(half), image(half), image('AAAA')] });
    expect(output).toMatchObject({
      type: 'content',
      value: [{ type: 'file' }, { type: 'file' }, { type: 'text', text: '[image, image/png, 4 bytes]' }],
    });
  });
});
