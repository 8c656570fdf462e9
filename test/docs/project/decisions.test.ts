import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../docs/project/adr');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const pages = globSync('*.md', { cwd: folder })
  .filter((file) => file !== 'index.md')
  .toSorted();
const numberOf = (file: string): string => basename(file).slice(0, 4);

test('each decision has a number of its own, which its title repeats, and says what was decided', () => {
  expect(pages.length).toBeGreaterThan(60);
  expect(new Set(pages.map(numberOf)).size).toBe(pages.length);
  const wrong = pages.filter(
    (file) => !read(file).startsWith(`# ${numberOf(file)} `) || !read(file).includes('**Decision.**'),
  );
  expect(wrong).toEqual([]);
});

test('the index has one line for each decision, in order', () => {
  const listed = [...read('index.md').matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| \S/gm)];
  expect(listed.map(([, , file]) => file)).toEqual(pages);
  expect(listed.map(([, number]) => number)).toEqual(pages.map(numberOf));
});
