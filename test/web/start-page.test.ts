import { parseDocument } from 'htmlparser2';
import { expect, test } from 'vitest';
import { capabilityNames } from '../../src/capabilities/capability-name.ts';
import { catalog } from '../../src/capabilities/catalog.ts';
import { type Inline, type PageText, formatPageMarkdown } from '../../src/web/start/document.ts';
import { renderJsonLd, renderSitePage, startPage } from '../../src/web/start/page.tsx';
import { offerGroups, buildOffers } from '../../src/web/start/offers.ts';
import { type Operator, buildSiteTexts } from '../../src/web/start/site-texts.ts';
import { startMarkdown, startText } from '../../src/web/start/text.ts';

const BASE = 'https://audits.example.com';
const operator: Operator = { contact: 'operator@audits.example', identities: ['https://github.com/example'] };

const startHtml = async (): Promise<string> =>
  String(await startPage({ page: startText(BASE), baseUrl: BASE, operator }));
const pages = [startText(BASE), ...buildSiteTexts(operator)];

test('every capability stands in exactly one group, with the price, the body and a call of the catalogue', async () => {
  expect(offerGroups.flatMap(({ names }) => names).toSorted()).toEqual([...capabilityNames].toSorted());
  const page = await startHtml();
  const markdown = startMarkdown(BASE);
  for (const offer of offerGroups.flatMap((group) => buildOffers(group, BASE))) {
    const row = catalog.find(({ name }) => name === offer.name);
    expect(Number(offer.price) * 1_000_000).toBeCloseTo(row?.priceMicroUsdc ?? Number.NaN);
    expect(offer.fields.map(({ name }) => name)).toEqual(Object.keys(row?.body.shape ?? {}));
    expect(page).toContain(`<code>${offer.name}</code><strong class="number">${offer.price} USDC</strong>`);
    expect(page).toContain(`curl -i ${BASE}/api/agent/${offer.name} `);
    expect(markdown).toContain(`- \`${offer.name}\` **${offer.price} USDC** ${offer.summary}`);
    expect(markdown).toContain(`curl -i ${BASE}/api/agent/${offer.name} -H`);
  }
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
      if (block.kind === 'table') return block.rows.flatMap(({ cells }) => cells.flat());
      return block.kind === 'terms' ? block.items.flatMap(({ parts }) => parts) : [];
    }),
  ];
}

type Node = { type: string; data?: string; children?: readonly Node[] };

const textOf = (page: string): string => {
  const visit = (node: Node): string => (node.data ?? '') + (node.children ?? []).map(visit).join('');
  return visit(parseDocument(page));
};
