import { describe, expect, test } from 'vitest';
import { parsePage } from '../../src/audit/page/facts/page.ts';
import { formatFactSlot } from '../../src/lib/slots.ts';
import { goodPage, goodSite } from '../sites/good.ts';
import { auditedOf, outcomeIn, scoreIn } from '../support/audit/fixes.ts';
import { jsonLd } from '../support/audit/pages.ts';
import { html, json, SITE, type SiteMap, text, xml } from '../support/audit/site-fetch.ts';

const slot = formatFactSlot('what only the owner knows');
const url = `${SITE}/${slot}`;

const read = (page: string) => parsePage(page, { url: `${SITE}/`, bodyBytes: page.length });

describe('a page', () => {
  test('loses its open slots as it is read, and says where they are', () => {
    const page = read(
      `<html lang="${slot}"><head><title>${slot}</title>\n<meta name="description" content="${slot}"></head><body>\n<h1>Oak ${slot} racks</h1>\n<img src="a.png" alt="${slot}"><a href="${url}">Ann</a><p>${slot}</p></body></html>`,
    );
    expect(page).toMatchObject({
      lang: '',
      titles: [''],
      metas: [{ content: '' }],
      anchors: [],
      text: 'Oak racks\nAnn',
    });
    expect(page.images[0]).toMatchObject({ alt: null });
    expect(page.slots.map(({ where, line }) => [where, line])).toEqual([
      ['html[lang]', 1],
      ['title', 1],
      ['meta[content]', 2],
      ['h1', 3],
      ['img[alt]', 4],
      ['a[href]', 4],
      ['p', 4],
    ]);
  });

  test.each(['&quot;', '&amp;', '&#39;'])('loses a slot that %s parts', (entity) => {
    expect(read(`<p>Open [FACT NEEDED: the ${entity}hours${entity} of opening] daily</p>`).text).toBe('Open daily');
  });

  test('keeps what follows a slot that never ends', () => {
    expect(read(`<p>Open [FACT NEEDED: hours</p><p>Daily</p>`).text).toBe('Open\nDaily');
  });

  test.each(['code', 'pre', 'kbd', 'samp'])('shows a slot as an example in %s', (name) => {
    const page = read(`<${name}>${slot}</${name}>`);
    expect(page.slots).toEqual([]);
    expect(page.text).toBe(slot);
  });
});

/** A sound site, and the same with one thing that nobody has filled in. */
const rows: readonly { id: string; map: SiteMap; gives?: 'partial' | 'not_applicable'; path?: string }[] = [
  {
    id: 'aeo.media.alt',
    map: { ...goodSite, '/': html(goodPage('/').replace('</main>', `<img src="/a.jpg" alt="${slot}"></main>`)) },
  },
  { id: 'aeo.meta.title', map: { ...goodSite, '/': html(goodPage('/').replace(/<title>[^<]*/, `<title>${slot}`)) } },
  {
    id: 'aeo.sitemap.lastmod',
    map: {
      ...goodSite,
      '/sitemap.xml': xml(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${['/', '/racks', '/prices', '/care', '/delivery']
          .map((path) => `<url><loc>${SITE}${path}</loc><lastmod>${slot}</lastmod></url>`)
          .join('')}</urlset>`,
      ),
    },
  },
  {
    id: 'agent.llms.summary',
    map: { ...goodSite, '/llms.txt': text(`# Acme\n\n> ${slot}\n\n## Pages\n\n- [Racks](${SITE}/racks): all\n`) },
  },
  {
    id: 'agent.llms.links-described',
    map: { ...goodSite, '/llms.txt': text(`# Acme\n\n> Racks.\n\n## Pages\n\n- [Racks](${SITE}/racks): ${slot}\n`) },
  },
  {
    id: 'agent.sec.security-txt',
    map: { ...goodSite, '/.well-known/security.txt': text(`Contact: ${slot}\nExpires: 2027-01-01T00:00:00Z\n`) },
  },
  {
    id: 'agent.a2a.card',
    map: {
      ...goodSite,
      '/.well-known/agent-card.json': json({ name: slot, description: slot, version: slot, skills: [] }),
    },
  },
];

describe('a check', () => {
  test.each(rows.map((row) => [row.id, row] as const))('%s finds nothing where a slot is open', async (id, { map }) => {
    expect(outcomeIn(await auditedOf(map), id).status).not.toBe('pass');
  });

  const nodes = (value: string) =>
    goodPage('/').replace(
      '</head>',
      `${jsonLd({
        '@context': 'https://schema.org',
        '@graph': [
          { '@type': 'Organization', name: value, url: value, logo: value, sameAs: [value, value], email: value },
          {
            '@type': 'Article',
            headline: value,
            author: { '@type': 'Person', name: value, url: value },
            datePublished: value,
            dateModified: value,
            image: value,
            publisher: value,
          },
          {
            '@type': 'FAQPage',
            mainEntity: [{ '@type': 'Question', name: value, acceptedAnswer: { '@type': 'Answer', text: value } }],
          },
        ],
      })}</head>`,
    );

  test.each([
    'geo.entity.organization',
    'geo.entity.author',
    'geo.schema.article',
    'geo.entity.sameas',
    'geo.schema.faq',
  ])('%s passes over nodes of nothing but slots', async (id) => {
    const audited = await auditedOf({ ...goodSite, '/': html(nodes(slot)) });
    expect(outcomeIn(audited, id).status).not.toBe('pass');
  });

  test('geo.text.no-placeholder fails for a slot anywhere in the page, be there ever so few words', async () => {
    for (const page of [nodes(slot), `<p>${slot}</p>`, `<html><body><img alt="${slot}" src="/a.png"></body></html>`]) {
      const { status, note, evidence } = outcomeIn(await auditedOf({ '/': html(page) }), 'geo.text.no-placeholder');
      expect({ status, note }).toMatchObject({ status: 'fail', note: expect.stringContaining('to be filled in') });
      expect(evidence[0]).toMatchObject({ excerpt: slot });
    }
  });

  test('no score gains by publishing slots', async () => {
    const bare = goodPage('/').replaceAll(/<img[^>]*>/g, '');
    const before = await auditedOf({ '/': html(bare) });
    const after = await auditedOf({
      '/': html(
        nodes(slot).replace(
          '</main>',
          `<details><summary>${slot}?</summary><p>${slot}</p></details><p>${slot} (<a href="${url}">${slot}</a>).</p></main>`,
        ),
      ),
      '/llms.txt': text(`# ${slot}\n\n> ${slot}\n`),
    });
    for (const name of ['aeo', 'geo'] as const) expect(scoreIn(after, name)).toBeLessThanOrEqual(scoreIn(before, name));
  });
});
