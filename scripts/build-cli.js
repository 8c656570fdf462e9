// Bundles the command line into files that run on Node 20.19 and newer; plain JavaScript, because `npm ci` runs it
// with whatever Node the machine has.
import { chmodSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
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
  // Some dependencies are CommonJS and ask for `require`.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as sightlineRequire } from 'node:module';\nconst require = sightlineRequire(import.meta.url);",
  },
});
chmodSync('dist/cli.js', 0o755);
