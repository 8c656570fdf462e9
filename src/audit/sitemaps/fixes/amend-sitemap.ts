import { escapeXml } from '../../../lib/safe-text.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { isSlot } from '../../../lib/slots.ts';

/** What a sitemap is amended by. */
export type SitemapChanges = {
  /** Pages that belong into it; those it has keep their entry as it is. */
  pages: readonly { url: string; modified: string }[];
  isGone: (url: string) => boolean;
  clockMs: number;
};

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** One entry: its address, and the lastmod of a page that changed in the past; '' where none is known. */
export const formatEntry = (url: string, modified: string): string =>
  `  <url><loc>${escapeXml(url)}</loc>${modified === '' ? '' : `<lastmod>${modified}</lastmod>`}</url>`;

/** A new sitemap of these pages. */
export const formatSitemap = (pages: readonly { url: string; modified: string }[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<urlset xmlns="${NAMESPACE}">`,
    ...pages.map(({ url, modified }) => formatEntry(url, modified)),
    '</urlset>',
    '',
  ].join('\n');

/**
 * The present sitemap with what it lacks. Its entries stay as they are written; those of pages that are gone go, and so
 * does a lastmod that cannot be true. Undefined for a text that is no plain list of entries.
 */
export function editSitemap(present: string, { pages, isGone, clockMs }: SitemapChanges): string | undefined {
  const end = present.lastIndexOf('</urlset>');
  if (end === -1) return undefined;
  const kept: string[] = [];
  const listed = new Set<string>();
  let at = 0;
  for (;;) {
    const open = present.indexOf('<url>', at);
    const close = open === -1 ? -1 : present.indexOf('</url>', open);
    if (open === -1 || close === -1 || close > end) break;
    const entry = present.slice(open, close + '</url>'.length);
    const url = readEntryUrl(entry);
    kept.push(present.slice(at, open));
    if (url !== undefined && !isGone(url) && !listed.has(toKey(url))) {
      listed.add(toKey(url));
      kept.push(withTrueLastmod(entry, clockMs));
    }
    at = close + '</url>'.length;
  }
  const missing = pages
    .filter(({ url }) => !listed.has(toKey(url)))
    .map(({ url, modified }) => formatEntry(url, modified));
  const tail = present.slice(at, end).trimEnd();
  const text = [...kept, tail].join('').replaceAll(/\n[ \t]{0,80}(?=\n)/g, '');
  return `${[text.trimEnd(), ...missing, present.slice(end)].join('\n').trimEnd()}\n`;
}

const toKey = (url: string): string => (url.split('#')[0] ?? url).replace(/\/$/, '');

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function readEntryUrl(entry: string): string | undefined {
  const written = /<loc>([^<>]{1,4000})<\/loc>/.exec(entry)?.[1] ?? '';
  const url = written.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '').trim();
  return URL.canParse(url) && !isSlot(url) ? url : undefined;
}

const LASTMOD = /\s{0,80}<lastmod>([^<>]{0,200})<\/lastmod>/;

/** A date in the future, or none at all, is taken out. */
function withTrueLastmod(entry: string, clockMs: number): string {
  const written = LASTMOD.exec(entry)?.[1]?.trim() ?? '';
  if (written === '') return entry.replace(LASTMOD, '');
  const ms = Date.parse(written);
  return Number.isNaN(ms) || ms > clockMs + DAY_MS ? entry.replace(LASTMOD, '') : entry;
}
