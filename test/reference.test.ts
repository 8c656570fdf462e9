import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiProblems } from '../src/problems/codes.ts';
import { checks } from '../src/audit/core/catalogue.ts';
import { checkSubjects } from '../src/audit/rubric/subjects-data.ts';
import { catalog } from '../src/capabilities/catalog.ts';
import { problems as webhookProblems } from '../src/notifications/operator-api/problems-data.ts';
import { environmentRows } from '../scripts/docs/environment-data.ts';
import { listOperations } from '../scripts/docs/http-api-page.ts';
import { internalBounds, limitSections } from '../scripts/docs/limits-data.ts';
import { listTools } from '../scripts/docs/mcp-tools-page.ts';
import { buildReferencePages } from '../scripts/docs/reference-pages.ts';
import { listUndescribed, listUnused } from '../scripts/docs/report-format-page.ts';
import { listSettings } from '../scripts/docs/settings-page.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const readPage = (name: string): string => read(`docs/reference/${name}.md`);
/** Headings of a page, as they are written. */
const headings = (name: string): readonly string[] =>
  [...readPage(name).matchAll(/^#{2,3} (.+)$/gm)].map(([, heading = '']) => heading);

test('the reference is that of the tables (npm run docs)', async () => {
  const pages = await buildReferencePages();
  const stale = [...pages].filter(([path, text]) => read(`docs/reference/${path}`) !== text).map(([path]) => path);
  expect(stale).toEqual([]);
});

test('each check has a page with its source, its fix and how to verify it, and no page is of a check that is gone', () => {
  const files = globSync('docs/reference/checks/*.md', { cwd: root }).map((file) => file.slice(22, -3));
  expect(files.toSorted()).toEqual([...checks.map(({ id }) => id), 'index'].toSorted());
  for (const { id } of checks)
    expect(headings(`checks/${id}`)).toEqual(
      expect.arrayContaining(['Why it matters', 'How to fix it', 'How to verify it', 'Source']),
    );
});

test('each check has a subject, and no subject is without checks', () => {
  const used = new Set(checks.map(({ id }) => id.split('.', 2).join('.')));
  expect(Object.keys(checkSubjects).toSorted()).toEqual([...used].toSorted());
});

test('each problem, capability, operation and tool has its section', () => {
  const codes = [...Object.keys(apiProblems), ...Object.keys(webhookProblems)];
  expect(codes.filter((code) => !headings('problems').includes(code))).toEqual([]);
  expect(catalog.filter(({ name }) => !headings('capabilities').includes(name))).toEqual([]);
  expect(listTools().filter(({ name }) => !headings('mcp-tools').includes(name))).toEqual([]);
  const page = readPage('http-api');
  const missing = listOperations().filter(({ method, path }) => !page.includes(`\`${method} ${path}\``));
  expect(missing).toEqual([]);
});

test('each setting of each Worker is in the reference', () => {
  const page = readPage('settings');
  expect(listSettings().length).toBeGreaterThan(50);
  expect(listSettings().filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});

test('each variable of the environment that the command line reads is in the reference, and no other', () => {
  const READ =
    /(?:\benv|\benvironment)\??(?:\.|\[')([A-Z][A-Z0-9_]+)|_VARIABLE = '([A-Z][A-Z0-9_]+)'|\b(NODE_[A-Z_]+)=/g;
  const found = globSync('src/cli/**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(READ)].map(([, direct, constant, node]) => direct ?? constant ?? node ?? ''),
  );
  expect(environmentRows.map(({ name }) => name).toSorted()).toEqual([...new Set(found)].toSorted());
  const page = readPage('cli');
  expect(environmentRows.filter(({ name }) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});

test('each member of a result is described, and nothing else is', () => {
  expect(listUndescribed()).toEqual([]);
  expect(listUnused()).toEqual([]);
});

/** Rooms whose limits callers meet. */
const MET = [
  'src/capabilities',
  'src/sales',
  'src/rate-limits',
  'src/mcp',
  'src/a2a',
  'src/notifications',
  'src/payment/ledger',
  'src/payment/facilitator',
  'routes/api',
  'routes/shared',
  'routes/webhook',
];
/** Names of limits; times and windows have others. */
const LIMIT_NAME =
  /^ *(?:export |static |private |readonly )*(?:const )?((?:MAX_|MOST_|[A-Z0-9_]+_LIMIT\b|[A-Z0-9_]+_PER_CALLER|[A-Z0-9_]+_IN_FLIGHT\b)[A-Z0-9_]*)(?:: \w+)? = /gm;

test('each limit of the rooms that callers meet is in the reference, or is a bound of ours with a reason', () => {
  const constants = MET.flatMap((room) =>
    globSync(`${room}/**/*.{ts,tsx}`, { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(LIMIT_NAME)].map(([, name = '']) => `${file} ${name}`),
    ),
  );
  const named = limitSections.flatMap(({ rows }) => rows.map(({ file, name }) => `${file} ${name}`));
  expect(constants.length).toBeGreaterThan(90);
  expect(constants.filter((name) => !named.includes(name) && !Object.hasOwn(internalBounds, name))).toEqual([]);
  expect(Object.keys(internalBounds).filter((name) => !constants.includes(name) || named.includes(name))).toEqual([]);
});
