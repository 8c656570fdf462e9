// Builds the package @sightline/client into dist/client: one module for every runtime with web globals, one with stores in
// files, and their types. Plain JavaScript, because `npm ci` runs it with whatever Node the machine has.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { buildPublishFields } from './build/publish-fields.js';

const OUT = 'dist/client';
const X402 = '@x402/core';

const readPackage = (file) => JSON.parse(readFileSync(file, 'utf8'));
const own = readPackage('package.json');

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
await build({
  entryPoints: ['src/client/index.ts', 'src/client/node.ts'],
  outdir: OUT,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  external: [X402, 'node:*'],
  logLevel: 'warning',
});

// Types only: `npm run types` has judged the sources.
const TYPES = '--noEmit false --noCheck --declaration --emitDeclarationOnly --rootDir src/client';
execFileSync(process.execPath, [
  'node_modules/typescript/bin/tsc',
  ...`-p tsconfig.client.json ${TYPES} --outDir ${OUT}/types`.split(' '),
]);
// Sources import each other as they are; what is installed has other names.
for (const name of readdirSync(`${OUT}/types`)) {
  const file = `${OUT}/types/${name}`;
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from\s+['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2'));
}

copyFileSync('LICENSE', `${OUT}/LICENSE`);
copyFileSync('src/client/PACKAGE.md', `${OUT}/README.md`);
const manifest = {
  name: '@sightline/client',
  ...buildPublishFields(own),
  description: 'Buys audits of what AI systems can see of a website, and reads them by piece.',
  keywords: own.keywords,
  type: 'module',
  sideEffects: false,
  exports: {
    '.': { types: './types/index.d.ts', default: './index.js' },
    './node': { types: './types/node.d.ts', default: './node.js' },
    './package.json': './package.json',
  },
  files: ['index.js', 'node.js', 'types'],
  dependencies: { [X402]: `^${readPackage(`node_modules/${X402}/package.json`).version}` },
};
writeFileSync(`${OUT}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
