/** A page that search engines may list. `changed` is the day of its last change, as `2026-11-22`. */
export type SitemapPage = { path: string; changed: string };

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** The sitemap of our own pages (sitemaps.org 0.90). */
export const formatSitemapXml = (baseUrl: string, pages: readonly SitemapPage[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(({ path, changed }) => `  <url><loc>${escapeXmlText(`${baseUrl}${path}`)}</loc><lastmod>${changed}</lastmod></url>`).join('\n')}
</urlset>
`;

const escapeXmlText = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? '');
