/** Where the Markdown copy of a page lies: `/docs/` and `/docs` alike are copied at an address that ends in `.md`. */
export function formatMarkdownAddress(pageUrl: string): string {
  const url = new URL(pageUrl);
  url.search = '';
  return url.pathname.endsWith('/') ? `${url.href}index.md` : `${url.href.replace(/\.html?$/, '')}.md`;
}
