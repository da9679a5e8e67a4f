import { z } from 'zod';
import { isMap } from '../check.ts';
import { durationMs } from '../duration.ts';
import { MONEY, usd } from '../money.ts';
import { reads } from '../readings.ts';
import { Count, Duration, key, Money, ToolPattern } from './scalars.ts';

/** A most, or `{ min, max }`; both inclusive. */
function bound<Schema extends z.ZodType<string | number>>(id: string, figure: Schema, example: string | number) {
  const range = reads(
    z.strictObject({ min: key(figure, 'At least this.', example), max: key(figure, 'At most this.', example) }),
    {
      check: (value, pointer, report) => {
        const { min, max } = value as { min?: string | number; max?: string | number };
        if (min === undefined && max === undefined) return report.add('SUITE003', pointer, 'expected min or max');
        if (min === undefined || max === undefined || size(min) <= size(max)) return true;
        return report.add('SUITE016', pointer, `min ${min} is greater than max ${max}`);
      },
    },
  );
  return reads(z.union([figure, range]).meta({ id }), { choose: (value) => (isMap(value) ? range : figure) });
}

function size(figure: string | number): number {
  if (typeof figure === 'number') return figure;
  return MONEY.test(figure) ? usd(figure) : durationMs(figure);
}

const CountBound = bound('countBound', Count, 3);
const MoneyBound = bound('moneyBound', Money, '$0.05');
const DurationBound = bound('durationBound', Duration, '10s');

export const Limits = reads(
  z.strictObject({
    toolCalls: key(CountBound, 'Number of tool calls.', 3, { min: 1, max: 5 }),
    turns: key(CountBound, 'Number of model replies.', 4),
    tokens: key(CountBound, 'Tokens in and out, all replies together.', 5000),
    cost: key(MoneyBound, 'Cost of all replies together.', '$0.05'),
    duration: key(DurationBound, 'Duration of the trial.', '30s'),
    toolDuration: key(
      reads(z.record(ToolPattern, DurationBound), { expects: 'a map from tools to durations' }),
      'Duration of the slowest call, by name or glob of the tool.',
      { get_weather: '2s' },
    ),
  }),
  {
    check: (value, pointer, report) =>
      Object.keys(value as object).length > 0 ||
      report.add('SUITE003', pointer, 'expected a limit; found an empty map'),
  },
);

export type BoundInput = z.infer<typeof CountBound> | z.infer<typeof DurationBound>;
export type LimitsInput = z.infer<typeof Limits>;
