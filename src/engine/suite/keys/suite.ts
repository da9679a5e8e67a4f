/** The top level of a suite file. */
import { z } from 'zod';
import { isMap } from '../check.ts';
import { reads } from '../readings.ts';
import { CaseKeys, DefaultsKeys, Tags } from './case.ts';
import { Models } from './models.ts';
import { FreeText, key, Rate, whole } from './scalars.ts';
import { Servers } from './servers.ts';
import { FreeMap } from './values.ts';

/** The format that this version reads; the value of the key `mcprove`. */
export const FORMAT = 1;

const CellsPass = reads(
  z.strictObject({
    cell: key(Rate, "The share of each cell's own trials that must pass. Default 100%.", '80%'),
    minCompletion: key(Rate, 'The least share of attempted trials that could be graded. Default 80%.', '90%'),
    maxEvaluatorErrors: key(Rate, 'The greatest share of trials with evaluator errors. Default 10%.', '5%'),
    minGradeable: key(whole(1, 1_000_000), 'The least number of graded trials of a cell. Default: one.', 5),
  }),
  {
    check: (value, pointer, report) =>
      Object.keys(value as object).length > 0 ||
      report.add('SUITE003', pointer, 'expected cell or trials; found an empty map'),
  },
);

const TrialsPass = reads(
  z.strictObject({ trials: Rate.meta({ description: 'One rate over all trials of the run.', examples: ['90%'] }) }),
  { title: () => '"pass" with "trials", to which no other rule applies' },
);

const Pass = reads(z.union([Rate, CellsPass, TrialsPass]), {
  choose: (value) => {
    if (!isMap(value)) return Rate;
    return Object.hasOwn(value, 'trials') ? TrialsPass : CellsPass;
  },
});

const Mark = reads(z.literal(FORMAT), { expects: String(FORMAT) });

const Cases = reads(z.array(CaseKeys).min(1), { expects: 'a list of at least one case' });

export const SuiteKeys = reads(
  z
    .strictObject({
      mcprove: Mark.meta({ description: 'Marks the file as a suite of MCProve.', examples: [FORMAT] }),
      name: key(FreeText, 'Default: the name of the file.', 'Weather'),
      description: key(FreeText, 'What the suite is about.', 'Ways to ask for the weather.'),
      tags: key(Tags, 'For selecting; cases inherit them.', ['smoke']),
      metadata: key(FreeMap, 'Anything; copied into the run file.', { owner: 'weather team' }),
      servers: key(Servers, 'The servers under test. Default: all of the nearest .mcp.json.', ['weather'], {
        local: { command: 'node', args: ['server.js'] },
      }),
      models: key(
        Models,
        'The models that every case is run on.',
        ['openai/gpt-5.4-mini'],
        [{ id: 'local', provider: 'openai-compatible', model: 'qwen3:8b', baseUrl: 'http://localhost:8000/v1' }],
      ),
      defaults: key(DefaultsKeys, 'Keys for all cases. Maps merge, lists replace; assert and tags add.', {
        timeout: '30s',
      }),
      pass: key(Pass, 'What decides pass or fail. Default 100% of each cell.', '80%', { trials: '90%' }),
      cases: Cases.meta({
        description: 'What is tried.',
        examples: [[{ prompt: 'How warm is it in Berlin?', calls: ['get_weather'] }]],
      }),
    })
    .meta({
      title: 'MCProve suite',
      description: 'Which servers, which models, which cases, and what decides pass or fail.',
      patternProperties: { '^x-': { description: 'Ignored: a place for anchors.' } },
    }),
  { ignores: /^x-/ },
);

export type SuiteInput = Partial<z.infer<typeof SuiteKeys>>;
export type PassInput = z.infer<typeof Pass>;
