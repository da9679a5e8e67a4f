/** Replies of the model `scripted`. */
import { z } from 'zod';
import { check, isMap } from '../check.ts';
import { refuse } from '../explain.ts';
import { checkUncut } from '../freeText.ts';
import { child } from '../pointer.ts';
import { reads } from '../readings.ts';
import { isPlainKey, isWhole } from './calls.ts';
import { FreeText, key, ToolName } from './scalars.ts';
import { SentArguments } from './values.ts';

const LongCall = z.strictObject({
  tool: ToolName.meta({ description: 'The tool that is called.', examples: ['get_weather'] }),
  arguments: key(SentArguments, 'The arguments that are sent.', { city: 'Berlin' }),
});

/** Asks for a call where something else stands. */
const Call = reads(z.unknown(), { expects: 'the name of a tool, { name: arguments }, or { tool, arguments }' });

const ShortCall = reads(z.record(ToolName, z.union([SentArguments, z.null()])), {
  walk: (value, pointer, report) => {
    const [first, ...rest] = Object.entries(value as Record<string, unknown>);
    if (first === undefined || rest.length > 0) return refuse(Call, value, pointer, report);
    const [tool, args] = first;
    const at = child(pointer, tool);
    if (!isPlainKey(tool, at, report) || !check(ToolName, tool, at, report)) return false;
    return args === null || check(SentArguments, args, at, report);
  },
});

const ScriptCall = reads(z.union([ToolName, ShortCall, LongCall]), {
  choose: (value) => {
    if (!isMap(value)) return ToolName;
    return Object.hasOwn(value, 'tool') ? LongCall : ShortCall;
  },
});

/** May be empty, as the answer of a model may. */
const Spoken = reads(z.string(), {
  expects: 'text',
  check: (value, pointer, report) => checkUncut(String(value), pointer, report),
});

const Reply = reads(
  z.strictObject({
    say: key(Spoken, 'What the reply says. {{calls[0].text}} is the result of a call made before.', 'It is sunny.'),
    calls: key(
      reads(z.array(ScriptCall).min(1), {
        expects: 'a list of calls',
        check: (value, pointer, report) => isWhole(value as unknown[], pointer, report),
      }),
      'The tool calls that the reply asks for.',
      [{ get_weather: { city: 'Berlin' } }],
    ),
    fails: key(FreeText, "Instead of a reply, a provider's error with this text.", 'overloaded'),
  }),
  {
    title: () => 'a scripted reply',
    check: (value, pointer, report) => {
      const keys = Object.keys(value as object);
      if (keys.length === 0) return report.add('SUITE003', pointer, 'expected say, calls or fails; found an empty map');
      if (!keys.includes('fails') || keys.length === 1) return true;
      return report.add('SUITE023', child(pointer, 'fails'), 'a reply that fails says and calls nothing', {
        key: true,
      });
    },
  },
);

export const Script = reads(z.array(Reply).min(1), { expects: 'a list of replies' });

export type ScriptInput = z.infer<typeof Script>;
