/**
 * What the runner costs over a bare loop: the same cases, servers and models, once through the engine (planned, graded,
 * recorded) and once with `generateText` and the MCP SDK's client alone (no grading, no recording). Each case is three
 * model calls and two calls of a stdio tool. Both are bundled as they are shipped, each round is a process of its own, and
 * the rounds of both alternate. Prints medians (of the ratio: that of the pairs), and whether they are within the goals:
 * wall time from the start of the process, its own CPU time, its peak memory; and beside them the ideal wall time, latency
 * × calls / concurrency.
 *
 *     npm run bench                    five rounds of everything, about ten minutes
 *     npm run bench -- --quick         one round
 *     npm run bench -- --cases 100 --latency 50 --concurrency 8 --rounds 3
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

type Side = 'runner' | 'bare';

interface Setting {
  cases: number;
  latencyMs: number;
  concurrency: number;
}

interface Figures {
  wallMs: number;
  cpuMs: number;
  memoryMb: number;
}

interface Round extends Setting {
  side: Side;
  /** Of the model server. */
  url: string;
  /** Command line of the MCP server. */
  server: readonly [string, ...string[]];
}

const MODEL = 'bench';
const MODEL_CALLS = 3;
const ANSWER = 'Berlin: 18 °C';

/** What is at most allowed over the bare loop: a factor, and a constant for what is paid once. */
const GOALS = {
  wallMs: { factor: 1.08, more: 100 },
  cpuMs: { factor: 1.25, more: 500 },
  memoryMb: { factor: 1.5, more: 0 },
} as const satisfies Record<keyof Figures, { factor: number; more: number }>;

function prompt(index: number): string {
  return (
    `Case ${index}. plan: get_weather {"city":"Berlin"} | get_forecast {"city":"Tokyo","days":3} | ` +
    'say It is <<calls[0].text>> there.'
  );
}

/** As a person would write it: a suite of `cases` such cases. */
function suiteText({ cases, url, server: [command, ...args] }: Round): string {
  const one = (index: number): string => `  - id: case-${index}
    prompt: >-
      ${prompt(index)}
    calls:
      - get_weather:
          city: 'Berlin'
      - get_forecast:
          city: { $matches: '^Tok' }
          days: { $gte: 2 }
    assert:
      - noToolErrors
      - argumentsValid
      - responseContains: '${ANSWER}'
`;
  return `mcprove: 1
servers:
  weather:
    command: ${JSON.stringify(command)}
    args: ${JSON.stringify(args)}
models:
  - { id: ${MODEL}, provider: openai-compatible, model: ${MODEL}, baseUrl: '${url}/v1' }
cases:
${Array.from({ length: cases }, (_, index) => one(index)).join('')}`;
}

/** The runner, as the command line runs it. */
async function runnerRound(round: Round): Promise<void> {
  const { planRun, readSuiteFile, startRun } = await import('../../src/engine/index.ts');
  const workspace = mkdtempSync(join(tmpdir(), 'mcprove-bench-'));
  try {
    mkdirSync(join(workspace, '.mcprove'));
    const file = join(workspace, 'bench.eval.yaml');
    writeFileSync(file, suiteText(round));
    const read = await readSuiteFile(file, workspace);
    if (read.kind !== 'suite') throw new Error(JSON.stringify(read));
    const { suite } = read;
    const plan = await planRun(suite, {}, {}, { env: {}, platform: process.platform });
    const { end } = await startRun({
      suite,
      plan,
      env: process.env,
      signal: new AbortController().signal,
      onEvent: () => undefined,
      toolVersion: '0.0.0',
      origin: 'cli',
      note: null,
      concurrency: round.concurrency,
    });
    if (end.totals.passed !== round.cases) {
      throw new Error(`${end.decision}: ${JSON.stringify(end.totals)} ${end.reasons[0]}`);
    }
  } finally {
    rmSync(workspace, { recursive: true });
  }
}

/** The least that does the same work: what a person would write in an afternoon. */
async function bareRound({ cases, concurrency, url, server }: Round): Promise<void> {
  const [{ createOpenAICompatible }, { dynamicTool, generateText, isStepCount, jsonSchema }, { Client }, stdio] =
    await Promise.all([
      import('@ai-sdk/openai-compatible'),
      import('ai'),
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/stdio.js'),
    ]);
  const [command, ...args] = server;
  const client = new Client({ name: 'bench', version: '0.0.0' });
  await client.connect(new stdio.StdioClientTransport({ command, args }));
  const { tools: listed } = await client.listTools();
  const tools = Object.fromEntries(
    listed.map(({ name, description, inputSchema }) => [
      name,
      dynamicTool({
        ...(description === undefined ? {} : { description }),
        inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
        execute: (input) => client.callTool({ name, arguments: input as Record<string, unknown> }),
        toModelOutput: ({ output }) => ({ type: 'text', value: textOf(output) }),
      }),
    ]),
  );
  const model = createOpenAICompatible({ name: MODEL, baseURL: `${url}/v1` })(MODEL);
  let next = 0;
  async function worker(): Promise<void> {
    while (next < cases) {
      const index = next++;
      const { text } = await generateText({
        model,
        prompt: prompt(index),
        tools,
        stopWhen: isStepCount(20),
        maxRetries: 0,
      });
      if (!text.includes(ANSWER)) throw new Error(`the answer is ${JSON.stringify(text)}`);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker));
  await client.close();
}

function textOf(output: unknown): string {
  const { content } = output as { content: { text?: string }[] };
  return content.map(({ text }) => text ?? '').join('\n');
}

/** In a child: carries out one round and prints its figures. */
async function carryOut(round: Round): Promise<void> {
  await (round.side === 'runner' ? runnerRound(round) : bareRound(round));
  const wallMs = performance.now();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const figures: Figures = { wallMs, cpuMs: (userCPUTime + systemCPUTime) / 1000, memoryMb: maxRSS / 1024 };
  // A write to a pipe may be cut off by an exit; what keeps the process alive here has been measured already.
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit());
}

async function build(outdir: string): Promise<string> {
  const { build: bundle } = await import('esbuild');
  await bundle({
    entryPoints: { loop: import.meta.filename },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.15',
    splitting: true,
    // A profile is to be read.
    minify: values.profile === undefined,
    keepNames: true,
    mainFields: ['module', 'main'],
    external: ['esbuild'],
    logLevel: 'error',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return join(outdir, 'loop.mjs');
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The child has no stdout.');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error(`The child ended with ${child.exitCode} before it said anything.`);
}

async function measure(script: string, round: Round): Promise<Figures> {
  const child = spawn(process.execPath, [...profiling(round), script, '--round', JSON.stringify(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const figures = JSON.parse(await firstLine(child)) as Figures;
  await ended;
  return figures;
}

/** With `--profile FOLDER` each round leaves a CPU profile there. */
function profiling({ side, cases, latencyMs, concurrency }: Round): string[] {
  if (values.profile === undefined) return [];
  const name = `${side}-${cases}-${latencyMs}-${concurrency}-${Date.now()}.cpuprofile`;
  return ['--cpu-prof', `--cpu-prof-dir=${values.profile}`, `--cpu-prof-name=${name}`];
}

function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function compare(script: string, url: string, setting: Setting, rounds: number): Promise<void> {
  const server = [process.execPath, join(import.meta.dirname, '../../examples/weather/server.mjs')] as const;
  const measured: Record<Side, Figures[]> = { runner: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    const sides: Side[] = round % 2 === 0 ? ['bare', 'runner'] : ['runner', 'bare'];
    for (const side of sides)
      measured[side].push(await measure(script, { side, url, server: [...server], ...setting }));
  }
  const ideal = (setting.latencyMs * MODEL_CALLS * setting.cases) / setting.concurrency;
  const columns = (Object.keys(GOALS) as (keyof Figures)[]).map((of) => {
    const [ours, bare] = [measured.runner, measured.bare].map((side) => median(side.map((figures) => figures[of])));
    if (ours === undefined || bare === undefined) throw new Error('Nothing was measured.');
    // Of neighbours in time: what else the machine does changes from minute to minute.
    const ratio = median(
      measured.runner.map((figures, round) => figures[of] / (measured.bare[round]?.[of] ?? Number.NaN)),
    );
    const { factor, more } = GOALS[of];
    const mark = setting.cases < 100 ? ' ' : ours <= factor * bare + more ? '✓' : '✗';
    return `${amount(ours, of)} ${amount(bare, of)} ${ratio.toFixed(2).padStart(6)} ${mark}`;
  });
  const { cases, latencyMs, concurrency } = setting;
  const what = [cases, latencyMs, concurrency].map((figure) => String(figure).padStart(6)).join('');
  console.log(`${what} ${(ideal / 1000).toFixed(2).padStart(7)} │ ${columns.join(' │ ')}`);
}

function amount(figure: number, of: keyof Figures): string {
  return (of === 'memoryMb' ? figure.toFixed(0) : (figure / 1000).toFixed(2)).padStart(7);
}

async function compareAll(): Promise<void> {
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 5));
  const figures = (given: readonly string[] | undefined, usual: number[]): number[] => given?.map(Number) ?? usual;
  const outdir = mkdtempSync(join(tmpdir(), 'mcprove-bench-'));
  const models: ChildProcess[] = [];
  try {
    const script = await build(outdir);
    const [load = 0] = loadavg();
    console.log(
      `${rounds} rounds each, Node ${process.versions.node}, load ${load.toFixed(1)} on ${cpus().length} cores`,
    );
    console.log('✓ within the goal, ✗ over it');
    console.log('                   ideal │         wall, s         │         CPU, s          │       memory, MB');
    console.log(` cases    ms  conc     s │${'  runner    bare  ratio   │'.repeat(3).slice(0, -1)}`);
    for (const latencyMs of figures(values.latency, [0, 50])) {
      const main = join(import.meta.dirname, '../modelServer/main.ts');
      const model = spawn(process.execPath, [main, '--latency', String(latencyMs)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      models.push(model);
      const { url } = JSON.parse(await firstLine(model)) as { url: string };
      for (const cases of figures(values.cases, [20, 100, 500])) {
        for (const concurrency of figures(values.concurrency, [8, 32])) {
          await compare(script, url, { cases, latencyMs, concurrency }, rounds);
        }
      }
    }
  } finally {
    for (const model of models) model.kill();
    rmSync(outdir, { recursive: true });
  }
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    cases: { type: 'string', multiple: true },
    latency: { type: 'string', multiple: true },
    concurrency: { type: 'string', multiple: true },
    profile: { type: 'string' },
    round: { type: 'string' },
  },
});

if (values.round === undefined) await compareAll();
else await carryOut(JSON.parse(values.round) as Round);
