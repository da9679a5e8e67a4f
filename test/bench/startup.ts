/**
 * What a person waits for before anything is done: `--version` over an empty Node, `validate` of 2,000 cases over a bare
 * parse of the same file. Needs dist/. Prints medians.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROUNDS = 15;
const project = join(import.meta.dirname, '../..');
const cli = join(project, 'dist/cli.js');

function medianMs(args: readonly string[], cwd = project): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    execFileSync(process.execPath, args, { cwd });
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

const folder = mkdtempSync(join(tmpdir(), 'mcprove-bench-'));
try {
  const cases = Array.from(
    { length: 2000 },
    (_, index) => `  - id: case-${index}
    prompt: 'What is the weather in city ${index}?'
    calls:
      - get_weather: { city: { $startsWith: 'city ${index}' }, units: metric }
    assert:
      - responseContains: 'city ${index}'
    script:
      - calls: [get_weather: { city: 'city ${index}', units: metric }]
      - say: 'Fine in city ${index}.'
`,
  );
  writeFileSync(
    join(folder, 'big.eval.yaml'),
    `mcprove: 1\nservers: { weather: { command: node } }\ncases:\n${cases.join('')}`,
  );
  const parse = `import { parse } from ${JSON.stringify(join(project, 'node_modules/yaml/dist/index.js'))};
    import { readFileSync } from 'node:fs'; parse(readFileSync('big.eval.yaml', 'utf8'), { merge: true, maxAliasCount: -1 });`;

  const nothing = medianMs(['-e', '0']);
  const version = medianMs([cli, '--version']);
  const bare = medianMs(['--input-type=module', '-e', parse], folder);
  const validate = medianMs([cli, 'validate'], folder);
  console.log(`node -e 0              ${nothing.toFixed(0)} ms`);
  console.log(
    `mcprove --version      ${version.toFixed(0)} ms  (${(version - nothing).toFixed(0)} ms over it; budget 80)`,
  );
  console.log(`parse of 2,000 cases   ${bare.toFixed(0)} ms`);
  console.log(`validate of the same   ${validate.toFixed(0)} ms  (budget ${(1.4 * bare + 300).toFixed(0)})`);
} finally {
  rmSync(folder, { recursive: true });
}
