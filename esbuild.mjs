/**
 * Builds dist/: one ESM bundle with shared chunks, behind a small shim that any Node can parse; and the licences of
 * exactly the packages that were bundled.
 */
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const shared = {
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  minify: true,
  keepNames: true,
  legalComments: 'none',
  define: { MCPROVE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

const { metafile } = await build({
  ...shared,
  entryPoints: { main: 'src/cli/main.ts' },
  splitting: true,
  target: 'node22.15',
  mainFields: ['module', 'main'],
  external: ['vscode'],
  chunkNames: 'chunks/[name]-[hash]',
  // CommonJS packages inside an ES module ask for Node's own modules with `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  metafile: true,
  plugins: [
    {
      // Half of zod's code would be its messages in fifty languages, read at every start.
      name: 'zod speaks English',
      setup({ onLoad }) {
        onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
          contents: "export { default as en } from './en.js';",
        }));
      },
    },
  ],
});

await build({
  ...shared,
  entryPoints: { cli: 'src/cli/shim.ts' },
  target: 'node12.20',
  keepNames: false,
  plugins: [
    {
      name: 'the rest is the other bundle',
      setup({ onResolve }) {
        onResolve({ filter: /\/main\.ts$/ }, () => ({ path: './main.js', external: true }));
      },
    },
  ],
  banner: { js: '#!/usr/bin/env node' },
});

await chmod('dist/cli.js', 0o755);
await writeFile('dist/LICENSES.txt', await licences(bundledFiles(metafile)));

// What an earlier build left. Removed last, so that a build while something runs from dist/ takes nothing from under it.
for (const chunk of await readdir('dist/chunks')) {
  if (metafile.outputs[`dist/chunks/${chunk}`] === undefined) await rm(join('dist/chunks', chunk));
}

/** Every source file of which something is in the bundle. */
function bundledFiles({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
}

/** One section for each package that has a file among `paths`, by name. */
async function licences(paths) {
  const folders = new Set(paths.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []));
  const sections = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    const text =
      file === undefined ? '(The package holds no licence file.)' : await readFile(join(folder, file), 'utf8');
    sections.set(`${name} ${version}`, `${name} ${version} (${license ?? 'no licence named'})\n\n${text.trim()}\n`);
  }
  const names = [...sections.keys()].sort();
  return names.map((name) => sections.get(name)).join(`\n${'-'.repeat(80)}\n\n`);
}
