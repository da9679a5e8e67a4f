import { describe, expect, test } from 'vitest';
import { doctorJson } from '../../../src/cli/doctor/doctorJson.ts';
import { examinationLines, verdictLine } from '../../../src/cli/doctor/examinationText.ts';
import type { Examination } from '../../../src/engine/index.ts';
import { fakeOutput } from './fakeStream.ts';

const start = { line: 3, column: 5, offset: 40 };
const range = { file: '/w/.mcp.json', start, end: start };

const examinations: Examination[] = [
  { kind: 'machine', title: 'This machine', findings: [{ level: 'ok', text: 'Node.js 24.21.0 on linux x64' }] },
  {
    kind: 'providers',
    title: 'Keys of model providers',
    findings: [{ level: 'note', text: 'not set: OPENAI_API_KEY' }],
  },
  {
    kind: 'server',
    title: '天気',
    server: {
      origin: { file: '/w/.mcp.json', pointer: '/mcpServers/weather' },
      range,
      target: `node ${'x'.repeat(90)}`,
    },
    findings: [
      { level: 'ok', text: 'answers after 240 ms: version 1.0.0, MCP 2025-11-25' },
      {
        level: 'warning',
        text: 'wrote to stdout what is no message: "listening on \u001b[31m3000"',
        remedy: 'stdout is for messages alone: let it log to stderr.',
      },
      {
        level: 'error',
        code: 'SERVER005',
        text: 'gave no answer to initialize in 30 s; nothing came on stdout; stderr: waiting for the database',
        remedy: 'Check that it speaks MCP over stdio: one JSON message a line on stdout.',
      },
    ],
  },
  {
    kind: 'suites',
    title: 'Suites',
    findings: [
      { level: 'ok', file: '/w/a.eval.yaml', text: '2 cases' },
      { level: 'error', code: 'SUITE002', range: { ...range, file: '/w/b.eval.yaml' }, text: 'unknown key "promt"' },
    ],
  },
];

describe.each([60, 80, 120])('at %d columns', (columns) => {
  const { output } = fakeOutput(columns);
  const page = { columns, ink: output.ink };

  test('is laid out', async () => {
    const lines = examinations.flatMap((examination) => [...examinationLines(examination, '/w', page), '']);
    lines.push(verdictLine(examinations, page), '');
    await expect(lines.join('\n')).toMatchFileSnapshot(`golden/doctor at ${columns} columns.txt`);
  });
});

test('says that all is well', () => {
  const { output } = fakeOutput(80);
  expect(verdictLine(examinations.slice(0, 2), { columns: 80, ink: output.ink })).toBe('All is well.');
});

test('is JSON for machines, with places', () => {
  expect(doctorJson(examinations, '1.2.3')).toMatchObject({
    format: 1,
    version: '1.2.3',
    ok: false,
    errors: 2,
    warnings: 1,
    examinations: [
      {},
      {},
      { kind: 'server', origin: { file: '/w/.mcp.json', pointer: '/mcpServers/weather' } },
      { findings: [{ file: '/w/a.eval.yaml' }, { place: { file: '/w/b.eval.yaml', line: 3, column: 5 } }] },
    ],
  });
});
