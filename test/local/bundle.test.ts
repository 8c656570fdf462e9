import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { bundleChangedWorker } from '../../local/bundle.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/sightline-workers', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bundle-test-'));
/** A name that no Worker of ours has: its bundles are recognised, and removed. */
const NAME = `bundle-test-${process.pid}.ts`;
const entry = join(folder, NAME);
const part = join(folder, 'part.ts');
const listCached = (): string[] => readdirSync(CACHE).filter((name) => name.startsWith(NAME));

afterEach(() => {
  for (const name of listCached()) rmSync(join(CACHE, name));
});

/** Files of a while ago, as those of a checkout are. */
const write = (path: string, text: string, agoS: number): void => {
  writeFileSync(path, text);
  const at = Date.now() / 1000 - agoS;
  utimesSync(path, at, at);
};

test('a bundle is made once, and again when a file that went into it changes', async () => {
  write(part, 'export const word = "first";', 100);
  write(entry, 'import { word } from "./part.ts"; export default { fetch: () => new Response(word) };', 100);
  expect(await bundleChangedWorker(entry)).toContain('"first"');
  const [made] = listCached().filter((name) => name.endsWith('.js'));
  const before = statSync(join(CACHE, made ?? '')).mtimeMs;
  expect(await bundleChangedWorker(entry)).toContain('"first"');
  expect(statSync(join(CACHE, made ?? '')).mtimeMs).toBe(before);
  // The same size, another time: an editor that replaces one letter.
  write(part, 'export const word = "fresh";', 50);
  expect(await bundleChangedWorker(entry)).toContain('"fresh"');
});

test('a bundle is not taken for one of files that changed while it was made, nor one whose stamp is broken', async () => {
  write(part, 'export const word = "first";', 100);
  write(entry, 'import { word } from "./part.ts"; export default { fetch: () => new Response(word) };', -100);
  await bundleChangedWorker(entry);
  expect(listCached()).toEqual([]);
  write(entry, 'import { word } from "./part.ts"; export default { fetch: () => new Response(word) };', 100);
  await bundleChangedWorker(entry);
  const [stamp] = listCached().filter((name) => name.endsWith('.json'));
  writeFileSync(join(CACHE, stamp ?? ''), '{');
  write(part, 'export const word = "later";', 50);
  expect(await bundleChangedWorker(entry)).toContain('"later"');
});
