import { DAY_MS } from '../../../lib/time.ts';
import { editSitemap, formatSitemap } from '../../sitemaps/fixes/amend-sitemap.ts';
import { parseFeed } from '../../sitemaps/facts/feed.ts';
import type { SitemapFile } from '../../sitemaps/facts/sitemap.ts';
import { normaliseSafeUrl } from '../../../fixes/files/safe-site.ts';
import { formatJsonForHtml, escapeXml } from '../../../lib/safe-text.ts';
import { getKnownOrSlot, formatSlot } from '../../../fixes/core/fix-slots.ts';
import { createGoneLookup, type FixContext, listSitePages, MAX_PAGES } from '../../../fixes/core/fix-context.ts';

/** Entries of a feed. */
const MAX_ENTRIES = 20;
const HALF_A_YEAR_MS = 180 * DAY_MS;

/**
 * /sitemap.xml with every page that the audit knows: the present one amended, where it is a plain list. Undefined when it
 * lists more than was kept or would fit: then a whole file made here would lose pages.
 */
export function generateSitemapXml(fixing: FixContext): string | undefined {
  const { tries = [], child, urls: listed = [] } = fixing.read('sitemaps') ?? {};
  const files = [...tries, ...(child ? [child] : [])].flatMap(({ file }) => file ?? []);
  if (
    files.some(({ kind, urlCount, urls }) => kind === 'sitemapindex' || urlCount > urls.length) ||
    listed.length > MAX_PAGES / 2
  )
    return undefined;
  const pages = listSitePages(fixing);
  const { clockMs } = fixing.audited.snapshot;
  const found = tries.find(({ state }) => state === 'found');
  const present = found?.exchange.answer.ok === true && isSound(found.file) ? found.exchange.answer.body : '';
  return editSitemap(present, { pages, isGone: createGoneLookup(fixing), clockMs }) ?? formatSitemap(pages);
}

/** Faults of its entries are amended; one of its form is not. */
const isSound = (file: SitemapFile | undefined): boolean =>
  file?.kind === 'urlset' &&
  file.faults.every(({ fault }) => fault === 'loc_not_absolute' || fault === 'loc_on_other_host' || fault === 'empty');

/**
 * An Atom feed (RFC 4287) of the dated pages; with slots where the site states no date. Undefined where the site has a
 * feed: its entries are the owner's, and no audit knows them.
 */
export function generateAtomFeed(fixing: FixContext): string | undefined {
  const { words, find } = fixing;
  const own = find('feed')?.answer;
  if (own?.ok === true && own.status === 200 && parseFeed(own.body).kind !== 'none') return undefined;
  const pages = listSitePages(fixing).filter(({ title }) => title !== '');
  const dated = pages.filter(({ modified }) => modified !== '').toSorted((a, b) => (a.modified < b.modified ? 1 : -1));
  const entries = (dated.length > 0 ? dated : pages).slice(0, MAX_ENTRIES);
  const stamp = (day: string): string => (day === '' ? `${formatSlot('date')}T00:00:00Z` : `${day}T00:00:00Z`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <title>${escapeXml(getKnownOrSlot(words.name, 'name'))}</title>`,
    `  <id>${escapeXml(`${words.origin}/`)}</id>`,
    `  <link rel="self" href="${escapeXml(`${words.origin}/feed.xml`)}"/>`,
    `  <updated>${stamp(entries[0]?.modified ?? '')}</updated>`,
    `  <author><name>${escapeXml(getKnownOrSlot(words.name, 'name'))}</name></author>`,
    ...entries.map(
      ({ url, title, modified }) =>
        `  <entry><title>${escapeXml(title)}</title><id>${escapeXml(url)}</id><link href="${escapeXml(url)}"/><updated>${stamp(modified)}</updated></entry>`,
    ),
    '</feed>',
    '',
  ].join('\n');
}

/** /.well-known/security.txt (RFC 9116), good for half a year from the audit. */
export function generateSecurityTxt({ words, audited, page }: FixContext): string {
  const expires = new Date(audited.snapshot.clockMs + HALF_A_YEAR_MS).toISOString().slice(0, 10);
  const language = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(page?.lang ?? '')
    ? [`Preferred-Languages: ${page?.lang ?? ''}`]
    : [];
  return [
    `Contact: ${words.email === undefined ? formatSlot('contact') : `mailto:${words.email}`}`,
    `Expires: ${expires}T00:00:00Z`,
    ...language,
    `Canonical: ${words.origin}/.well-known/security.txt`,
    '',
  ].join('\n');
}

/** /.well-known/api-catalog (RFC 9727) for the API that the site describes. */
export function generateApiCatalog({ words, read }: FixContext): string {
  const found = read('openapi')?.found;
  const description = normaliseSafeUrl(found?.answer.url ?? '') ?? `${words.origin}/openapi.json`;
  const server = normaliseSafeUrl(found?.document.servers[0] ?? '') ?? `${words.origin}/${formatSlot('apiPath')}`;
  const docs = words.links.docs === undefined ? [] : [{ href: words.links.docs, type: 'text/html' }];
  return `${formatJsonForHtml({
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
export function openApiTemplate({ words }: FixContext): string {
  return `${formatJsonForHtml({
    openapi: '3.1.1',
    info: {
      title: getKnownOrSlot(words.name, 'name'),
      version: formatSlot('version'),
      description: getKnownOrSlot(words.description, 'about'),
    },
    servers: [{ url: words.origin }],
    security: [],
    paths: {
      [`/${formatSlot('apiPath')}`]: {
        get: {
          operationId: 'listItems',
          summary: formatSlot('operation'),
          parameters: [
            {
              name: 'limit',
              in: 'query',
              description: formatSlot('parameter'),
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
