import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { serveSiteFolder } from '../../support/runner/site-folder.ts';

/** A page without title, description and structured data. */
const at = serveSiteFolder('<!doctype html><html lang="en"><h1>The Oak</h1><p>Eight rooms.</p></html>');
const { sightline, configure, read } = at;

const row = z.strictObject({
  path: z.string(),
  kind: z.string(),
  target: z.string().optional(),
  checks: z.array(z.string()).optional(),
  facts: z.array(z.string()).optional(),
});
const manifestSchema = z.strictObject({
  version: z.literal(1),
  url: z.string(),
  rubric: z.object({ version: z.string(), sha256: z.string() }),
  ignored: z.array(z.object({ check: z.string(), reason: z.string() })).optional(),
  fixes: z.array(
    z.strictObject({
      order: z.int(),
      check: z.string(),
      title: z.string(),
      state: z.enum(['ready', 'draft', 'work']),
      action: z.enum(['create', 'replace', 'insert', 'configure']),
      effort: z.string(),
      gains: z.record(z.string(), z.number()),
      target: z.string(),
      paths: z.array(z.string()),
      facts: z.array(z.string()),
      other_facts: z.array(z.string()),
    }),
  ),
  files: z.array(row),
});
const readManifest = (): z.infer<typeof manifestSchema> => manifestSchema.parse(JSON.parse(read('out/manifest.json')));
const listFolder = (): string[] =>
  readdirSync(join(at.folder, 'out'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(at.folder, 'out').length + 1));

describe('the manifest of the fixes', () => {
  test('lists every file but itself and the guide, and every fix of report.json with files that are there', async () => {
    expect((await sightline('fix', at.site, '--out', 'out')).status).toBe(0);
    const { files, fixes, url } = readManifest();
    expect(url).toBe(at.site);
    expect([...files.map(({ path }) => path), 'FIXES.md', 'manifest.json'].toSorted()).toEqual(listFolder().toSorted());
    const report = JSON.parse(read('out/report.json')) as { fixes: { id: string; facts_needed: string[] }[] };
    expect(fixes.map(({ check }) => check)).toEqual(report.fixes.map(({ id }) => id));
    expect(fixes.filter(({ paths }) => paths.some((path) => !existsSync(join(at.folder, 'out', path))))).toEqual([]);
    const asked = Object.keys(JSON.parse(read('out/facts.json')) as object);
    for (const [index, { facts, other_facts: words }] of fixes.entries()) {
      expect(facts.filter((key) => !asked.includes(key))).toEqual([]);
      expect(facts.length + words.length > 0).toBe((report.fixes[index]?.facts_needed.length ?? 0) > 0);
    }
  });

  test('says which checks a file is for, where it goes, and which facts it waits for', async () => {
    await sightline('fix', at.site, '--out', 'out');
    const { files } = readManifest();
    const find = (path: string): z.infer<typeof row> | undefined => files.find((file) => file.path === path);
    expect(find('site/sitemap.xml')).toMatchObject({ kind: 'ready', target: 'sitemap.xml' });
    const draft = find('drafts/index.html');
    expect(draft).toMatchObject({ kind: 'draft', target: 'index.html' });
    expect(draft?.checks).toContain('aeo.meta.description');
    expect(draft?.facts).toEqual(expect.arrayContaining(['name', 'description']));
    expect(files.filter(({ kind }) => kind === 'server').map(({ target }) => target)).toContain('nginx');
  });
});

test('FIXES.md begins with the folder and a row for each fix: its file, what to do, what only the owner knows', async () => {
  await sightline('fix', at.site, '--out', 'out');
  const [places = '', table = ''] = read('out/FIXES.md').split('## What to do, the most useful first');
  expect(places).toContain('| `site/` | Deploy');
  expect(places).toContain('| `QUESTIONS.md` |');
  expect(places).not.toContain('audited-page.html');
  const rows = table.split('\n').filter((line) => /^\| \d+ \|/.test(line));
  expect(rows).toHaveLength(readManifest().fixes.length);
  expect(rows.filter((line) => !/^\| \d+ \| [^|]+ \|[^|]*\| [A-Z][^|]+ \|[^|]*\|$/.test(line))).toEqual([]);
  expect(table).toMatch(/\| Publish a sitemap \| [^|]+ \| Deploy `site\/sitemap\.xml` \| {2}\|/);
  expect(table).toMatch(/right length \| [^|]+ \| Answer the facts of `drafts\/index\.html` \| `description` \|/);
  expect(table).toMatch(/Complete the Organization[^|]+\|[^|]+\|[^|]+\|[^|]*`logo`; `name`/);
  expect(read('out/REPORT.md')).toMatch(/^# AI visibility report\n/);
});

test('a draft whose facts are filled in moves to site/, and what is left of it is named', async () => {
  await sightline('fix', at.site, '--out', 'out');
  const facts = JSON.parse(read('out/facts.json')) as Record<string, string>;
  const known = { siteSummary: 'An inn with eight rooms.', 'llms.txt/pageNote/1': 'Rooms and prices.' };
  writeFileSync(join(at.folder, 'out/facts.json'), JSON.stringify({ ...facts, ...known }));
  const { out } = await sightline('fix', at.site, '--out', 'out', '--facts', 'out/facts.json', '--force');
  expect(out).toContain('Of an earlier run, to be deleted: drafts/llms.txt\n');
  expect(readManifest().files.map(({ path }) => path)).toContain('site/llms.txt');
});

test('answers in the folder are not emptied by a run without them, also where the file is broken', async () => {
  await sightline('fix', at.site, '--out', 'out');
  expect((await sightline('fix', at.site, '--out', 'out', '--force')).status).toBe(0); // None was filled in.
  const facts = JSON.parse(read('out/facts.json')) as Record<string, string>;
  for (const text of [
    JSON.stringify({ ...facts, siteSummary: 'An inn with eight rooms.' }),
    '{"siteSummary": "An inn',
  ]) {
    writeFileSync(join(at.folder, 'out/facts.json'), text);
    writeFileSync(join(at.folder, 'other.json'), '{"name": "The Oak"}');
    for (const more of [[], ['--facts', 'other.json']]) {
      const { status, err } = await sightline('fix', at.site, '--out', 'out', '--force', ...more);
      expect([status, err]).toEqual([2, expect.stringContaining('--facts out/facts.json')]);
      expect(read('out/facts.json')).toBe(text);
    }
  }
});

describe('sightline fix by a configuration', () => {
  test('fixes its one site, with its settings', async () => {
    configure({ urls: [at.site], profile: 'docs', 'max-pages': 1 });
    expect((await sightline('fix', '--out', 'out')).status).toBe(0);
    const report = JSON.parse(read('out/report.json')) as { url: string; profile: { name: string } };
    expect(report).toMatchObject({ url: at.site, profile: { name: 'docs' } });
    expect((await sightline('fix', '--no-config', '--out', 'o')).err).toContain('<url> is missing');
    configure({ urls: [at.site, 'example.com'] });
    expect((await sightline('fix', '--out', 'o')).err).toContain('the configuration names several');
  });

  test('has no fix for what it ignores, and says so', async () => {
    const ids = ['agent.llms.exists', 'aeo.meta.description', 'aeo.sitemap.exists'];
    configure({
      urls: [at.site],
      ignore: [...ids.map((check) => ({ check, reason: 'Comes in spring' })), { check: 'aeo.no', reason: 'A slip' }],
    });
    expect((await sightline('fix', '--out', 'out')).status).toBe(0);
    const { fixes, files, ignored } = readManifest();
    expect(ignored?.map(({ check }) => check)).toEqual(ids);
    expect(fixes.map(({ check }) => check).filter((id) => ids.includes(id))).toEqual([]);
    expect(files.flatMap(({ checks = [] }) => checks).filter((id) => ids.includes(id))).toEqual([]);
    expect(listFolder().filter((path) => /sitemap\.xml$|llms\.txt$/.test(path))).toEqual([]);
    expect(read('out/facts.json')).not.toContain('siteSummary');
    const skill = listFolder().filter((path) => path.startsWith('skill/'));
    expect(skill.filter((path) => /sitemap-exists|meta-description/.test(path))).toEqual([]);
    for (const path of ['out/FIXES.md', 'out/REPORT.md']) {
      expect(read(path)).toContain('aeo.meta.description is ignored: Comes in spring');
      expect(read(path)).toContain('names aeo.no, which is no check');
    }
    expect(read('out/REPORT.md').split('## All checks')[0]).not.toContain('### Publish a sitemap');
    const report = JSON.parse(read('out/report.json')) as { scores: Record<string, { checks: { id: string }[] }> };
    expect(report.scores['aeo']?.checks.map(({ id }) => id)).toContain('aeo.sitemap.exists');
  });
});
