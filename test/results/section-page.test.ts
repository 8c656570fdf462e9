import { describe, expect, test } from 'vitest';
import type { CapabilityName } from '../../src/capabilities/capability-name.ts';
import { countUtf8Bytes } from '../../src/lib/utf8.ts';
import {
  MAX_SECTION_BYTES,
  MAX_SECTION_ITEMS,
  readSectionPage,
  type SectionQuery,
} from '../../src/results/section-page.ts';
import { formatSectionMarkdown } from '../../src/results/section-markdown.ts';
import { countResultSections, listSectionItems, sectionNames } from '../../src/results/sections.ts';
import { boughtResult, PLACE, REPORT_ID } from './stored-results.ts';

async function readAll(name: CapabilityName, section: string, query: SectionQuery = {}) {
  const source = { result: await boughtResult(name) };
  const items: Record<string, unknown>[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 100; page += 1) {
    const read = await readSectionPage(
      source,
      section,
      { ...query, ...(cursor === undefined ? {} : { cursor }) },
      PLACE,
    );
    if (!read.ok) throw new Error(read.detail);
    items.push(...read.page.items);
    sizes.push(countUtf8Bytes(JSON.stringify(read.page)));
    expect(read.page.items.length).toBeLessThanOrEqual(MAX_SECTION_ITEMS);
    cursor = read.page.next_cursor;
    if (cursor === undefined) return { items, sizes, total: read.page.total };
  }
  throw new Error('the pages do not end');
}

describe('pages of a section', () => {
  test.each(['full_report', 'compare', 'fix_pack', 'generate_skill', 'visibility_fix_pack'] as const)(
    '%s: the pages of each section hold every item once, each at most 40 KB or one item',
    async (name) => {
      const source = { result: await boughtResult(name) };
      for (const { name: section } of countResultSections(source.result)) {
        const { items, sizes, total } = await readAll(name, section);
        expect(items).toEqual(listSectionItems(source, section).map(({ item }) => item));
        expect(total).toBe(items.length);
        for (const size of sizes.slice(0, -1)) expect(size).toBeLessThanOrEqual(MAX_SECTION_BYTES);
      }
    },
  );

  test('filters choose by status, score and id', async () => {
    const failed = await readAll('full_audit', 'checks', { status: 'fail', score: 'geo' });
    expect(failed.items.length).toBeGreaterThan(0);
    for (const item of failed.items) {
      expect(item['status']).toBe('fail');
      expect(item['scores']).toContain('geo');
    }
    const [first] = failed.items;
    const one = await readAll('full_audit', 'checks', { id: String(first?.['id']) });
    expect(one.items).toEqual([first]);
    expect((await readAll('full_audit', 'checks', { id: 'no.such.check' })).items).toEqual([]);
  });

  test('a section of 1,000 items ends, and an item over 40 KB is a page of its own', async () => {
    const result = await boughtResult('generate_skill');
    const large = { path: 'large.txt', media_type: 'text/plain', content: 'x'.repeat(200_000) };
    const files = Array.from({ length: 1_000 }, (_, at) =>
      at === 3 ? large : { ...large, path: `${at}.txt`, content: 'y' },
    );
    const source = { result: { ...result, files } };
    let cursor: string | undefined;
    const seen: unknown[] = [];
    const lengths: number[] = [];
    do {
      const read = await readSectionPage(source, 'files', { cursor }, PLACE);
      if (!read.ok) throw new Error(read.detail);
      seen.push(...read.page.items.map((item) => item['path']));
      lengths.push(read.page.items.length);
      cursor = read.page.next_cursor;
    } while (cursor !== undefined && seen.length < 2_000);
    expect(seen).toEqual(files.map(({ path }) => path));
    expect(lengths.slice(0, 3)).toEqual([3, 1, 50]);
  });
});

describe('what is refused', () => {
  const ask = async (section: string, query: SectionQuery = {}, name: CapabilityName = 'full_audit') => {
    const read = await readSectionPage({ result: await boughtResult(name) }, section, query, PLACE);
    return read.ok ? 'page' : read.reason;
  };

  test.each([
    ['no-such', {}, 'unknown_section'],
    ['files', {}, 'unknown_section'],
    ['__proto__', {}, 'unknown_section'],
    ['checks', { status: 'red' }, 'invalid_filter'],
    ['checks', { score: 'seo' }, 'invalid_filter'],
    ['checks', { id: '' }, 'invalid_filter'],
    ['checks', { id: 'x'.repeat(201) }, 'invalid_filter'],
    ['requests', { score: 'aeo' }, 'invalid_filter'],
    ['checks', { cursor: 'x' }, 'invalid_cursor'],
    ['checks', { cursor: '' }, 'invalid_cursor'],
    ['checks', { cursor: `${'0'.repeat(16)}-1e` }, 'invalid_cursor'],
  ])('%s by %j is %s', async (section, query, expected) => {
    expect(await ask(section, query)).toBe(expected);
  });

  test('a cursor is good for its report, section and filters only', async () => {
    const source = { result: await boughtResult('full_audit') };
    const first = await readSectionPage(source, 'checks', {}, PLACE);
    const cursor = first.ok ? first.page.next_cursor : undefined;
    expect(cursor).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
    const other = { ...PLACE, reportId: 'f'.repeat(32) };
    const answers = await Promise.all([
      readSectionPage(source, 'checks', { cursor }, PLACE),
      readSectionPage(source, 'evidence', { cursor }, PLACE),
      readSectionPage(source, 'checks', { cursor, status: 'fail' }, PLACE),
      readSectionPage(source, 'checks', { cursor }, other),
    ]);
    expect(answers.map((one) => one.ok)).toEqual([true, false, false, false]);
  });

  test('the refusal names the sections that there are', async () => {
    const read = await readSectionPage({ result: await boughtResult('check_health') }, 'files', {}, PLACE);
    expect(read).toMatchObject({ detail: 'This report has the sections checks, fixes, evidence, requests' });
  });
});

test('every section has links to itself, its next page and its Markdown', async () => {
  const read = await readSectionPage({ result: await boughtResult('full_audit') }, 'checks', { score: 'aeo' }, PLACE);
  if (!read.ok) throw new Error(read.detail);
  const base = `https://api.sightline.test/reports/${REPORT_ID}/sections/checks`;
  expect(read.page.links).toEqual({
    self: `${base}?score=aeo`,
    next: `${base}?score=aeo&cursor=${read.page.next_cursor ?? ''}`,
    markdown: `${base}.md?score=aeo`,
  });
});

describe('Markdown of a section', () => {
  test('shows every item of the page under a heading', async () => {
    const source = { result: await boughtResult('fix_pack') };
    for (const name of sectionNames) {
      const read = await readSectionPage(source, name, {}, PLACE);
      if (!read.ok) continue;
      const text = formatSectionMarkdown(read.page);
      expect(text.match(/^## /gm)?.length).toBeGreaterThanOrEqual(read.page.items.length);
    }
  });

  test('X3: text of a site makes no markup', async () => {
    const bought = await boughtResult('check_health');
    const hostile = 'a [link](https://evil.example) <script>alert(1)</script> # no heading';
    const checks = bought.checks?.map((one) => ({
      ...one,
      note: hostile,
      evidence: [{ url: hostile, excerpt: `\n\`\`\`\n# ${hostile}` }],
    }));
    const read = await readSectionPage({ result: { ...bought, checks } }, 'checks', {}, PLACE);
    if (!read.ok) throw new Error(read.detail);
    const text = formatSectionMarkdown(read.page);
    expect(text).not.toMatch(/(?<!\\)\[link\]/);
    expect(text).not.toMatch(/(?<!\\)<script/);
  });
});
