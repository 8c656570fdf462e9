// Bundles the command line into files that run on Node 20.19 and newer, and the filter language into one that runs
// anywhere, with its types; plain JavaScript, because `npm ci` runs it with whatever Node the machine has.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/** The three parts of undici that we use: its index loads mocks, caches, WebSockets and interceptors at every start. */
const UNDICI_PARTS = `
  export { default as Agent } from 'undici/lib/dispatcher/agent.js';
  export { default as buildConnector } from 'undici/lib/core/connect.js';
  export { fetch } from 'undici/lib/web/fetch/index.js';
`;
const slimUndici = {
  name: 'slim-undici',
  setup(bundler) {
    bundler.onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({ path: resolveDir, namespace: 'slim-undici' }));
    bundler.onLoad({ filter: /.*/, namespace: 'slim-undici' }, ({ path }) => ({
      contents: UNDICI_PARTS,
      resolveDir: path,
    }));
  },
};

// dist/emulator is another build's.
for (const name of existsSync('dist') ? readdirSync('dist') : [])
  if (name !== 'emulator') rmSync(`dist/${name}`, { recursive: true, force: true });
await build({
  entryPoints: ['src/cli.ts'],
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  logLevel: 'warning',
  plugins: [slimUndici],
  // The first reads its WebAssembly from beside its own file; the second is used where it is installed.
  external: ['htmlrewriter', 'playwright-core'],
  // Some dependencies are CommonJS and ask for `require`.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as sightlineRequire } from 'node:module';\nconst require = sightlineRequire(import.meta.url);",
  },
});
chmodSync('dist/cli.js', 0o755);
// The styles of reports that are written as one file: those of the service's pages, in one sheet.
const sheets = await build({
  entryPoints: ['src/web/styles/site.css', 'src/web/styles/report.css'],
  outdir: 'dist',
  bundle: true,
  minify: true,
  write: false,
  logLevel: 'warning',
  target: ['chrome120', 'firefox121', 'safari17'],
});
writeFileSync('dist/report.css', sheets.outputFiles.map(({ text }) => text).join(''));
await build(JSON.parse(readFileSync(new URL('filter-module.json', import.meta.url), 'utf8')));

// Types only: `npm run types` has judged the sources.
const TYPES =
  '--ignoreConfig --noCheck --declaration --emitDeclarationOnly --allowImportingTsExtensions --target es2024';
const TYPE_FILES = '--module esnext --moduleResolution bundler --rootDir src --outDir dist/types';
execFileSync(process.execPath, [
  'node_modules/typescript/bin/tsc',
  'src/management/core/filter/index.ts',
  ...`${TYPES} ${TYPE_FILES}`.split(' '),
]);
