import { safeUrl } from '../../../fixes/files/safe-site.ts';
import { jsonForHtml, xmlText } from '../../../lib/safe-text.ts';
import { known, slot } from '../../../fixes/core/fix-slots.ts';
import { type Fixing, MAX_PAGES, sitePages } from '../../../fixes/core/fix-context.ts';

/** Entries of a feed. */
const MAX_ENTRIES = 20;
const HALF_A_YEAR_MS = 180 * 86_400_000;

/**
 * /sitemap.xml with every page that the audit knows. Undefined when the present sitemap lists more than was kept or
 * would fit: then a whole file made here would lose pages.
 * @param ask puts a slot where no date of change is known; else `lastmod` is left out there.
 */
export function generateSitemapXml(fixing: Fixing, ask = false): string | undefined {
  const { tries = [], child, urls: listed = [] } = fixing.read('sitemaps') ?? {};
  const files = [...tries, ...(child ? [child] : [])].flatMap(({ file }) => file ?? []);
  if (
    files.some(({ kind, urlCount, urls }) => kind === 'sitemapindex' || urlCount > urls.length) ||
    listed.length > MAX_PAGES / 2
  )
    return undefined;
  const rows = sitePages(fixing).map(({ url, modified }) => {
    const day = modified === '' ? (ask ? slot('dateModified') : '') : modified;
    return `  <url><loc>${xmlText(url)}</loc>${day === '' ? '' : `<lastmod>${day}</lastmod>`}</url>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...rows,
    '</urlset>',
    '',
  ].join('\n');
}

/** An Atom feed (RFC 4287) of the dated pages; with slots where the site states no date. */
export function generateAtomFeed(fixing: Fixing): string {
  const { words } = fixing;
  const pages = sitePages(fixing).filter(({ title }) => title !== '');
  const dated = pages.filter(({ modified }) => modified !== '').toSorted((a, b) => (a.modified < b.modified ? 1 : -1));
  const entries = (dated.length > 0 ? dated : pages).slice(0, MAX_ENTRIES);
  const stamp = (day: string): string => (day === '' ? `${slot('date')}T00:00:00Z` : `${day}T00:00:00Z`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <title>${xmlText(known(words.name, 'name'))}</title>`,
    `  <id>${xmlText(`${words.origin}/`)}</id>`,
    `  <link rel="self" href="${xmlText(`${words.origin}/feed.xml`)}"/>`,
    `  <updated>${stamp(entries[0]?.modified ?? '')}</updated>`,
    `  <author><name>${xmlText(known(words.name, 'name'))}</name></author>`,
    ...entries.map(
      ({ url, title, modified }) =>
        `  <entry><title>${xmlText(title)}</title><id>${xmlText(url)}</id><link href="${xmlText(url)}"/><updated>${stamp(modified)}</updated></entry>`,
    ),
    '</feed>',
    '',
  ].join('\n');
}

/** /.well-known/security.txt (RFC 9116), good for half a year from the audit. */
export function generateSecurityTxt({ words, audited, page }: Fixing): string {
  const expires = new Date(audited.snapshot.clockMs + HALF_A_YEAR_MS).toISOString().slice(0, 10);
  const language = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(page?.lang ?? '')
    ? [`Preferred-Languages: ${page?.lang ?? ''}`]
    : [];
  return [
    `Contact: ${words.email === undefined ? slot('contact') : `mailto:${words.email}`}`,
    `Expires: ${expires}T00:00:00Z`,
    ...language,
    `Canonical: ${words.origin}/.well-known/security.txt`,
    '',
  ].join('\n');
}

/** /.well-known/api-catalog (RFC 9727) for the API that the site describes. */
export function generateApiCatalog({ words, read }: Fixing): string {
  const found = read('openapi')?.found;
  const description = safeUrl(found?.answer.url ?? '') ?? `${words.origin}/openapi.json`;
  const server = safeUrl(found?.document.servers[0] ?? '') ?? `${words.origin}/${slot('apiPath')}`;
  const docs = words.links.docs === undefined ? [] : [{ href: words.links.docs, type: 'text/html' }];
  return `${jsonForHtml({
    linkset: [
      {
        anchor: server,
        'service-desc': [{ href: description, type: 'application/json' }],
        ...(docs.length === 0 ? {} : { 'service-doc': docs }),
      },
    ],
  })}\n`;
}

/** A first OpenAPI document to fill in. */
export function openApiTemplate({ words }: Fixing): string {
  return `${jsonForHtml({
    openapi: '3.1.1',
    info: {
      title: known(words.name, 'name'),
      version: slot('version'),
      description: known(words.description, 'about'),
    },
    servers: [{ url: words.origin }],
    security: [],
    paths: {
      [`/${slot('apiPath')}`]: {
        get: {
          operationId: 'listItems',
          summary: slot('operation'),
          parameters: [
            {
              name: 'limit',
              in: 'query',
              description: slot('parameter'),
              schema: { type: 'integer', minimum: 1, maximum: 100 },
            },
          ],
          responses: {
            200: {
              description: 'The items',
              content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } }, example: [] } },
            },
            400: {
              description: 'The request is wrong',
              content: { 'application/problem+json': { schema: { type: 'object' } } },
            },
          },
        },
      },
    },
  })}\n`;
}
