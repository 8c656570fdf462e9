import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/project/storage.md');
const sources = globSync(['src/**/*.ts', 'durable-objects/*.ts'], { cwd: root }).map(read);

/** What a pattern finds in the code, each once. */
function find(pattern: RegExp): string[] {
  const names: string[] = sources.flatMap((source) => [...source.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set<string>(names)].toSorted();
}

/** The names in the first column of all tables whose other columns do not matter here. */
const firstCells = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);
const isPrefix = (name: string): boolean => /^(?:own:|kv:)/.test(name);
const isFile = (name: string): boolean => name.includes('<');

test('the page has a section for each Durable Object class, and for nothing else', () => {
  const classes = find(/^export class (\w+) extends DurableObject/gm);
  expect(classes.length).toBeGreaterThan(10);
  expect([...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name).toSorted()).toEqual(classes);
});

test('the page names each table of the code, and no other', () => {
  // The words of an index lie in a table whose name depends on its tokenizer.
  const tables = [...find(/CREATE TABLE IF NOT EXISTS (\w+)/g), 'word_porter', 'word_trigram'].toSorted();
  expect(tables.length).toBeGreaterThan(60);
  const named = new Set(firstCells.filter((name) => !isPrefix(name) && !isFile(name)));
  expect([...named].toSorted()).toEqual(tables);
});

test('the page names each prefix of keys of the authorization store, and no other', () => {
  const prefixes = find(/['`](own:[a-z:-]+)/g).filter((prefix) => prefix !== 'own:client:');
  expect(prefixes.length).toBeGreaterThan(20);
  const named = firstCells.filter((name) => name.startsWith('own:') && !name.endsWith('fetches:'));
  expect(named.toSorted()).toEqual(prefixes);
});

test('the page names the bucket and each folder of it', () => {
  expect(read('wrangler.toml')).toContain('bucket_name = "sightline-reports"');
  const folders = find(/`((?:reports|snapshots|runs|published)\/)\$\{/g);
  expect(folders).toEqual(['published/', 'reports/', 'runs/', 'snapshots/']);
  for (const folder of folders) expect(firstCells.some((name) => name.startsWith(folder))).toBe(true);
});
