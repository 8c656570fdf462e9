import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLIENT_PACKAGE } from '../../../src/lib/release.ts';
import { type InstalledClient, installPackedClient, ROOT } from './packed-client.ts';

/** Of a bundle for browsers, minified, as gzip sends it. */
const MAX_OWN_BYTES = 12 * 1024;
const MAX_WITH_X402_BYTES = 36 * 1024;

let installed: InstalledClient;
beforeAll(() => {
  installed = installPackedClient();
});
afterAll(() => installed.remove());

test('the tarball has the modules, their types and texts, and no source, test or secret', () => {
  const names = installed.packed.files.map(({ path }) => path);
  expect(names.filter((name) => !/^types\/[\w.-]+\.d\.ts$/.test(name)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'index.js',
    'node.js',
    'package.json',
  ]);
  expect(names).toContain('types/index.d.ts');
});

test('its package.json has one dependency, and says that nothing happens at import', () => {
  const folder = join(installed.project, 'node_modules', CLIENT_PACKAGE);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: CLIENT_PACKAGE,
    type: 'module',
    license: 'MIT',
    sideEffects: false,
    engines: { node: '>=20.19' },
    publishConfig: { access: 'public', provenance: true },
  });
  expect(Object.keys(manifest.dependencies)).toEqual(['@x402/core']);
  expect(Object.keys(manifest).filter((name) => /^(?:dev|peer|optional).*ependencies|scripts/.test(name))).toEqual([]);
});

async function sizeOf(external: string[]): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [installed.entry],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    external,
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

test('it is small enough for a page', async () => {
  expect(await sizeOf(['@x402/*'])).toBeLessThanOrEqual(MAX_OWN_BYTES);
  expect(await sizeOf([])).toBeLessThanOrEqual(MAX_WITH_X402_BYTES);
});

test.each([
  ['bundler', 'esnext', ['node'], ['es2024']],
  ['node16', 'node16', ['node'], ['es2024']],
  ['bundler', 'esnext', ['node'], ['es2024', 'dom', 'dom.asynciterable']],
])('its types hold in a program with moduleResolution %s (%s, types %j, lib %j)', (resolution, module, types, lib) => {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'es2024',
    lib,
    module,
    moduleResolution: resolution,
    types,
    skipLibCheck: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const file = join(installed.project, `tsconfig.${resolution}.json`);
  writeFileSync(file, JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const compile = () => execFileSync(process.execPath, [tsc, '-p', file], { encoding: 'utf8', stdio: 'pipe' });
  expect(compile).not.toThrow();
});
