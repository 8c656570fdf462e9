import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const folder = new URL('../../../public/web/', import.meta.url);
const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));

/** What a page may load of scripts, compressed, in bytes. */
const MAX_BYTES = 40_000;

test('there are scripts to judge', () => {
  expect(scripts).toContain('audit.js');
});

test.each(scripts)('%s is at most 40 kB gzip, since a page may have no more', (name) => {
  expect(gzipSync(readFileSync(new URL(name, folder))).length).toBeLessThanOrEqual(MAX_BYTES);
});
