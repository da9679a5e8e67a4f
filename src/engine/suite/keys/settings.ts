/** How a model is asked: keys of cases, of `defaults`, and of models. */
import { z } from 'zod';
import { isMap } from '../check.ts';
import { reads } from '../readings.ts';
import { key, ToolName, whole } from './scalars.ts';

const Temperature = reads(z.number().min(0).max(2), { expects: 'a number from 0 to 2', isBounded: true });

const OneTool = z.strictObject({ tool: ToolName.meta({ description: 'The tool.', examples: ['get_weather'] }) });
const HowToChoose = z.enum(['auto', 'required', 'none']);
const ToolChoice = reads(z.union([HowToChoose, OneTool]).meta({ id: 'toolChoice' }), {
  choose: (value) => (isMap(value) ? OneTool : HowToChoose),
});

export const settings = {
  temperature: key(Temperature, 'How freely the model chooses its words. Default: the provider decides.', 0),
  maxOutputTokens: key(whole(1, 10_000_000), 'The most tokens of one reply. Default: the provider decides.', 2000),
  toolChoice: key(
    ToolChoice,
    'auto (default), none, or for the first reply: required, or a tool that must be called.',
    'required',
    { tool: 'get_weather' },
  ),
  seed: key(whole(0, 2_147_483_647), 'For providers that can repeat an answer.', 42),
};
