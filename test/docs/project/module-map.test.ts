import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pages = ['docs/project/module-map.md', 'docs/project/architecture.md'];
const SUBJECT = '<subject>';

/** The files and folders that a page names in backticks. */
const findPaths = (page: string): readonly string[] =>
  [...page.matchAll(/`((?:src|routes|durable-objects|local|test|scripts|bench|docs)\/[^`*]*)`/g)].map(
    ([, path = '']) => path,
  );

/** A path with a subject of the audit in it is there when some subject has it. */
const isThere = (path: string): boolean =>
  path.includes(SUBJECT)
    ? readdirSync(join(root, 'src/audit')).some((subject) => existsSync(join(root, path.replace(SUBJECT, subject))))
    : existsSync(join(root, path));

test.each(pages)('%s names only files and folders that are there', (file) => {
  const paths = findPaths(readFileSync(join(root, file), 'utf8'));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});
