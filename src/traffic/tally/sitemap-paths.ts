import { parseSitemap, SITEMAP_LIMITS } from '../../audit/sitemaps/facts/sitemap.ts';

/** Paths of a sitemap, and how many addresses it has: `MAX_SITEMAP_PATHS` of them at most are compared. */
export type SitemapPaths = { paths: ReadonlySet<string>; addresses: number };

export const MAX_SITEMAP_PATHS = SITEMAP_LIMITS.keptUrls;

/** The paths that a sitemap lists; undefined for a file that is none, or that only names others. */
export function readSitemapPaths(text: string): SitemapPaths | undefined {
  const { kind, urls, urlCount } = parseSitemap(text, { url: 'https://site.invalid/sitemap.xml', truncated: false });
  if (kind !== 'urlset' && kind !== 'text') return undefined;
  const paths = urls.flatMap(({ loc }) => (URL.canParse(loc) ? [new URL(loc).pathname] : []));
  return paths.length === 0 ? undefined : { paths: new Set(paths), addresses: urlCount };
}
