import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'htmlparser2';
import { expect, test } from 'vitest';
import { capabilityNames } from '../../src/capabilities/capability-name.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { formatPanelPath, panels } from '../../src/capabilities/panels.ts';
import { formatCapabilityPath } from '../../src/web/capability/address.ts';
import { type Inline, type PageText, type TextBlock, formatPageMarkdown } from '../../src/web/start/document.ts';
import { summariseReport } from '../../src/web/audit/summary-data.ts';
import { LANGUAGES } from '../../src/web/language/language.ts';
import { replayExample } from '../../src/web/start/example.ts';
import { renderSitePage } from '../../src/web/start/page.tsx';
import { renderJsonLd } from '../../src/web/start/page-graph.ts';
import { buildOfferGroups } from '../../src/web/start/offers.ts';
import { buildPricesText } from '../../src/web/start/prices-text.ts';
import { startPage } from '../../src/web/start/start-page.tsx';
import { type Operator, buildSiteTexts } from '../../src/web/start/site-texts.ts';
import { startText } from '../../src/web/start/text.ts';

const BASE = 'https://audits.example.com';
const operator: Operator = { contact: 'operator@audits.example', identities: ['https://github.com/example'] };

const startHtml = async (): Promise<string> =>
  String(await startPage({ page: startText(BASE), baseUrl: BASE, operator }));
const pages = [startText(BASE), buildPricesText(BASE, 'en'), ...buildSiteTexts(operator)];
const recording = readFileSync(join(import.meta.dirname, '../../src/web/static/example.json'), 'utf8');

test('the prices have every capability once, with its page, price, body and call; no row needs a group', async () => {
  const groups = buildOfferGroups(BASE, 'en');
  expect(groups.map(({ id }) => id)).not.toContain('other');
  const offers = groups.flatMap((group) => group.offers);
  expect(offers.map(({ name }) => name).toSorted()).toEqual([...capabilityNames].toSorted());
  const page = buildPricesText(BASE, 'en');
  const html = String(await renderSitePage({ page, baseUrl: BASE, operator }));
  const markdown = formatPageMarkdown(page, BASE);
  for (const offer of offers) {
    const row = catalog.find(({ name }) => name === offer.name);
    expect(offer.priceMicroUsdc).toBe(row?.priceMicroUsdc);
    expect(offer.fields.map(({ name }) => name)).toEqual(Object.keys(row?.body.shape ?? {}));
    expect(html).toContain(`<a href="${offer.href}">${offer.title}</a> <code>${offer.name}</code>`);
    expect(html).toContain(`<strong>$${offer.price}</strong>`);
    expect(markdown).toContain(`- \`${offer.name}\` **${offer.price} USDC** ${offer.summary}`);
    expect(markdown).toContain(`curl -i ${BASE}/api/agent/${offer.name} -H`);
    expect(markdown).toContain(`[${offer.title}](${BASE}${offer.href})`);
  }
});

test.each(['en', 'de'] as const)('the prices in %s have each panel with its price, page and call', async (language) => {
  const page = buildPricesText(BASE, language);
  const html = String(await renderSitePage({ page, baseUrl: BASE, operator, language }));
  const markdown = formatPageMarkdown(page, BASE);
  for (const panel of panels) {
    const href = formatCapabilityPath(panel.name);
    expect(href).toMatch(/^\/visibility\/panel-[24]$/);
    expect(html).toContain(`<a href="${href}">`);
    expect(markdown).toContain(`- \`${panel.name}\` **${panel.priceMicroUsdc / 1_000_000}`);
    expect(markdown).toContain(`curl -i ${BASE}${formatPanelPath(panel)} -H`);
  }
  expect(html).toContain(language === 'de' ? '6,50' : '6.50');
});

test('a new row is on the page of prices, whatever its name', () => {
  const [row] = catalog;
  if (row === undefined) throw new Error('an empty catalogue');
  const added = { ...row, name: 'check_weather' as (typeof capabilityNames)[number], priceMicroUsdc: 90_000 };
  const groups = buildOfferGroups(BASE, 'de', [...catalog, added]);
  expect(groups.at(-1)).toMatchObject({
    id: 'other',
    offers: [{ name: 'check_weather', href: '/check/weather', price: '0.09' }],
  });
});

test.each([
  ['start page', (language: 'en' | 'de') => startText(BASE, language)],
  ['prices', (language: 'en' | 'de') => buildPricesText(BASE, language)],
])('the %s has the same sections, blocks, links and code in each language, and other words', (_name, build) => {
  const [first, ...others] = LANGUAGES.map((language) => build(language));
  if (first === undefined) throw new Error('no language');
  for (const other of others) {
    expect(outlineOf(other)).toEqual(outlineOf(first));
    expect(other.description.length).toBeGreaterThanOrEqual(50);
    expect(other.description.length).toBeLessThanOrEqual(160);
    const headings = other.sections.map(({ heading }) => heading);
    expect(first.sections.filter(({ heading }) => headings.includes(heading))).toEqual([]);
  }
});

test.each(LANGUAGES)('the start page in %s leads to monitors and to who came', async (language) => {
  const html = String(await startPage({ page: startText(BASE, language), baseUrl: BASE, operator, language }));
  for (const path of ['/docs/guides/monitors', '/docs/guides/crawler-counts'])
    expect(html).toContain(`<a href="${path}">`);
});

test('prices are written as the language writes them', async () => {
  const page = buildPricesText(BASE, 'de');
  const html = String(await renderSitePage({ page, baseUrl: BASE, operator, language: 'de' }));
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('<strong>0,06\u00a0$</strong>');
  expect(html).toContain('bis 120 s');
  expect(html).toContain('"inLanguage":"de"');
});

test('a text that is in English only says so in a frame of another language', async () => {
  const [page] = buildSiteTexts(operator);
  if (page === undefined) throw new Error('no page');
  const html = String(await renderSitePage({ page, baseUrl: BASE, operator, language: 'de' }));
  expect(html).toContain('<article class="page" lang="en">');
});

test('the start page shows the example as this version judges it: scores, what to do first, and the way to all of it', async () => {
  const example = await replayExample(recording);
  const html = String(await startPage({ page: startText(BASE), baseUrl: BASE, operator, example }));
  for (const { score, grade } of Object.values(example.result.scores))
    expect(html).toContain(`${score} of 100, grade ${grade}`);
  expect(html.match(/class="step-title"/g)).toHaveLength(3);
  expect(html).toContain('<a class="button quiet" href="/example">');
  expect(await replayExample(recording)).toEqual(example);
});

test('the example is in German where the page is', async () => {
  const example = await replayExample(recording);
  const html = String(
    await startPage({ page: startText(BASE, 'de'), baseUrl: BASE, operator, example, language: 'de' }),
  );
  const titles = [...html.matchAll(/class="step-title">(?:<[^>]+>)*([^<]+)/g)].map(([, title = '']) => title);
  expect(titles).toHaveLength(3);
  const english = new Set(summariseReport(example.result).steps.map(({ title }) => title));
  expect(titles.filter((title) => english.has(title))).toEqual([]);
});

test('an example that cannot be read is an error, and a start page without one is whole', async () => {
  await expect(replayExample('{}')).rejects.toThrow('the recording of the example');
  const html = await startHtml();
  expect(html).not.toContain('/example"><');
  expect(html).toContain('<form class="try" method="post" action="/audit"');
});

test.each(pages.map((page) => [page.path, page] as const))(
  '%s says the same in HTML and in Markdown: every heading, text and link',
  async (path, page) => {
    const show = path === '/' ? startPage : renderSitePage;
    const html = textOf(String(await show({ page, baseUrl: BASE, operator })));
    const markdown = formatPageMarkdown(page, BASE);
    expect(html).toContain(page.title);
    for (const part of inlinesOf(page)) {
      const words = typeof part === 'string' ? part : 'code' in part ? part.code : part.text;
      expect(html).toContain(words);
      expect(markdown).toContain(words);
      if (typeof part !== 'string' && 'href' in part)
        expect(markdown).toContain(`](${part.href.startsWith('/') ? BASE : ''}${part.href})`);
    }
    for (const { heading } of page.sections) {
      expect(html).toContain(heading);
      expect(markdown).toContain(`# ${heading}\n`);
    }
  },
);

test('headings go down one step at a time, and ids are there once', async () => {
  const page = await startHtml();
  const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  levels.forEach((level, index) => expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1));
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('what the settings say is escaped in the page, and cannot end the structured data (N6)', async () => {
  const hostile = '"></script><script>alert(1)</script>&';
  const text: PageText = { ...startText(BASE), title: hostile, description: hostile };
  const page = String(
    await startPage({ page: text, baseUrl: `https://a.example/${hostile}`, operator: { identities: [hostile] } }),
  );
  expect(page).not.toContain('<script>alert');
  expect(page.match(/<script/g)).toHaveLength(2);
  const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(data)).toMatchObject({ '@graph': [{ sameAs: [hostile] }, {}, {}, { name: hostile }] });
});

test('structured data has no sign in it that HTML reads', async () => {
  const element = String(await renderJsonLd([{ name: '<!--<script>&amp;\u2028' }]));
  const data = element.slice('<script type="application/ld+json">'.length, -'</script>'.length);
  expect(data).not.toMatch(/[<>&]/);
  expect(JSON.parse(data)).toMatchObject({ '@graph': [{ name: '<!--<script>&amp;\u2028' }] });
});

test('an operator who says nothing is not made up', async () => {
  const nobody: Operator = { identities: [] };
  const page = String(await startPage({ page: startText(BASE), baseUrl: BASE, operator: nobody }));
  expect(page).not.toMatch(/sameAs|contactPoint|mailto:/);
  for (const text of buildSiteTexts(nobody)) expect(formatPageMarkdown(text, BASE)).not.toMatch(/mailto:|@/);
});

function inlinesOf({ lead, sections }: PageText): readonly Inline[] {
  const blocks = sections.flatMap((section) => section.blocks);
  return [
    ...lead,
    ...blocks.flatMap((block) => {
      if (block.kind === 'text') return block.parts;
      if (block.kind === 'list' || block.kind === 'steps') return block.items.flat();
      if (block.kind === 'figures') return block.items.flatMap(({ figure, parts }) => [figure, ...parts]);
      if (block.kind === 'doors') return block.items.flatMap(({ title, parts, link }) => [title, ...parts, link]);
      if (block.kind === 'table') return block.rows.flatMap(({ cells }) => cells.flat());
      return block.kind === 'terms' ? block.items.flatMap(({ parts }) => parts) : [];
    }),
  ];
}

/** What languages share of a text. */
function outlineOf(page: PageText): unknown {
  return page.sections.map(({ id, level, blocks }) => ({ id, level, blocks: blocks.map(outlineBlock) }));
}

function outlineBlock(block: TextBlock): unknown {
  switch (block.kind) {
    case 'code':
      return block.code;
    case 'ways':
      return block.items.map(({ id, blocks }) => [id, blocks.map(outlineBlock)]);
    case 'offers':
      return block.groups.map(({ id, offers }) => [id, offers.map(({ name, href, price }) => [name, href, price])]);
    case 'doors':
      return block.items.map(({ link }) => link.href);
    case 'table':
      return block.rows.length;
    case 'terms':
    case 'figures':
      return block.items.map(({ parts }) => linksOf(parts));
    case 'list':
    case 'steps':
      return block.items.map(linksOf);
    case 'text':
      return linksOf(block.parts);
  }
}

const linksOf = (parts: readonly Inline[]): readonly string[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [] : 'href' in part ? [part.href] : [part.code]));

type Node = { type: string; data?: string; children?: readonly Node[] };

const textOf = (page: string): string => {
  const visit = (node: Node): string => (node.data ?? '') + (node.children ?? []).map(visit).join('');
  return visit(parseDocument(page));
};
