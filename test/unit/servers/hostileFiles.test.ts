import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolve } from './resolving.ts';

function isWithin(pointer: string | undefined, parent: string): boolean {
  return pointer === parent || pointer?.startsWith(`${parent}/`) === true;
}

const FILES = [
  '.mcp.json',
  '.vscode/mcp.json',
  '.cursor/mcp.json',
  '.vscode/settings.json',
  '.devcontainer/devcontainer.json',
  'home/.copilot/mcp-config.json',
] as const;

const KEYS = [
  ...['mcpServers', 'servers', 'inputs', 'mcp', 'customizations', 'vscode', 'a', 'type', 'command', 'args', 'env'],
  ...['envFile', 'cwd', 'url', 'headers', 'id', 'options', 'default', '__proto__', 'constructor', ''],
];

const TEXTS = [
  ...['node', 'a b', 'http', 'sse', 'https://x', 'http://x', 'ftp://x', 'https://u:p@x', 'promptString', 'pickString'],
  ...[
    `\${env:X}`,
    `\${X:-y}`,
    `\${input:a}`,
    `\${input:}`,
    `\${`,
    `\${}`,
    `\${workspaceFolder}/x`,
    `\${/}`,
    'a\r\nb',
    '\u0000',
    'ä',
  ],
];

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string());
const { json } = fc.letrec<{ json: unknown; map: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    text,
    fc.constantFrom(null, true, 1, -0.5),
    fc.array(tie('json'), { maxLength: 3 }),
    tie('map'),
    tie('map'),
  ),
  map: fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string()), tie('json'), { maxKeys: 4 }),
}));
/** Likely to reach the servers. */
const server = fc.dictionary(fc.constantFrom(...KEYS), fc.oneof(text, json), { maxKeys: 5 });
const content = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  fc.string(),
  fc
    .record({ mcpServers: fc.record({ a: server }), servers: fc.record({ a: server }), inputs: json })
    .map((top) => JSON.stringify({ ...top, mcp: top, customizations: { vscode: { mcp: top } } })),
);

test('whatever stands in the files, each problem has its place, and no server is both sound and not', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...FILES),
      content,
      fc.constantFrom('', 'servers: [a]\n', 'servers:\n  a: { isolation: trial }\n'),
      (file, written, suite) => {
        const { servers, raw } = resolve({
          files: { [file]: written },
          suite,
          env: { X: 'x' },
          inputs: { a: 'given' },
        });
        for (const { range, message, code } of raw) {
          expect(code).toMatch(/^(?:MCP|SUITE)\d{3}$/);
          expect(message).not.toBe('');
          expect(range.start.line).toBeGreaterThan(0);
          expect(range.end.offset).toBeGreaterThanOrEqual(range.start.offset);
        }
        for (const { origin, kind, ...server } of servers) {
          const own = raw.filter(
            ({ range, pointer }) => range.file === origin.file && isWithin(pointer, origin.pointer),
          );
          expect(own.filter(({ severity }) => severity === 'error')).toEqual([]);
          if ('url' in server) expect(new URL(server.url).protocol).toMatch(/^https?:$/);
          if ('command' in server) expect([server.command, ...server.args].join('')).not.toContain('\0');
        }
      },
    ),
    { numRuns: 400 },
  );
}, 30_000);
