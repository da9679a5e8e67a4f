/** The keys of a case. */
import { z } from 'zod';
import { isMap } from '../check.ts';
import { checkPlain } from '../oddNumbers.ts';
import { reads } from '../readings.ts';
import { AssertionList } from './assertions.ts';
import { Calls } from './calls.ts';
import {
  booleanRemedy,
  EnvironmentName,
  Flag,
  FlagOrReason,
  FreeText,
  Id,
  key,
  Rate,
  Text,
  Timeout,
  ToolName,
  ToolPattern,
  whole,
} from './scalars.ts';
import { Script } from './script.ts';
import { settings } from './settings.ts';
import { Expectation, FreeMap, SentArguments } from './values.ts';

export const Tags = reads(z.array(Text), { expects: 'a list of texts' });

const Patterns = reads(z.array(ToolPattern), { expects: 'a list of tools' });

const Match = z.strictObject({
  arguments: key(
    z.enum(['partial', 'exact', 'ignore']),
    'How arguments are compared. partial (default): there may be more keys, at every depth.',
    'exact',
  ),
  order: key(
    z.enum(['any', 'inOrder', 'exact']),
    'any (default); inOrder: others may stand between; exact: these calls and no other.',
    'inOrder',
  ),
  extras: key(
    reads(z.union([z.enum(['allow', 'forbid']), z.int().min(0)]), { expects: 'allow, forbid, or the number allowed' }),
    'Calls beyond the expected ones: allow (default), forbid, or how many.',
    'forbid',
    1,
  ),
  ignoreTools: key(Patterns, 'Tools whose calls are left out of the comparison.', ['list_*']),
});

const Tools = z.strictObject({
  allow: key(Patterns, 'Only these tools are offered.', ['get_*']),
  deny: key(Patterns, 'These tools are not offered.', ['delete_*']),
  readOnly: key(Flag, 'Only tools annotated as read-only are offered.', true),
});

const Requires = z.strictObject({
  env: key(
    reads(z.array(EnvironmentName), { expects: 'a list of names' }),
    'Environment variables without which the case is skipped.',
    ['API_TOKEN'],
  ),
  os: key(
    reads(z.array(reads(z.enum(['linux', 'macos', 'windows']), {})), { expects: 'a list of linux, macos, windows' }),
    'Operating systems on which the case runs.',
    ['linux', 'macos'],
  ),
});

const Vars = reads(
  z.record(
    reads(z.string().regex(/^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u), { expects: 'letters, digits, "_" and "-"' }),
    z.unknown(),
  ),
  { expects: 'a map from names to values', check: checkPlain },
);

const Execute = reads(z.union([z.boolean(), z.literal('untilExpected')]), {
  expects: 'true, false or untilExpected',
  remedy: booleanRemedy,
});

const Replacement = z.strictObject({
  replace: AssertionList.meta({ description: "Instead of the defaults'.", examples: [[]] }),
});
const CaseAssertions = reads(z.union([AssertionList, Replacement]), {
  choose: (value) => (isMap(value) ? Replacement : AssertionList),
});

/** Keys that stand in a case and in `defaults`. */
const shared = {
  system: key(FreeText, 'The system prompt.', 'You are a travel agent.'),
  tools: key(Tools, 'Which tools the model is offered.', { readOnly: true }),
  match: key(Match, 'How expected and actual calls are compared.', { order: 'inOrder', extras: 'forbid' }),
  vars: key(Vars, 'Values for placeholders: {{city}}.', { city: 'Berlin' }),
  execute: key(
    Execute,
    'false: the first reply with calls ends the trial and no tool runs. untilExpected: it ends when all expected calls were made.',
    'untilExpected',
  ),
  ...settings,
  trials: key(whole(1, 100), 'How often each model tries. Default 1.', 5),
  timeout: key(Timeout, 'The most a trial may take. Default 120s.', '30s'),
  maxTurns: key(whole(1, 1000), 'The most replies a model may give. Default 20.', 10),
  requires: key(Requires, 'Where it can run; elsewhere it is skipped.', { env: ['API_TOKEN'] }),
};

export const DefaultsKeys = reads(
  z.strictObject({
    ...shared,
    assert: key(AssertionList, 'Assertions for every case.', ['noToolErrors']),
    tags: key(Tags, 'Tags for every case.', ['smoke']),
  }),
  { title: () => '"defaults"' },
);

/** What a case is about: each has exactly one of these. */
export const SUBJECTS = ['prompt', 'tool', 'trace'] as const;
export type SubjectName = (typeof SUBJECTS)[number];

export const CaseKeys = reads(
  z
    .strictObject({
      id: key(Id, 'Identity across runs. Default: made from the name or prompt.', 'weather-berlin'),
      name: key(FreeText, 'Shown in lists and reports. Default: the prompt.', 'Asks for the weather'),
      description: key(FreeText, 'More about it.', 'The city stands in the prompt.'),
      tags: key(Tags, "For selecting cases; besides the suite's.", ['smoke']),
      metadata: key(FreeMap, 'Anything; copied into the run file.', { owner: 'weather team' }),
      skip: key(FlagOrReason, 'true or a reason: the case is not run.', 'needs the staging server'),
      only: key(Flag, 'Only cases so marked are run. Refused where CI is set.', true),
      prompt: key(FreeText, "The user's message.", 'What is the weather in Berlin?'),
      tool: key(ToolName, 'A tool that the runner calls, without any model.', 'weather::get_weather'),
      arguments: key(SentArguments, 'What is sent to `tool`; nothing in it is a matcher.', { city: 'Berlin' }),
      expect: key(Expectation, 'What the result of `tool` must be. Default: it must succeed.', { isError: true }),
      trace: key(Text, 'A file with recorded calls to grade, relative to the suite.', 'traces/refund.json'),
      calls: key(Calls, 'The expected calls, or none. Absent: any.', [{ get_weather: { city: 'Berlin' } }], 'none'),
      assert: key(CaseAssertions, "Assertions, besides the defaults'.", [{ responseContains: 'Berlin' }]),
      ...shared,
      pass: key(Rate, "The share of this case's trials that must pass. Default: the suite's.", '80%'),
      script: key(Script, 'What the model `scripted` replies, one entry per reply.', [{ say: 'It is sunny.' }]),
    })
    .meta({ id: 'case', oneOf: SUBJECTS.map((subject) => ({ required: [subject] })) }),
  { expects: 'a case', title: (value) => `case ${caseName(value)}` },
);

/** How a case is called where something in it is wrong. */
export function caseName(value: object): string {
  const { id, name, prompt, tool, trace } = value as Record<string, unknown>;
  const known = [id, name, prompt, tool, trace].find((text) => typeof text === 'string');
  if (known === undefined) return 'without a name';
  return JSON.stringify(known.length > 40 ? `${known.slice(0, 40)}…` : known);
}

export type CaseInput = Partial<z.infer<typeof CaseKeys>>;
export type DefaultsInput = Partial<z.infer<typeof DefaultsKeys>>;
