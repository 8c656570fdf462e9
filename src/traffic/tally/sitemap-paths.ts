import { parseSitemap } from '../../audit/sitemaps/facts/sitemap.ts';

/** Paths of a sitemap: the first `SITEMAP_LIMITS.keptUrls` of its addresses are compared. `more`: it has others. */
export type SitemapPaths = { paths: ReadonlySet<string>; more: number };

/** The paths that a sitemap lists; undefined for a file that is none, or that only names others. */
export function readSitemapPaths(text: string): SitemapPaths | undefined {
  const { kind, urls, urlCount } = parseSitemap(text, { url: 'https://site.invalid/sitemap.xml', truncated: false });
  if (kind !== 'urlset' && kind !== 'text') return undefined;
  const paths = urls.flatMap(({ loc }) => (URL.canParse(loc) ? [new URL(loc).pathname] : []));
  return paths.length === 0 ? undefined : { paths: new Set(paths), more: urlCount - urls.length };
}
