/** Whole runs with models of providers: what is written, what is shown, and what is left open. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { McproveError, planRun, readSuiteFile, startRun } from '../../../src/engine/index.ts';
import type { RunEvent } from '../../../src/engine/record.ts';
import { type ModelServer, startModelServer } from '../../modelServer/index.ts';

const WEATHER = fileURLToPath(new URL('../../../examples/weather/server.mjs', import.meta.url));
const KEY = 'key-that-nobody-may-read';
let server: ModelServer;
let folder: string;
beforeAll(async () => {
  server = await startModelServer({ apiKey: KEY });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.reset();
  folder = await mkdtemp(join(tmpdir(), 'mcprove-models-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(models: string, env: NodeJS.ProcessEnv = {}, chosen?: string[]) {
  const file = join(folder, 'models.eval.yaml');
  const text = `mcprove: 1
servers: { weather: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(WEATHER)}] } }
models:
${models}
cases:
  - id: berlin
    prompt: 'Berlin? plan: get_weather {"city":"Berlin"} | say <<calls[0].text>>'
    calls: [get_weather: { city: Berlin }]
    assert: [limits: { cost: $0.01 }]
`;
  await writeFile(file, text);
  const read = await readSuiteFile(file, folder);
  if (read.kind !== 'suite') throw new Error(JSON.stringify(read));
  const { suite } = read;
  const overrides = chosen === undefined ? {} : { models: chosen };
  const plan = await planRun(suite, {}, overrides, { env, platform: process.platform });
  const events: RunEvent[] = [];
  const result = await startRun({
    suite,
    plan,
    env: { PATH: process.env.PATH, ...env },
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    toolVersion: '0.0.0',
    origin: 'cli',
    note: null,
  });
  return { ...result, events, written: await readFile(result.file, 'utf8') };
}

const compatible = (url: string, more: string) =>
  `  - { id: local, provider: openai-compatible, model: m, baseUrl: '${url}', ${more} }`;

describe('a run', () => {
  test('counts what it cost, and keeps the key to itself', async () => {
    // A key in plain sight, and one that a provider quotes in its answer, are kept out as well.
    const models = compatible(`${server.url}/v1`, `apiKey: ${KEY}, price: { input: 2, output: 10 }`);
    const { head, end, events, written } = await run(models);
    expect(end.decision).toBe('passed');
    expect(head.models).toEqual(['local']);
    expect(head.prices).toEqual({ source: '@pydantic/genai-prices', version: expect.any(String) });
    const { inputTokens, outputTokens } = end.usage;
    expect(end.costUsd).toBeCloseTo((2 * (inputTokens ?? 0) + 10 * (outputTokens ?? 0)) / 1e6, 12);
    expect(end.unpricedTrials).toBe(0);
    expect(server.requests).toHaveLength(2);
    for (const place of [written, JSON.stringify(events), JSON.stringify(end)]) expect(place).not.toContain(KEY);
    expect(written).toContain('[redacted]');
  });

  test('says that a cost is not known, and measures no limit with it', async () => {
    const { end, events } = await run(compatible(`${server.url}/v1`, `apiKey: '\${env:LOCAL_KEY}'`), {
      LOCAL_KEY: KEY,
    });
    expect(end).toMatchObject({ decision: 'inconclusive', costUsd: null, unpricedTrials: 1 });
    const ended = events.find((event) => event.type === 'trialEnded');
    expect(ended?.trial).toMatchObject({ unpriced: expect.stringContaining('give the model a `price`') });
    expect(ended?.trial.checks.find(({ kind }) => kind === 'limits')).toMatchObject({
      outcome: 'notMeasured',
      reason: expect.stringMatching(/^cost: .*give the model a `price`\.$/),
    });
  });

  test('leaves no connection open', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
    const before = sockets();
    await run(compatible(`${server.url}/v1`, `apiKey: ${KEY}, price: { input: 2, output: 10 }`));
    // The server would keep them for minutes: it is the client that ends them.
    await expect.poll(sockets).toBe(before);
  });

  test('takes a model of the suite by its id, and others by their names', async () => {
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${server.url}/v1` };
    const models = compatible(`${server.url}/x/v1`, `apiKey: ${KEY}, price: { input: 2, output: 10 }`);
    const { head } = await run(models, env, ['local', 'openai/gpt-5.4-mini']);
    expect(head.models).toEqual(['local', 'openai/gpt-5.4-mini']);
    expect(server.requests.map(({ path, model }) => `${path} ${model}`).sort()).toEqual([
      '/v1/responses gpt-5.4-mini',
      '/v1/responses gpt-5.4-mini',
      '/x/v1/chat/completions m',
      '/x/v1/chat/completions m',
    ]);
  });

  test.each([
    ['  - openai/gpt-5.4-mini', 'MODEL004'],
    ['  - { provider: openai-compatible, model: m }', 'MODEL003'],
    [`  - { provider: openai, model: m, baseUrl: 'http://localhost:1', apiKey: '\${env:NONE}' }`, 'SUITE013'],
    ['  - acme/m', 'MODEL001'],
  ])('is refused before anything starts: %s', async (models, code) => {
    const refused = run(models);
    await expect(refused).rejects.toBeInstanceOf(McproveError);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(readFile(join(folder, '.mcprove'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
