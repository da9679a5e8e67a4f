import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LiveArea } from '../../../src/cli/list/liveArea.ts';
import { fakeOutput } from './fakeStream.ts';

it('draws over itself', () => {
  const { stream, output } = fakeOutput(40);
  const area = new LiveArea(output);
  area.draw(['one', 'two', 'three']);
  area.draw(['1', '2']);
  expect(stream.shown()).toBe('1\n2\n');
});

it('prints finished lines above itself', () => {
  const { stream, output } = fakeOutput(40);
  const area = new LiveArea(output);
  area.draw(['status']);
  area.print(['first', 'a second line that is longer than the screen is wide']);
  area.draw(['other']);
  area.clear();
  expect(stream.shown()).toBe('first\na second line that is longer than the sc\nreen is wide\n');
});

it('counts the rows of its lines anew when the terminal became narrower', () => {
  const { stream, output } = fakeOutput(20);
  const area = new LiveArea(output);
  // Drawn for 40 columns; this screen has shown them at 20 from the start, as one that reflows does.
  stream.columns = 40;
  area.draw(['this takes twenty-six cells', 'twenty cells exactly']);
  stream.columns = 20;
  area.draw(['short']);
  expect(stream.shown()).toBe('short\n');
});

it('leaves out what the screen is too low for', () => {
  const { stream, output } = fakeOutput(40);
  stream.rows = 4;
  new LiveArea(output).draw(['1', '2', '3', '4', '5']);
  expect(stream.shown()).toBe('1\n2\n3\n');
});

it('leaves exactly what was printed, whatever was drawn in between', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', '東', '·'), maxLength: 15 });
  const step = fc.record({ draw: fc.boolean(), lines: fc.array(line, { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const { stream, output } = fakeOutput(40);
      const area = new LiveArea(output);
      for (const { draw, lines } of steps) {
        if (draw) area.draw(lines);
        else area.print(lines);
      }
      area.clear();
      const printed = steps.flatMap(({ draw, lines }) => (draw ? [] : lines));
      expect(stream.shown()).toBe([...printed, ''].join('\n'));
    }),
  );
});
